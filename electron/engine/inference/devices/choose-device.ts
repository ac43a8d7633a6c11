/** Chooses, once per network, the device and precision for this machine, and reports why. */
import { note, part } from '../../../../packages/contract/src/notes/notes.ts';
import type { Precision } from '../../../../packages/contract/src/models/model.ts';
import type { AnyNetworkFile, DeviceChoice, Provider } from '../../protocol/messages.ts';
import { betterPrecision, precisionsOn, type PrecisionCheck } from './better-precision.ts';
import {
  allowedFor,
  compareSessions,
  measureSession,
  objectionTo,
  runForThreads,
  type CheckOutcome,
  type CheckRequest,
} from '../checks/check.ts';
import { deviceName, type DeviceRegistry } from '../../plan/device-registry.ts';
import type { Outcomes } from '../measuring/outcomes.ts';
import { providersHere } from './providers.ts';
import { openSession } from '../sessions/session.ts';
import { maxOtherLoad, measureOtherLoad, speedWithoutOthers } from '../measuring/other-load.ts';
import { processorHere, threadCandidates } from '../measuring/processor.ts';
import { measureThreads } from '../measuring/thread-count.ts';
import {
  defaultTilePx,
  speedOfDefaultTile,
  speedOfShared,
  tileCandidates,
  type TileSpeed,
} from '../measuring/tile-size.ts';

export interface Choice extends TileSpeed {
  provider: Provider;
  precision: Precision;
  /** The speed is corrected for other programs, which took the processors meanwhile. */
  isDoubtful?: true;
}

export interface DeviceChoices {
  /** In the order of trying, the best first; the last one is always the CPU in fp32. */
  choices: Choice[];
  /** A sentence for each device rejected in favour of the CPU. */
  rejected: string[];
  /** Tile and threads are defaults, and devices other than the CPU may be unchecked. */
  isProvisional?: true;
  /**
   * Devices to be checked beside the run, because nothing was measured since the network's first one: the
   * engine of a command is never idle.
   */
  unchecked?: readonly Provider[];
}

export interface DeviceSelector {
  outcomes: Outcomes;
  registry: DeviceRegistry;
  /** Checks a device in a process that may crash. */
  probe: (request: CheckRequest) => Promise<CheckOutcome>;
  /** Starts measuring what other programs take; absent: on this machine. */
  measureOtherLoad?: typeof measureOtherLoad;
}

/** Minimum gain of int8 over its rounding errors. */
const int8Gain = 1.3;

/**
 * Chooses devices, and checks those not known yet.
 *
 * @param requested a device or 'auto'; a named device need not be faster than the CPU
 */
export async function chooseDevices(
  selector: DeviceSelector,
  network: AnyNetworkFile,
  requested: DeviceChoice,
): Promise<DeviceChoices> {
  const choices = await chooseOnCpu(selector, network);
  const best = choices[0] as Choice;
  const rejected: string[] = [];
  for (const provider of acceleratorsFor(requested)) {
    const { precision, outcome } = await checkedOutcome(selector, network, provider);
    if (outcome.ok && (requested === provider || isFaster(outcome, best))) {
      selector.registry.setDevice(provider, 'available');
      return { choices: [{ provider, precision, ...outcome }, ...choices], rejected };
    }
    const reason = outcome.ok ? slower(outcome, best) : outcome.reason;
    selector.registry.setDevice(provider, 'left', reason);
    rejected.push(note('DEVICE_LEFT', { device: deviceName(provider), reason }));
  }
  return { choices, rejected };
}

/**
 * Chooses at once, from earlier measurements only, for work that must not wait. An unmeasured network runs on
 * the CPU.
 */
export function chooseKnown(
  { outcomes }: Pick<DeviceSelector, 'outcomes'>,
  network: AnyNetworkFile,
  requested: DeviceChoice,
): DeviceChoices {
  const single = outcomes.get(network, 'fp32', 'cpu');
  const tilePx = 'scale' in network ? (tileCandidates(network, true)[0] ?? network.minSizePx) : 0;
  const unmeasured = { ok: true, tilePx, megapixelsPerSecond: 0 } as const;
  const integer = outcomes.get(network, 'int8', 'cpu');
  const choices = cpuChoices(single?.ok ? single : unmeasured, integer);
  for (const provider of acceleratorsFor(requested)) {
    const known = knownOf(outcomes, network, provider);
    if (!known?.outcome.ok) continue;
    const { precision, outcome } = known;
    if (!choices.every((choice) => isFaster(outcome, choice))) continue;
    return { choices: [{ provider, precision, ...outcome }, ...choices], rejected: [] };
  }
  return { choices, rejected: [] };
}

