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
  runForThreads,
  type CheckOutcome,
  type CheckRequest,
} from '../checks/check.ts';
import { deviceName, type Knowledge } from '../../plan/knowledge.ts';
import type { Outcomes } from '../measuring/outcomes.ts';
import { providersHere } from './providers.ts';
import { openSession } from '../sessions/session.ts';
import { processorHere, threadCandidates } from '../measuring/processor.ts';
import { measureThreads } from '../measuring/thread-count.ts';
import { defaultTilePx, tileCandidates, type TileSpeed } from '../measuring/tile-size.ts';

export interface Choice extends TileSpeed {
  provider: Provider;
  precision: Precision;
}

export interface Chosen {
  /** The choices in the order of trying, the best first; the last one is always the CPU in fp32. */
  choices: Choice[];
  /** A sentence for each device that was not taken and left for the CPU. */
  left: string[];
  /** True means that tile and threads are defaults, and devices beside the CPU may be unchecked. */
  isProvisional?: true;
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
  if (!isFinal(single) || (integer && !isFinal(integer))) return false;
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

/** Chooses the CPU's precisions for a network, the best first and fp32 last. What is not known is measured. */
async function chooseOnCpu(chooser: Chooser, network: AnyNetworkFile): Promise<Choice[]> {
  const { outcomes } = chooser;
  const single = outcomes.get(network, 'fp32', 'cpu');
  const integer = outcomes.get(network, 'int8', 'cpu');
  if (isFinal(single) && (isFinal(integer) || !hasInteger(network)))
    return cpuChoices(single, integer);
  const found = hasInteger(network)
    ? await checkInteger(network, measureOnCpu)
    : { single: await measureOnCpu(network, 'fp32') };
  return keepOnCpu(outcomes, network, found);
}

const isFinal = (outcome: CheckOutcome | undefined): outcome is CheckOutcome =>
  outcome !== undefined && !(outcome.ok && outcome.isProvisional === true);

/**
 * Chooses at once for a photo that waits: where nothing was measured, it takes the CPU with its default tile
 * and threads, and checks only whether int8 gives the right numbers. Other devices that were never checked
 * are left to the measuring that follows, or else to the next start. A device that was named is checked first.
 */
export async function chooseAtOnce(
  chooser: Chooser,
  network: AnyNetworkFile,
  wanted: DeviceChoice,
): Promise<Chosen> {
  const { outcomes } = chooser;
  const isOpen = wanted === 'auto' || wanted === 'cpu';
  if (!isOpen || !('scale' in network) || isMeasured(chooser, network, wanted))
    return chooseDevices(chooser, network, wanted);
  const single = outcomes.get(network, 'fp32', 'cpu');
  const integer = outcomes.get(network, 'int8', 'cpu');
  if (!single?.ok || (hasInteger(network) && !integer)) {
    const found = hasInteger(network)
      ? await checkInteger(network, assumeOnCpu)
      : { single: assumeOnCpu(network, 'fp32') };
    keepOnCpu(outcomes, network, found);
  } else if (single.megapixelsPerSecond > 0) {
    // Nothing measured since the last start, as with a command of its own, so other devices get their check.
    for (const provider of besideTheCpu(wanted)) await checkedOutcome(chooser, network, provider);
  }
  return { ...chooseKnown(chooser, network, wanted), isProvisional: true };
}

interface OnCpu {
  single: CheckOutcome;
  integer?: CheckOutcome;
}

function keepOnCpu(outcomes: Outcomes, network: AnyNetworkFile, found: OnCpu): Choice[] {
  outcomes.set(network, 'fp32', 'cpu', found.single);
  if (found.integer) outcomes.set(network, 'int8', 'cpu', found.integer);
  return cpuChoices(found.single, found.integer);
}

function cpuChoices(single: CheckOutcome, integer: CheckOutcome | undefined): Choice[] {
  const choices: Choice[] = [];
  if (integer?.ok) choices.push({ provider: 'cpu', precision: 'int8', ...integer });
  if (single.ok) choices.push({ provider: 'cpu', precision: 'fp32', ...single });
  return choices;
}

/** Measures threads and tiles of a precision. A mask network has one size and keeps the default of threads. */
async function measureOnCpu(network: AnyNetworkFile, precision: Precision): Promise<CheckOutcome> {
  const open = (threads?: number) => openSession(network, precision, 'cpu', threads);
  const measured =
    'scale' in network
      ? await measureThreads(threadCandidates(processorHere()), open, runForThreads(network))
      : { session: await open() };
  const { session, ...threads } = measured;
  try {
    return { ok: true, ...(await measureSession(network, session)), ...threads };
  } finally {
    await session.close();
  }
}

/** Returns the default tile of a precision, which is not measured yet. */
function assumeOnCpu(network: AnyNetworkFile, precision: Precision, known?: TileSpeed): Assumed {
  const { megapixelsPerSecond = 0, tilePx = 0 } = known ?? {};
  const assumed = 'scale' in network ? defaultTilePx(network, precision) : tilePx;
  return { ok: true, tilePx: assumed, megapixelsPerSecond, isProvisional: true };
}

type Measure = (
  network: AnyNetworkFile,
  precision: Precision,
  compared: TileSpeed,
) => CheckOutcome | Promise<CheckOutcome>;

/**
 * Checks whether this CPU runs the int8 variant with the right numbers and enough of a gain, and measures the
 * precision that is taken. The other one keeps its default tile: it is only for what the first one cannot do.
 */
async function checkInteger(network: AnyNetworkFile, measure: Measure): Promise<OnCpu> {
  const isQuick = measure === assumeOnCpu;
  const compared = await compareOnCpu(network, isQuick ? 1 : undefined);
  const { difference, ownMs, referenceMs, speed } = compared;
  const gain = referenceMs / ownMs;
  const slowSpeed = { ...speed, megapixelsPerSecond: speed.megapixelsPerSecond / gain };
  const reason =
    objectionTo(difference, allowedFor(network, 'int8')) ??
    (gain < int8Gain ? `int8 is only ${gain.toFixed(2)} times as fast here.` : undefined);
  if (reason !== undefined)
    return {
      single: await measure(network, 'fp32', slowSpeed),
      integer: { ok: false, reason },
    };
  const assumed = assumeOnCpu(network, 'fp32', slowSpeed);
  const { tilePx, megapixelsPerSecond } = assumed;
  return {
    single: isQuick ? assumed : { ok: true, tilePx, megapixelsPerSecond },
    integer: await measure(network, 'int8', speed),
  };
}

type Assumed = Extract<CheckOutcome, { ok: true }>;

async function compareOnCpu(network: AnyNetworkFile, rounds?: number) {
  const single = await openSession(network, 'fp32', 'cpu');
  const integer = await openSession(network, 'int8', 'cpu');
  try {
    return await compareSessions(network, integer, single, rounds);
  } finally {
    await integer.close();
    await single.close();
  }
}
