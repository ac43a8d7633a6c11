/** Works on many pictures, a few at a time, with a report, and cancels their tasks on Ctrl-C. */
import { pathToFileURL } from 'node:url';
import type { Client } from '../../../../electron/client/client.ts';
import { followTasks } from '../../../../electron/client/follow.ts';
import { noJournal, type BatchJournal } from './batch-journal.ts';
import { estimatePictures } from './estimate-pictures.ts';
import type { Inputs, Picture } from './inputs.ts';
import type { LocalPlaces } from './local-places.ts';
import type { Report } from './report.ts';
import { processPicture, type RunContext } from './process-picture.ts';
import { backgroundFileOf, type ProcessOptions } from './result-target.ts';
import { isFileProblem } from '../../../../electron/files/file-errors.ts';
import { fileReason } from '../error-message.ts';
import { openNamedBlob } from '../local-files.ts';
import type { QueueState } from '../../../../electron/contract/queue.ts';
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
}

/** Returns how many pictures failed. It rejects with the signal's reason once its tasks are cancelled. */
export async function runBatch(
  inputs: Inputs,
  options: ProcessOptions,
  { client, places, report, signal, journal = noJournal }: BatchParts,
): Promise<number> {
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
    follower: followTasks(client, stop, createPauseTeller()),
    onSubmitted: (taskId) => open.add(taskId),
    onEnded: (taskId) => open.delete(taskId),
    owners: new Map(),
  };
  for (const { shown, message } of inputs.problems) report.missing(shown, message);
  void estimatePictures(inputs.pictures, options, { client, places, report, signal: stop });
  try {
    const { failures, isServiceLost } = await eachPicture(
      inputs.pictures,
      options,
      context,
      report,
    );
    // The service's tasks go on when it is started again, so the next run must find them.
    if (!isServiceLost) await journal.finish();
    else if (journal !== noJournal)
      console.error(t('The service has ended. The same command goes on with what is not done.'));
    return failures + inputs.problems.length;
  } catch (error) {
    await Promise.allSettled(
      [...open].map((taskId) => client.cancel(taskId, AbortSignal.timeout(5000))),
    );
    throw error;
  } finally {
    ending.abort();
    report.close();
  }
}

async function eachPicture(
  pictures: Picture[],
  options: ProcessOptions,
  context: RunContext,
  report: Report,
): Promise<{ failures: number; isServiceLost: boolean }> {
  let failures = 0;
  let isServiceLost = false;
  const waiting = pictures.entries();
  const work = async () => {
    for (const [index, picture] of waiting) {
      context.signal.throwIfAborted();
      const outcome = await processPicture(
        { ...picture, number: index + 1 },
        options,
        context,
        (percent, change) => report.progress(picture, percent, change),
      );
      if (outcome.status === 'failed') {
        failures += 1;
        isServiceLost ||= outcome.code === 'OFFLINE';
      }
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
