/** Works on many pictures, a few at a time, with a report, and cancels their tasks on Ctrl-C. */
import { pathToFileURL } from 'node:url';
import type { Client } from '../../../api-client/src/client.ts';
import { followTasks } from '../../../api-client/src/follow.ts';
import { noJournal, type BatchJournal } from './batch-journal.ts';
import { estimatePictures } from './estimate-pictures.ts';
import type { Inputs, Picture } from './inputs.ts';
import type { LocalPlaces } from './local-places.ts';
import type { Report } from './report.ts';
import { processPicture, type RunContext } from './process-picture.ts';
import { backgroundFileOf, type ProcessOptions } from './result-target.ts';
import { isFileProblem } from '../../../files/src/file-errors.ts';
import { fileReason } from '../error-message.ts';
import { openNamedBlob } from '../local-files.ts';
import type { QueueState } from '../../../contract/src/queue.ts';
import { t } from '../text.ts';

/**
 * The service has this many pictures of a batch at a time. Two of them run, the others keep its queue from
 * running dry, and no more than these lie twice on the disk.
 */
const inFlight = 6;

interface BatchParts {
  client: Client;
  places: LocalPlaces;
  report: Report;
  signal: AbortSignal;
  journal?: BatchJournal;
  deliver?: RunContext['deliver'];
  /**
   * Set where the batch may go on with another service: pictures that have ended are noted here and left out. What the
   * service's end interrupts is then no failure.
   */
  reported?: Set<Picture>;
}

interface BatchOutcome {
  failures: number;
  /** The service does not answer any more, and its tasks wait for it to be started again. */
  isServiceLost: boolean;
}

/** Resolves when all pictures have ended. It rejects with the signal's reason once its tasks are cancelled. */
export async function runBatch(
  inputs: Inputs,
  options: ProcessOptions,
  { client, places, report, signal, journal = noJournal, reported, deliver }: BatchParts,
): Promise<BatchOutcome> {
  const ending = new AbortController();
  const stop = AbortSignal.any([signal, ending.signal]);
  const open = new Set<string>();
  const context: RunContext = {
    ...turns(inputs.pictures.length),
    client,
    places,
    journal,
    backgroundFor: createBackgroundFor(options.work, client, signal),
    signal,
    deliver,
    follower: followTasks(client, stop, createPauseTeller()),
    onSubmitted: (taskId) => open.add(taskId),
    onEnded: (taskId) => open.delete(taskId),
    owners: new Map(),
  };
  void estimatePictures(inputs.pictures, options, { client, places, report, signal: stop });
  try {
    const end = await eachPicture(inputs.pictures, options, context, report, reported);
    // The service's tasks go on when it is started again, so the next run must find them.
    if (!end.isServiceLost) await journal.finish();
    return end;
  } catch (error) {
    await Promise.allSettled(
      [...open].map((taskId) => client.cancel(taskId, AbortSignal.timeout(5000))),
    );
    throw error;
  } finally {
    ending.abort();
  }
}

async function eachPicture(
  pictures: Picture[],
  options: ProcessOptions,
  context: RunContext,
  report: Report,
  reported?: Set<Picture>,
): Promise<BatchOutcome> {
  let failures = 0;
  let isServiceLost = false;
  const waiting = pictures.entries();
  const work = async () => {
    for (const [index, picture] of waiting) {
      context.signal.throwIfAborted();
      if (reported?.has(picture) || (reported && isServiceLost)) {
        context.endTurn(index + 1);
        continue;
      }
      const outcome = await processPicture(
        { ...picture, number: index + 1 },
        options,
        context,
        (percent, change) => report.progress(picture, percent, change),
      );
      const isLost = outcome.status === 'failed' && outcome.code === 'OFFLINE';
      isServiceLost ||= isLost;
      if (isLost && reported) continue;
      if (outcome.status === 'failed') failures += 1;
      reported?.add(picture);
      report.ended(picture, outcome);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: inFlight }, work));
  // All have ended, so every task that was submitted is known.
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return { failures, isServiceLost };
}

/** Orders the submits: files are sent side by side, but tasks are submitted in the files' order. */
function turns(count: number): Pick<RunContext, 'turnOf' | 'endTurn'> {
  const ended = Array.from({ length: count + 1 }, () => Promise.withResolvers<undefined>());
  ended[0]?.resolve(undefined);
  const before: Promise<void>[] = [Promise.resolve()];
  for (const [i, { promise }] of ended.entries())
    before.push(Promise.all([before[i], promise]).then(() => undefined));
  return {
    turnOf: (number) => before[number] ?? Promise.resolve(),
    endTurn: (number) => ended[number]?.resolve(undefined),
  };
}

/**
 * Creates a provider of the background picture for submits. A file that the service cannot read is
 * sent once, for all photos. The function throws an error whose message is a sentence.
 */
function createBackgroundFor(
  work: ProcessOptions['work'],
  client: Client,
  signal: AbortSignal,
): RunContext['backgroundFor'] {
  const file = backgroundFileOf(work);
  let sent: Promise<string> | undefined;
  const send = async (path: string) => client.upload(await openNamedBlob(path), signal);
  return async (places) => {
    if (file === undefined) return {};
    try {
      if (await places.canRead(file))
        return { backgroundImage: pathToFileURL(file).href, granted: file };
      return { backgroundImage: await (sent ??= send(file)) };
    } catch (error) {
      if (!isFileProblem(error)) throw error;
      throw new Error(t('{file} cannot be read: {reason}', { file, reason: fileReason(error) }), {
        cause: error,
      });
    }
  };
}

/** Creates a listener that reports each pause of the queue once, on standard error. */
export function createPauseTeller(): (queue: QueueState) => void {
  let wasPaused = false;
  return ({ paused }) => {
    if (paused && !wasPaused)
      console.error(
        t('The queue is paused, so nothing begins: `enlarger resume` or the window lets it go on.'),
      );
    wasPaused = paused;
  };
}
