/** Decides, once for each network, on which device and in which precision it runs here, and says why. */
import type { Precision } from '../../../contract/models/model.ts';
import type {
  AnyNetworkFile,
  DeviceChoice,
  NetworkFile,
  Provider,
} from '../../protocol/messages.ts';
import { betterPrecision, precisionsOn, type Checked } from './better-precision.ts';
import {
  allowedFor,
  compareSessions,
  measureSession,
  objectionTo,
  type CheckOutcome,
  type CheckRequest,
} from '../checks/check.ts';
import { deviceName, type Knowledge } from '../../plan/knowledge.ts';
import type { Outcomes } from '../measuring/outcomes.ts';
import { providersHere } from './providers.ts';
import { openSession } from '../sessions/session.ts';
import { tileCandidates, type TileSpeed } from '../measuring/tile-size.ts';

export interface Choice extends TileSpeed {
  provider: Provider;
  precision: Precision;
}

export interface Chosen {
  /** The choices in the order of trying, the best first; the last one is always the CPU in fp32. */
  choices: Choice[];
  /** A sentence for each device that was not taken and left for the CPU. */
  left: string[];
}

export interface Chooser {
  outcomes: Outcomes;
  knowledge: Knowledge;
  /** Checks a device in a process that may die of it. */
  probe: (request: CheckRequest) => Promise<CheckOutcome>;
}

/** int8 must be this many times as fast to be worth its rounding. */
const int8Gain = 1.3;

/**
 * Chooses devices, and checks those that are not known yet. `wanted` names a device or leaves it open; a
 * device that was named need not be faster than the CPU.
 */
export async function chooseDevices(
  chooser: Chooser,
  network: AnyNetworkFile,
  wanted: DeviceChoice,
): Promise<Chosen> {
  const choices = await chooseOnCpu(chooser, network);
  const best = choices[0] as Choice;
  const left: string[] = [];
  for (const provider of besideTheCpu(wanted)) {
    const { precision, outcome } = await checkedOutcome(chooser, network, provider);
    if (outcome.ok && (wanted === provider || isFaster(outcome, best))) {
      chooser.knowledge.setDevice(provider, 'available');
      return { choices: [{ provider, precision, ...outcome }, ...choices], left };
    }
    const reason = outcome.ok ? slower(outcome, best) : outcome.reason;
    chooser.knowledge.setDevice(provider, 'left', reason);
    left.push(`${deviceName(provider)} was left for the CPU. ${reason}`);
  }
  return { choices, left };
}

/**
 * Chooses devices from what was measured before, at once, for work that must not wait. A network of which
 * nothing is known runs on the CPU.
 */
export function chooseKnown(
  { outcomes }: Pick<Chooser, 'outcomes'>,
  network: NetworkFile,
  wanted: DeviceChoice,
): Chosen {
  const single = outcomes.get(network, 'fp32', 'cpu');
  const tilePx = tileCandidates(network, true)[0] ?? network.minSizePx;
  const unmeasured = { ok: true, tilePx, megapixelsPerSecond: 0 } as const;
  const integer = outcomes.get(network, 'int8', 'cpu');
  const choices = cpuChoices(single?.ok ? single : unmeasured, integer);
  for (const provider of besideTheCpu(wanted)) {
    const known = knownOf(outcomes, network, provider);
    if (!known?.outcome.ok) continue;
    const { precision, outcome } = known;
    if (!choices.every((choice) => isFaster(outcome, choice))) continue;
    return { choices: [{ provider, precision, ...outcome }, ...choices], left: [] };
  }
  return { choices, left: [] };
}

/** Tells whether chooseDevices would find every outcome that it needs, and measure nothing. */
export function isMeasured(
  { outcomes }: Pick<Chooser, 'outcomes'>,
  network: AnyNetworkFile,
  wanted: DeviceChoice,
): boolean {
  const single = outcomes.get(network, 'fp32', 'cpu');
  const integer = outcomes.get(network, 'int8', 'cpu');
  if (!single?.ok || (hasInteger(network) && !integer)) return false;
  const best = cpuChoices(single, integer)[0] as Choice;
  for (const provider of besideTheCpu(wanted)) {
    const known = knownOf(outcomes, network, provider);
    if (!known) return false;
    const { outcome } = known;
    if (outcome.ok && (wanted === provider || isFaster(outcome, best))) return true;
  }
  return true;
}

