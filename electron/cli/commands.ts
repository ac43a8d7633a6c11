/** Does what a command asks for once its words are understood. Each function here returns the exit code. */
import path from 'node:path';
import type { Client } from '../client/client.ts';
import { followTasks } from '../client/follow.ts';
import type { TaskRecord } from '../contract/task.ts';
import { runBatch } from './photos/batch.ts';
import { connect, type Connected, type Work } from './connect.ts';
import { findPictures } from './photos/inputs.ts';
import { noPlaces, openLocalPlaces } from './photos/local-places.ts';
import { noJournal, openBatchJournal, type BatchJournal } from './photos/batch-journal.ts';
import { readDataDir } from '../files/data-dir.ts';
import { makeFolder } from '../local-files.ts';
import type { ServiceOptions } from './option-words.ts';
import type { ProcessOptions } from './photos/result-target.ts';
import { editInPlace } from './photos/edit-in.ts';
import type { EditCommand, PhotoCommand } from './photos/photo-commands.ts';
import { createReport, eachOf, type Report } from './photos/report.ts';

export interface Running {
  programUrl: string;
  signal: AbortSignal;
}

/**
 * Enlarges or cuts out, as the command's options say.
 *
 * @param shownAs is the path that the report gives for a result which does not stay where it is made
 */
export async function workOnPhotos(
  command: PhotoCommand,
  running: Running,
  shownAs?: string,
): Promise<number> {
  const { names, options, json, includeResults } = command;
  const { outDir, nameTemplate } = options;
  const inputs = await findPictures({ names, outDir, nameTemplate, includeResults });
  const { pictures } = inputs;
  if (pictures.length > 0 && inputs.leftOut > 0) console.error(leftOutOf(inputs.leftOut));
  if (inputs.otherFiles && inputs.otherFiles.size > 0) console.error(othersOf(inputs.otherFiles));
  // A folder that cannot be made must be refused before anything runs.
  if (outDir !== undefined && pictures.length > 0) makeFolder(outDir);
  const total = pictures.length + inputs.problems.length;
  const totalBytes = pictures.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return withService(command, running, async (connected) => {
    const { client } = connected;
    const places =
      command.access === 'upload' ? noPlaces : await openLocalPlaces(connected, inputs.places);
    const { signal } = running;
    const journal = shownAs === undefined ? await openJournal(command, connected) : noJournal;
    if (connected.isOwn) await tellOfOthers(client, journal);
    await warnOfIdleRestore(options.work, client);
    const report = calledAs(shownAs, createReport({ json, total, totalBytes }));
    return runBatch(inputs, options, { client, places, report, signal, journal });
  }).then((failures) => (failures === 0 ? 0 : 1));
}

const calledAs = (output: string | undefined, report: Report): Report => ({
  ...report,
  ended: (picture, outcome) =>
    report.ended(
      picture,
      output !== undefined && outcome.status === 'finished' ? { ...outcome, output } : outcome,
    ),
});

/** Warns, before anything runs, of a `--restore` for a model that cannot be told how much to take off. */
async function warnOfIdleRestore(
  { operation, body }: ProcessOptions['work'],
  client: Client,
): Promise<void> {
  const { restore, model } = operation === 'upscale' ? body : (body.enlarge ?? {});
  if (typeof restore !== 'number') return;
  const { models } = await client.models();
  const asked = models.find(({ id, task, isDefault }) =>
    model === undefined ? isDefault && task === 'upscale' : id === model,
  );
  if (asked?.task !== 'upscale' || asked.takesRestore) return;
  console.error(
    `${asked.id} cannot be told how much to take off: --restore ${restore} changes nothing.`,
  );
}

/**
 * Opens the journal of the batch, and says on standard error when the command goes on with an interrupted one.
 * With --again that one's waiting tasks are cancelled, and all is made anew.
 */
async function openJournal(
  command: PhotoCommand,
  { client, isOwn }: Connected,
): Promise<BatchJournal> {
  const { options, names, access, includeResults, url } = command;
  const open = () =>
    openBatchJournal({
      folder: path.join(readDataDir(command.dataDir), 'batches'),
      command: [options, names.map((name) => path.resolve(name)), access, includeResults, url],
      isAlone: isOwn,
    });
  const journal = await open();
  const { resumedFrom, formerTasks } = journal;
  if (resumedFrom === undefined) return journal;
  if (!command.again) {
    console.error(resumedLine(resumedFrom, formerTasks.length));
    return journal;
  }
  // A task that has ended cannot be cancelled, and need not.
  await Promise.allSettled(formerTasks.map((taskId) => client.cancel(taskId)));
  await journal.finish();
  return open();
}