/** Whether chooseDevices would find every outcome it needs without measuring. */
export function isMeasured(
  { outcomes }: Pick<DeviceSelector, 'outcomes'>,
  network: AnyNetworkFile,
  requested: DeviceChoice,
): boolean {
  const single = outcomes.get(network, 'fp32', 'cpu');
  const integer = outcomes.get(network, 'int8', 'cpu');
  if (!single?.ok || (hasInteger(network) && !integer)) return false;
  if (!isFinal(single) || (integer && !isFinal(integer))) return false;
  const best = cpuChoices(single, integer)[0] as Choice;
  for (const provider of acceleratorsFor(requested)) {
    const known = knownOf(outcomes, network, provider);
    if (!known) return false;
    const { outcome } = known;
    if (outcome.ok && (requested === provider || isFaster(outcome, best))) return true;
  }
  return true;
}

/** Devices other than the CPU that may be used. */
const acceleratorsFor = (requested: DeviceChoice) =>
  providersHere().filter(
    (provider) => provider !== 'cpu' && (requested === 'auto' || requested === provider),
  );

const hasInteger = ({ variants }: AnyNetworkFile) =>
  variants.some((variant) => variant.precision === 'int8');

const isFaster = (one: TileSpeed, other: TileSpeed) =>
  one.megapixelsPerSecond > other.megapixelsPerSecond;

const slower = (choice: TileSpeed, cpu: TileSpeed) =>
  part('DEVICE_SLOWER', {
    speed: choice.megapixelsPerSecond.toFixed(2),
    cpu: cpu.megapixelsPerSecond.toFixed(2),
  });

/** Returns the better of a device's checked precisions; undefined while not all of them were checked. */
function knownOf(
  outcomes: Outcomes,
  network: AnyNetworkFile,
  provider: Provider,
): PrecisionCheck | undefined {
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
  { outcomes, probe }: DeviceSelector,
  network: AnyNetworkFile,
  provider: Provider,
): Promise<PrecisionCheck> {
  const check = async (precision: Precision): Promise<PrecisionCheck> => {
    const known = outcomes.get(network, precision, provider);
    if (known) return { precision, outcome: known };
    const outcome = await probe({ network, precision, provider });
    outcomes.set(network, precision, provider, outcome);
    return { precision, outcome };
  };
  const [first = 'fp32', ...others] = precisionsOn(provider, network);
  const checked: [PrecisionCheck, ...PrecisionCheck[]] = [await check(first)];
  for (const precision of others) checked.push(await check(precision));
  return betterPrecision(checked);
}

/** Returns the CPU's precisions for a network, the best first and fp32 last. Unknown ones are measured. */
async function chooseOnCpu(selector: DeviceSelector, network: AnyNetworkFile): Promise<Choice[]> {
  const { outcomes } = selector;
  const single = outcomes.get(network, 'fp32', 'cpu');
  const integer = outcomes.get(network, 'int8', 'cpu');
  if (isFinal(single) && (isFinal(integer) || !hasInteger(network)))
    return cpuChoices(single, integer);
  const startLoad = selector.measureOtherLoad ?? measureOtherLoad;
  const measure = (measured: AnyNetworkFile, precision: Precision) =>
    measureOnCpu(measured, precision, startLoad);
  const found = hasInteger(network)
    ? await checkInteger(network, measure)
    : { single: await measure(network, 'fp32') };
  return storeCpuOutcomes(outcomes, network, found);
}

const isFinal = (outcome: CheckOutcome | undefined): outcome is CheckOutcome =>
  outcome !== undefined && !(outcome.ok && outcome.isProvisional === true);

/**
 * Chooses at once for a waiting photo: an unmeasured network gets the CPU with default tile and threads, and
 * only int8's correctness is checked. Other unchecked devices are left to the measuring that follows, or from
 * the second run on to a check beside it. A named device is checked first.
 */
export async function chooseProvisionally(
  selector: DeviceSelector,
  network: AnyNetworkFile,
  requested: DeviceChoice,
): Promise<DeviceChoices> {
  const { outcomes } = selector;
  const isOpen = requested === 'auto' || requested === 'cpu';
  if (!isOpen || isMeasured(selector, network, requested))
    return chooseDevices(selector, network, requested);
  const single = outcomes.get(network, 'fp32', 'cpu');
  const integer = outcomes.get(network, 'int8', 'cpu');
  if (!single?.ok || (hasInteger(network) && !integer)) {
    const found = hasInteger(network)
      ? await checkInteger(network, assumedOnCpu)
      : { single: assumedOnCpu(network, 'fp32') };
    storeCpuOutcomes(outcomes, network, found);
    return { ...chooseKnown(selector, network, requested), isProvisional: true };
  }
  const unchecked = acceleratorsFor(requested).filter(
    (provider) => knownOf(outcomes, network, provider) === undefined,
  );
  return { ...chooseKnown(selector, network, requested), isProvisional: true, unchecked };
}

