/** Decides, once for each network, on which device and in which precision it runs here, and says why. */
import type { Precision } from '../../contract/model.ts';
import type { NetworkFile, Provider } from '../protocol.ts';
import { compareSessions, objectionTo, type CheckOutcome, type CheckRequest } from './check.ts';
import type { Knowledge } from './knowledge.ts';
import type { Outcomes } from './outcomes.ts';
import { precisionOn, providersHere } from './providers.ts';
import { openSession } from './session.ts';
import { measureTiles } from './tile-size.ts';

export interface Choice {
  provider: Provider;
  precision: Precision;
  tilePx: number;
  megapixelsPerSecond: number;
}

export interface Chooser {
  outcomes: Outcomes;
  knowledge: Knowledge;
  /** Checks a device in a process that may die. */
  probe: (request: CheckRequest) => Promise<CheckOutcome>;
}

/** How much faster int8 must be to be worth its rounding. */
const int8Gain = 1.3;

/** What to try, the best first; the last is always the CPU in fp32. `wanted` names a device or leaves it open. */
export async function chooseDevices(
  chooser: Chooser,
  network: NetworkFile,
  wanted: 'auto' | Provider,
): Promise<Choice[]> {
  const onCpu = await chooseOnCpu(chooser, network);
  const best = onCpu[0] as Choice;
  for (const provider of providersHere()) {
    if (provider === 'cpu' || (wanted !== 'auto' && wanted !== provider)) continue;
    const choice = await checkedChoice(chooser, network, provider);
    if (!choice) continue;
    if (wanted === provider || choice.megapixelsPerSecond > best.megapixelsPerSecond) {
      return [choice, ...onCpu];
    }
    chooser.knowledge.setDevice(provider, 'left', slower(choice, best));
  }
  return onCpu;
}

const slower = (choice: Choice, cpu: Choice) =>
  `It is slower here than the CPU: ${choice.megapixelsPerSecond.toFixed(2)} against ${cpu.megapixelsPerSecond.toFixed(2)} megapixels a second.`;

async function checkedChoice(
  { outcomes, knowledge, probe }: Chooser,
  network: NetworkFile,
  provider: Provider,
): Promise<Choice | undefined> {
  const precision = precisionOn(provider, network);
  let outcome = outcomes.get(network, precision, provider);
  if (!outcome) {
    outcome = await probe({ network, precision, provider });
    outcomes.set(network, precision, provider, outcome);
  }
  if (!outcome.ok) {
    knowledge.setDevice(provider, 'left', outcome.reason);
    return undefined;
  }
  knowledge.setDevice(provider, 'available');
  return { provider, precision, ...outcome };
}

/** The CPU's precisions for this network, the best first and fp32 last. */
async function chooseOnCpu(chooser: Chooser, network: NetworkFile): Promise<Choice[]> {
  const { outcomes } = chooser;
  let single = outcomes.get(network, 'fp32', 'cpu');
  const integer = outcomes.get(network, 'int8', 'cpu');
  const hasInteger = network.variants.some((variant) => variant.precision === 'int8');
  if (single?.ok && (integer || !hasInteger)) return cpuChoices(single, integer);
  single = await measureCpu(network, 'fp32');
  outcomes.set(network, 'fp32', 'cpu', single);
  if (!hasInteger) return cpuChoices(single, undefined);
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

async function measureCpu(network: NetworkFile, precision: Precision): Promise<CheckOutcome> {
  const session = await openSession(network, precision, 'cpu');
  try {
    return { ok: true, ...(await measureTiles(network, session)) };
  } finally {
    await session.close();
  }
}

/** Whether this CPU runs the int8 variant with the right numbers and enough of a gain. */
async function checkInteger(network: NetworkFile): Promise<CheckOutcome> {
  const single = await openSession(network, 'fp32', 'cpu');
  const integer = await openSession(network, 'int8', 'cpu');
  try {
    const { difference, ownMs, referenceMs } = await compareSessions(network, integer, single);
    const objection = objectionTo(difference, 'int8');
    if (objection) return { ok: false, reason: objection };
    const gain = referenceMs / ownMs;
    if (gain < int8Gain) {
      return { ok: false, reason: `int8 is only ${gain.toFixed(2)} times as fast here.` };
    }
    return { ok: true, ...(await measureTiles(network, integer)) };
  } finally {
    await integer.close();
    await single.close();
  }
}