const resumedLine = (since: Date, count: number) =>
  `This command was interrupted before (begun ${since.toLocaleString()}) and goes on: ${pictures(count)} had been given to the queue. --again makes all anew.`;

const pictures = (count: number) => (count === 1 ? '1 picture' : `${count} pictures`);

/** Says on standard error that tasks run, too, which another command or the window left waiting. */
async function tellOfOthers(client: Client, { formerTasks }: BatchJournal): Promise<void> {
  const { counts } = await client.list(1);
  const waiting = counts.PENDING + counts.PROCESSING;
  if (waiting === 0) return;
  const records = await Promise.all(
    formerTasks.map((taskId) => client.record(taskId).catch(() => undefined)),
  );
  const own = records.filter((record) => /PENDING|PROCESSING/.test(record?.status ?? ''));
  const others = waiting - own.length;
  if (others > 0)
    console.error(
      `${pictures(others)} that waited before ${others === 1 ? 'goes' : 'go'} on now, too; \`enlarger tasks\` lists ${others === 1 ? 'it' : 'them'}.`,
    );
}

/** Enlarges one file in its place. The file is as it was unless the answer is 0. */
export function editIn(command: EditCommand, running: Running): Promise<number> {
  const { options } = command;
  return editInPlace(command.file, command, (outDir, file) =>
    workOnPhotos({ ...command, names: [file], options: { ...options, outDir } }, running, file),
  );
}

/** Endings that are named; the rest is counted. */
const maxEndings = 5;

/** Counts the files of folders that no program takes for pictures, by their endings, the most frequent first. */
function othersOf(otherFiles: ReadonlyMap<string, number>): string {
  const sorted = [...otherFiles].sort(([, a], [, b]) => b - a);
  const count = sorted.reduce((sum, [, n]) => sum + n, 0);
  const named = sorted
    .slice(0, maxEndings)
    .map(([ending, n]) => `${n} ${ending === '' ? 'without an ending' : ending}`);
  const more = sorted.length > maxEndings ? ', and others' : '';
  return `${count === 1 ? '1 file that is no picture was' : `${count} files that are no pictures were`} left out: ${named.join(', ')}${more}.`;
}

const leftOutOf = (count: number) =>
  `${count === 1 ? '1 picture that Enlarger made was' : `${count} pictures that Enlarger made were`} left out; --include-results takes ${count === 1 ? 'it' : 'them'} too.`;

export async function listTasks(
  client: Client,
  { limit, json }: { limit: number; json: boolean },
): Promise<number> {
  const { tasks } = await client.list(limit);
  if (tasks.length === 0 && !json) console.error('There are no tasks.');
  for (const task of tasks) console.log(json ? JSON.stringify(task) : taskLine(task));
  return 0;
}

function taskLine(task: TaskRecord): string {
  const state = task.status === 'PROCESSING' ? `${task.progress} %` : task.status.toLowerCase();
  const reason = task.error === undefined ? '' : `  ${task.error.message}`;
  return `${task.taskId}  ${state.padEnd(8)}  ${task.source.name}${reason}`;
}

/** Pauses or resumes the queue. Running tasks go on to their end. */
export async function switchQueue(client: Client, to: 'pause' | 'resume'): Promise<number> {
  const { paused } = await client.switchQueue(to);
  console.log(paused ? 'The queue is paused.' : 'The queue runs.');
  return 0;
}

/** Makes a new attempt of failed tasks, and waits for their ends. A result that only could not be saved is saved. */
export async function retryTasks(
  client: Client,
  taskIds: string[],
  signal: AbortSignal,
): Promise<number> {
  const ending = new AbortController();
  const follower = followTasks(client, AbortSignal.any([signal, ending.signal]));
  try {
    return await eachOf(taskIds, String, async (taskId) => {
      await client.retry(taskId);
      const { error, savedTo } = await follower.end(taskId, () => undefined);
      if (error !== undefined) throw new Error(error.message);
      console.log(`${taskId} -> ${savedTo ?? 'finished'}`);
    });
  } finally {
    ending.abort();
  }
}

export const cancelTasks = (client: Client, taskIds: string[]): Promise<number> =>
  eachOf(taskIds, String, (taskId) => client.cancel(taskId));

export async function withService(
  options: ServiceOptions,
  running: Running,
  work: Work,
): Promise<number> {
  const connected = await connect({ ...options, ...running });
  try {
    return await work(connected, running.signal);
  } finally {
    await connected.close();
  }
}
