/** Runs a network on the best device of this machine, and on the next one if that fails. */
import { note, part } from '../../../../packages/contract/src/notes/notes.ts';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import type { DeviceUse } from '../../../../packages/contract/src/task.ts';
import type { AnyNetworkFile, DeviceChoice, Provider } from '../../protocol/messages.ts';
import { isOutOfMemory, smallerBatch, type TileBatch } from './after-failure.ts';
import { deviceFaultOf } from './device-fault.ts';
import type { Choice, DeviceSelector, chooseDevices, DeviceChoices } from './choose-device.ts';
import { deviceName } from '../../plan/device-registry.ts';
import { tileWithinBudget } from '../../plan/resource-budget.ts';
import type { ResourceBudget } from '../../protocol/resource-budget.ts';
import { smallestTilePx } from '../../tiles/tile-plan.ts';
import type { ColumnsThread } from '../columns-thread.ts';
import type { PassEvent } from '../protocol.ts';
import { createLruCache, type LruCache } from '../sessions/lru-cache.ts';
import { defaultThreads, processorHere } from '../measuring/processor.ts';
import { openSession, type Session } from '../sessions/session.ts';

export interface Runner extends DeviceSelector {
  /** Sessions stay open, because the next task most likely needs the same ones. */
  sessions: LruCache<Session>;
  /** Receives the events of a pass. */
  emit: (news: PassEvent) => void;
  cachedChoices: Map<string, DeviceChoices>;
  choose: typeof chooseDevices;
  /**
   * Runs the previews that preempt the pass between two tiles.
   *
   * @param onBegin called before the first of them
   * @returns their time in ms
   */
  preempt: (onBegin?: () => void) => Promise<number>;
  /** The thread beside this one that runs columns of a pass; absent: there is none. */
  columnsBeside?: ColumnsThread;
}

/** @param max two by default, so that the two passes of one task do not unload each other's networks */
export const createSessionCache = (max = 2): LruCache<Session> =>
  createLruCache(max, (session) => session.close());

export interface DeviceRequest {
  network: AnyNetworkFile;
  device: DeviceChoice;
  budget?: ResourceBudget;
}

interface OnDevice<T> {
  result: T;
  provider: Provider;
  device: DeviceUse;
  /**
   * A sentence for each failure, and for a named device that was not used. For other devices the device
   * report holds the reason.
   */
  notes: string[];
}

/**
 * Runs `run` on the best device.
 *
 * @throws the last device's error, or at once an error that no device caused
 */
export async function onBestDevice<T>(
  runner: Runner,
  request: DeviceRequest,
  run: (session: Session, choice: Choice) => Promise<T>,
): Promise<OnDevice<T>> {
  const { choices, rejected } = await choicesFor(runner, request);
  const notes = request.device === 'auto' ? [] : [...rejected];
  for (const [i, cachedChoices] of choices.entries()) {
    let choice = limitedChoice(request, cachedChoices);
    for (;;) {
      const { provider, precision } = choice;
      try {
        const result = await run(await sessionFor(runner, request, choice), choice);
        runner.registry.setDevice(provider, 'in-use');
        const device = { provider, precision, name: deviceName(provider) };
        return { result, provider, device, notes };
      } catch (error) {
        const smaller = smallerBatch(error, request.network, choice);
        if (!mayTryOtherDevice(error) || (smaller === undefined && i === choices.length - 1))
          throw error;
        await runner.sessions.clear();
        if (smaller === undefined) {
          notes.push(noteFailure(runner, request, choice, choices[i + 1] as Choice, error));
          break;
        }
        notes.push(noteSmallerBatch(runner, request, choice, smaller, error));
        choice = { ...choice, ...smaller };
      }
    }
  }
  throw new EnlargerError('MODEL_UNAVAILABLE', 'No device here can run this network.');
}

/**
 * Loads what a run on the best device needs whatever its picture is.
 *
 * @param onChoice called before it is loaded
 */
export async function prepareOnBestDevice(
  runner: Runner,
  request: DeviceRequest,
  onChoice: (choice: Choice) => void,
): Promise<void> {
  const {
    choices: [best],
  } = await choicesFor(runner, request);
  if (!best) return;
  const choice = limitedChoice(request, best);
  onChoice(choice);
  const session = await sessionFor(runner, request, choice);
  await session.prepare();
}

/** Limits a choice to the job's budget. */
function limitedChoice({ network, budget }: DeviceRequest, choice: Choice): Choice {
  if (!('scale' in network)) return choice;
  const minPx = smallestTilePx(network);
  const tilePx = tileWithinBudget(budget, choice.tilePx, { ...network, minPx });
  return budget?.savesMemory === true ? { ...choice, tilePx, batch: 1 } : { ...choice, tilePx };
}

