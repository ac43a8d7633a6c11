/** Does what a command asks for once its words are understood. Each function here returns the exit code. */
import type { Client } from '../client/client.ts';
import type { TaskRecord } from '../contract/task.ts';
import { runBatch } from './photos/batch.ts';
import { connect, type Work } from './connect.ts';
import { findPictures, type Inputs } from './photos/inputs.ts';
import { noPlaces, openLocalPlaces, placesFor, type Named } from './photos/local-places.ts';
import { makeFolder } from '../local-files.ts';
import type { ServiceOptions } from './option-words.ts';
import { backgroundFileOf, type ProcessOptions } from './photos/result-target.ts';
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
  const named = placesNamed(command, inputs);
  const allowFolders = placesFor(named);
  return withService({ ...command, allowFolders }, running, async (connected) => {
    const { client } = connected;
    const places = command.access === 'upload' ? noPlaces : await openLocalPlaces(connected, named);
    const report = calledAs(shownAs, createReport({ json, total, totalBytes }));
    const { signal } = running;
    await warnOfIdleRestore(options.work, client);
    return runBatch(inputs, options, { client, places, report, signal });
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
 * Collects the places that the service may use itself. The background picture is granted only to a service of
 * the command's own; another one reads it where it may already.
 */
function placesNamed({ access, options }: PhotoCommand, { places }: Inputs): Named {
  if (access === 'upload') return { chosen: [], onlyOwn: [] };
  const background = backgroundFileOf(options.work);
  const read = background === undefined ? [] : [{ path: background, isFolder: false }];
  if (access === 'granted') return { chosen: [], onlyOwn: [...places, ...read] };
  return { chosen: places, onlyOwn: read };
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

export const cancelTasks = (client: Client, taskIds: string[]): Promise<number> =>
  eachOf(taskIds, String, (taskId) => client.cancel(taskId));

export async function withService(
  options: ServiceOptions & { allowFolders?: string[] },
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
