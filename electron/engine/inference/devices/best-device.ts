/** Runs a network on the best device that it has here, and on the next one when that fails. */
import { EnlargerError } from '../../../contract/errors.ts';
import type { DeviceUse } from '../../../contract/task.ts';
import type { AnyNetworkFile, DeviceChoice, Provider } from '../../protocol/messages.ts';
import { isOutOfMemory, smallerPortion, type Portion } from './after-failure.ts';
import { deviceFaultOf } from './device-fault.ts';
import type { Choice, Chooser, chooseDevices, Chosen } from './choose-device.ts';
import { deviceName } from '../../plan/knowledge.ts';
import { tileWithin } from '../../plan/resource-budget.ts';
import type { Room } from '../../protocol/room.ts';
import { smallestTilePx } from '../../tiles/tile-plan.ts';
import type { PassNews } from '../protocol.ts';
import { createLruCache, type LruCache } from '../sessions/lru-cache.ts';
import { defaultThreads, processorHere } from '../measuring/processor.ts';
import { openSession, type Session } from '../sessions/session.ts';

export interface Runner extends Chooser {
  /** The sessions that stay open, because the next task most likely wants the same ones. */
  sessions: LruCache<Session>;
  /** Takes the news of a pass. */
  tell: (news: PassNews) => void;
  chosen: Map<string, Chosen>;
  choose: typeof chooseDevices;
  /** Runs the previews that preempt the pass between two tiles, and gives the milliseconds that they took. */
  preempt: () => Promise<number>;
}

/** @param most by default two, so that the two passes of one task do not unload each other's networks */
export const keepSessions = (most = 2): LruCache<Session> =>
  createLruCache(most, (session) => session.close());

export interface Wanted {
  network: AnyNetworkFile;
  device: DeviceChoice;
  room?: Room;
}

interface OnDevice<T> {
  result: T;
  provider: Provider;
  device: DeviceUse;
  /**
   * A sentence for each failure, and for a device that was named and not used. Of devices that were not named
   * the list of devices says why they are not used.
   */
  notes: string[];
}

/** Runs `run` on the best device. It throws the last device's error, or at once one that no device caused. */
export async function onBestDevice<T>(
  runner: Runner,
  wanted: Wanted,
  run: (session: Session, choice: Choice) => Promise<T>,
): Promise<OnDevice<T>> {
  const { choices, left } = await chosenFor(runner, wanted);
  const notes = wanted.device === 'auto' ? [] : [...left];
  for (const [i, chosen] of choices.entries()) {
    let choice = within(wanted, chosen);
    for (;;) {
      const { provider, precision } = choice;
      try {
        const result = await run(await sessionFor(runner, wanted, choice), choice);
        runner.knowledge.setDevice(provider, 'in-use');
        const device = { provider, precision, name: deviceName(provider) };
        return { result, provider, device, notes };
      } catch (error) {
        const smaller = smallerPortion(error, wanted.network, choice);
        if (!mayHelp(error) || (smaller === undefined && i === choices.length - 1)) throw error;
        await runner.sessions.drop();
        if (smaller === undefined) {
          notes.push(failedOn(runner, wanted, choice, choices[i + 1] as Choice, error));
          break;
        }
        notes.push(shrunkOn(runner, wanted, choice, smaller, error));
        choice = { ...choice, ...smaller };
      }
    }
  }
  throw new EnlargerError('MODEL_UNAVAILABLE', 'No device here can run this network.');
}

/** Limits a choice to the room that the job may take. */
function within({ network, room }: Wanted, choice: Choice): Choice {
  if (!('scale' in network)) return choice;
  const least = smallestTilePx(network);
  const tilePx = tileWithin(room, choice.tilePx, { ...network, least });
  return room?.isSmall === true ? { ...choice, tilePx, batch: 1 } : { ...choice, tilePx };
}

/** Returns how many threads a session takes: as many as are worth it, and no more than the job may take. */
function threadsFor(room: Room | undefined, choice: Pick<Choice, 'threads'>): number {
  const { threads = defaultThreads(processorHere()) } = choice;
  return Math.min(threads, room?.threads ?? threads);
}

function sessionFor(runner: Runner, { network, room }: Wanted, choice: Choice) {
  const { provider, precision } = choice;
  const file = network.variants.find((variant) => variant.precision === precision);
  const threads = threadsFor(room, choice);
  const key = `${file?.sha256 ?? ''} ${precision} ${provider} ${threads}`;
  return runner.sessions.get(key, () => openSession(network, precision, provider, threads));
}

/** Tells whether another device may do better, as it may not when the task was cancelled or the disk is full. */
const mayHelp = (error: unknown) =>
  !(error instanceof EnlargerError) || error.code === 'INVALID_OUTPUT';

/** Names a network by its files of weights. */
const filesOf = (network: AnyNetworkFile) => network.variants.map((v) => v.sha256).join();

/** Chooses devices for a network. The choice stays until the engine ends or a run fails. */
export async function chosenFor(runner: Runner, { network, device }: Wanted): Promise<Chosen> {
  const key = `${filesOf(network)} ${device}`;
  const known = runner.chosen.get(key);
  if (known) return known;
  const made = await runner.choose(runner, network, device);
  runner.chosen.set(key, made);
  return made;
}

/** Lets a network's devices be chosen anew, because more is known of them. */
export function forgetChosen({ chosen }: Pick<Runner, 'chosen'>, network: AnyNetworkFile): void {
  for (const key of chosen.keys()) if (key.startsWith(filesOf(network))) chosen.delete(key);
}

/** Changes the choices of a network, whatever devices they were made for. */
function changeChoices(
  { chosen }: Runner,
  network: AnyNetworkFile,
  change: (choices: Choice[]) => Choice[],
): void {
  for (const [key, { choices, left }] of chosen)
    if (key.startsWith(filesOf(network))) chosen.set(key, { choices: change(choices), left });
}

/** Keeps the smaller tile or batch for this engine's life, and gives the sentence for the task's notes. */
function shrunkOn(
  runner: Runner,
  { network }: Wanted,
  { provider, precision, tilePx, batch = 1 }: Choice,
  smaller: Portion,
  error: unknown,
): string {
  const isIt = (one: Choice) => one.provider === provider && one.precision === precision;
  changeChoices(runner, network, (choices) =>
    choices.map((one) => (isIt(one) ? { ...one, ...smaller } : one)),
  );
  const name = deviceName(provider);
  const why = isOutOfMemory(error)
    ? `the memory of ${name} did not suffice.`
    : `${name} failed: ${deviceFaultOf(error)}`;
  return smaller.batch === batch
    ? `Tiles of ${smaller.tilePx} instead of ${tilePx} pixels were used, because ${why}`
    : `Tiles were run ${smaller.batch === 1 ? 'one' : smaller.batch} instead of ${batch} at a time, because ${why}`;
}

/** Leaves out the device for the rest of this engine's life, and gives the sentence for the task's notes. */
function failedOn(
  runner: Runner,
  { network }: Wanted,
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
  if (provider !== 'cpu') runner.knowledge.setDevice(provider, 'left', reason);
  // A device that was right once may be right again, so it is checked anew when the bad outcome expires.
  if (provider !== 'cpu' && error instanceof EnlargerError && error.code === 'INVALID_OUTPUT')
    runner.outcomes.set(network, precision, provider, { ok: false, reason });
  const where = next.provider === 'cpu' ? 'the CPU' : deviceName(next.provider);
  return `Run again on ${where}, because ${deviceName(provider)} in ${precision} failed: ${reason}`;
}