/** Checks devices, one after the other. @returns whether a network can run on one of them */
export async function checkDevices(
  selector: DeviceSelector,
  network: AnyNetworkFile,
  devices: readonly Provider[],
): Promise<boolean> {
  let isAnyUsable = false;
  for (const provider of devices) {
    const { outcome } = await checkedOutcome(selector, network, provider);
    isAnyUsable ||= outcome.ok;
  }
  return isAnyUsable;
}

interface CpuOutcomes {
  single: CheckOutcome;
  integer?: CheckOutcome;
}

function storeCpuOutcomes(
  outcomes: Outcomes,
  network: AnyNetworkFile,
  found: CpuOutcomes,
): Choice[] {
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

/**
 * Measures threads and tiles of a precision; a mask network has one size. Beside other programs more threads gain
 * little, and that must not decide for quieter days, however quiet it was when tiles were measured.
 */
async function measureOnCpu(
  network: AnyNetworkFile,
  precision: Precision,
  startLoad: typeof measureOtherLoad,
): Promise<CheckOutcome> {
  const loadOfThreads = startLoad();
  const open = (threads: number) => openSession(network, precision, 'cpu', threads);
  const { session, threads } = await measureThreads(
    threadCandidates(processorHere()),
    open,
    runForThreads(network),
  );
  try {
    const besideThreads = loadOfThreads();
    const loadOfTiles = startLoad();
    const measured = await measureSession(network, session);
    const load = loadOfTiles();
    const speed = speedOfShared(network, measured, session, threads);
    if (Math.max(besideThreads, load) <= maxOtherLoad) return { ok: true, ...speed, threads };
    const { tilePx } = assumedOnCpu(network, precision, speed);
    const megapixelsPerSecond = speedWithoutOthers(speed.megapixelsPerSecond, load);
    return { ok: true, ...speed, tilePx, megapixelsPerSecond, isDoubtful: true };
  } finally {
    await session.close();
  }
}

/** The unmeasured default of a precision. `compared`: the speed of the tile of a check, where one ran. */
function assumedOnCpu(
  network: AnyNetworkFile,
  precision: Precision,
  compared?: TileSpeed,
): AssumedOutcome {
  const speed = compared
    ? speedOfDefaultTile(network, precision, compared)
    : {
        tilePx: 'scale' in network ? defaultTilePx(network, precision) : 0,
        megapixelsPerSecond: 0,
      };
  return { ok: true, ...speed, isProvisional: true };
}

type Measure = (
  network: AnyNetworkFile,
  precision: Precision,
  compared: TileSpeed,
) => CheckOutcome | Promise<CheckOutcome>;

/**
 * Checks whether the int8 variant is correct and fast enough on this CPU, and measures the precision that is
 * chosen. The other one keeps its default tile: it is only a fallback.
 */
async function checkInteger(network: AnyNetworkFile, measure: Measure): Promise<CpuOutcomes> {
  const isQuick = measure === assumedOnCpu;
  const compared = await compareOnCpu(network, isQuick ? 0 : undefined);
  const { difference, ownMs, referenceMs, speed } = compared;
  const gain = referenceMs / ownMs;
  const slowSpeed = { ...speed, megapixelsPerSecond: speed.megapixelsPerSecond / gain };
  const reason =
    objectionTo(difference, allowedFor(network, 'int8')) ??
    // A quick check beside other programs must not leave int8 for a day: the measuring that follows decides.
    (gain < int8Gain && !isQuick
      ? `int8 is only ${gain.toFixed(2)} times as fast here.`
      : undefined);
  if (reason !== undefined)
    return {
      single: await measure(network, 'fp32', slowSpeed),
      integer: { ok: false, reason },
    };
  const assumed = assumedOnCpu(network, 'fp32', slowSpeed);
  const { tilePx, megapixelsPerSecond } = assumed;
  return {
    single: isQuick ? assumed : { ok: true, tilePx, megapixelsPerSecond },
    integer: await measure(network, 'int8', speed),
  };
}

type AssumedOutcome = Extract<CheckOutcome, { ok: true }>;

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