/** Threads of a session: as many as are worthwhile and within the budget. */
export function threadsFor(
  budget: ResourceBudget | undefined,
  choice: Pick<Choice, 'threads'>,
): number {
  const { threads = defaultThreads(processorHere()) } = choice;
  return Math.min(threads, budget?.threads ?? threads);
}

export function sessionFor(
  runner: Pick<Runner, 'sessions'>,
  { network, budget }: Omit<DeviceRequest, 'device'>,
  choice: Pick<Choice, 'provider' | 'precision' | 'threads'>,
): Promise<Session> {
  const { provider, precision } = choice;
  const file = network.variants.find((variant) => variant.precision === precision);
  const threads = threadsFor(budget, choice);
  const key = `${file?.sha256 ?? ''} ${precision} ${provider} ${threads}`;
  return runner.sessions.get(key, () => openSession(network, precision, provider, threads));
}

/** Whether another device may succeed; not if the task was cancelled or the disk is full. */
const mayTryOtherDevice = (error: unknown) =>
  !(error instanceof EnlargerError) || error.code === 'INVALID_OUTPUT';

/** Identifies a network by its weight files. */
const weightsKey = (network: AnyNetworkFile) => network.variants.map((v) => v.sha256).join();

/** Chooses devices for a network. The choice is cached until the engine ends or a run fails. */
export async function choicesFor(
  runner: Runner,
  { network, device }: DeviceRequest,
): Promise<DeviceChoices> {
  const key = `${weightsKey(network)} ${device}`;
  const known = runner.cachedChoices.get(key);
  if (known) return known;
  const made = await runner.choose(runner, network, device);
  runner.cachedChoices.set(key, made);
  return made;
}

/** Discards a network's cached choice, because more is known of its devices. */
export function discardChoices(
  { cachedChoices }: Pick<Runner, 'cachedChoices'>,
  network: AnyNetworkFile,
): void {
  for (const key of cachedChoices.keys())
    if (key.startsWith(weightsKey(network))) cachedChoices.delete(key);
}

/** Changes all cached choices of a network. */
function changeChoices(
  { cachedChoices }: Runner,
  network: AnyNetworkFile,
  change: (choices: Choice[]) => Choice[],
): void {
  for (const [key, { choices, rejected }] of cachedChoices)
    if (key.startsWith(weightsKey(network)))
      cachedChoices.set(key, { choices: change(choices), rejected });
}

/**
 * Caches the smaller tile or batch for the life of this engine.
 *
 * @returns the sentence for the task's notes
 */
function noteSmallerBatch(
  runner: Runner,
  { network }: DeviceRequest,
  { provider, precision, tilePx, batch = 1 }: Choice,
  smaller: Required<TileBatch>,
  error: unknown,
): string {
  const isSame = (one: Choice) => one.provider === provider && one.precision === precision;
  changeChoices(runner, network, (choices) =>
    choices.map((one) => (isSame(one) ? { ...one, ...smaller } : one)),
  );
  const device = deviceName(provider);
  if (smaller.batch === batch)
    return note('TILES_SMALLER', { device, size: smaller.tilePx, planned: tilePx });
  const count = smaller.batch === 1 ? part('ONE') : smaller.batch;
  const values = { device, count, planned: batch };
  return isOutOfMemory(error)
    ? note('BATCH_SMALLER_MEMORY', values)
    : note('BATCH_SMALLER', { ...values, reason: deviceFaultOf(error) });
}

/** Excludes the device for the life of this engine. @returns the sentence for the task's notes */
function noteFailure(
  runner: Runner,
  { network }: DeviceRequest,
  choice: Choice,
  next: Choice,
  error: unknown,
): string {
  const { provider, precision } = choice;
  changeChoices(runner, network, (choices) => {
    const others = choices.filter(
      (one) => one.provider !== provider || one.precision !== precision,
    );
    return others.length > 0 ? others : choices;
  });
  const reason = deviceFaultOf(error);
  if (provider !== 'cpu') runner.registry.setDevice(provider, 'left', reason);
  // A device that passed once may recover, so it is checked anew when the failed outcome expires.
  if (provider !== 'cpu' && error instanceof EnlargerError && error.code === 'INVALID_OUTPUT')
    runner.outcomes.set(network, precision, provider, { ok: false, reason });
  return note('RUN_AGAIN', {
    next: next.provider === 'cpu' ? part('THE_CPU') : deviceName(next.provider),
    ...{ device: deviceName(provider), precision, reason },
  });
}