/** Lists the devices other than the CPU that may be taken. */
const besideTheCpu = (wanted: DeviceChoice) =>
  providersHere().filter(
    (provider) => provider !== 'cpu' && (wanted === 'auto' || wanted === provider),
  );

const hasInteger = ({ variants }: AnyNetworkFile) =>
  variants.some((variant) => variant.precision === 'int8');

const isFaster = (one: TileSpeed, other: TileSpeed) =>
  one.megapixelsPerSecond > other.megapixelsPerSecond;

const slower = (choice: TileSpeed, cpu: TileSpeed) =>
  `It is slower here than the CPU: ${choice.megapixelsPerSecond.toFixed(2)} against ${cpu.megapixelsPerSecond.toFixed(2)} megapixels a second.`;

/** Picks the better one of a device's known precisions; undefined while not all of them were checked. */
function knownOf(
  outcomes: Outcomes,
  network: AnyNetworkFile,
  provider: Provider,
): Checked | undefined {
  const known = precisionsOn(provider, network).map((precision) => {
    const outcome = outcomes.get(network, precision, provider);
    return outcome && { precision, outcome };
  });
  const [first, ...others] = known.filter((one) => one !== undefined);
  return first && others.length === known.length - 1
    ? betterPrecision([first, ...others])
    : undefined;
}

async function checkedOutcome(
  { outcomes, probe }: Chooser,
  network: AnyNetworkFile,
  provider: Provider,
): Promise<Checked> {
  const check = async (precision: Precision): Promise<Checked> => {
    const known = outcomes.get(network, precision, provider);
    if (known) return { precision, outcome: known };
    const outcome = await probe({ network, precision, provider });
    outcomes.set(network, precision, provider, outcome);
    return { precision, outcome };
  };
  const [first = 'fp32', ...others] = precisionsOn(provider, network);
  const checked: [Checked, ...Checked[]] = [await check(first)];
  for (const precision of others) checked.push(await check(precision));
  return betterPrecision(checked);
}

/** Chooses the CPU's precisions for a network, the best first and fp32 last. */
async function chooseOnCpu(chooser: Chooser, network: AnyNetworkFile): Promise<Choice[]> {
  const { outcomes } = chooser;
  let single = outcomes.get(network, 'fp32', 'cpu');
  const integer = outcomes.get(network, 'int8', 'cpu');
  if (single?.ok && (integer || !hasInteger(network))) return cpuChoices(single, integer);
  single = await measureCpu(network, 'fp32');
  outcomes.set(network, 'fp32', 'cpu', single);
  if (!hasInteger(network)) return cpuChoices(single, undefined);
  const checked = await checkInteger(network);
  outcomes.set(network, 'int8', 'cpu', checked);
  return cpuChoices(single, checked);
}

function cpuChoices(single: CheckOutcome, integer: CheckOutcome | undefined): Choice[] {
  const choices: Choice[] = [];
  if (integer?.ok) choices.push({ provider: 'cpu', precision: 'int8', ...integer });
  if (single.ok) choices.push({ provider: 'cpu', precision: 'fp32', ...single });
  return choices;
}

async function measureCpu(network: AnyNetworkFile, precision: Precision): Promise<CheckOutcome> {
  const session = await openSession(network, precision, 'cpu');
  try {
    return { ok: true, ...(await measureSession(network, session)) };
  } finally {
    await session.close();
  }
}

/** Checks whether this CPU runs the int8 variant with the right numbers and enough of a gain. */
async function checkInteger(network: AnyNetworkFile): Promise<CheckOutcome> {
  const single = await openSession(network, 'fp32', 'cpu');
  const integer = await openSession(network, 'int8', 'cpu');
  try {
    const { difference, ownMs, referenceMs } = await compareSessions(network, integer, single);
    const objection = objectionTo(difference, allowedFor(network, 'int8'));
    if (objection) return { ok: false, reason: objection };
    const gain = referenceMs / ownMs;
    if (gain < int8Gain) {
      return { ok: false, reason: `int8 is only ${gain.toFixed(2)} times as fast here.` };
    }
    return { ok: true, ...(await measureSession(network, integer)) };
  } finally {
    await integer.close();
    await single.close();
  }
}
