/** Copies a finished result into a person's folder after its task has ended, without changing the picture. */
import { lstat } from 'node:fs/promises';
import { planName, usualTemplate } from '../../contract/naming.ts';
import type { SaveBody } from '../../contract/picture.ts';
import { openGrantedFolder } from '../grants/granted.ts';
import type { FinishedTask, TaskSource } from '../store/tasks/task.ts';
import { namedResult } from './named-result.ts';
import type { Results } from './results.ts';
import { saveToFolder, saveTokenOf, type FileTimes } from './save-to-folder.ts';

interface KeepOptions {
  results: Pick<Results, 'pathOf'>;
  /** The temporary file's name is derived from this secret, so that nobody else can guess it. */
  secret: Buffer;
  grantedFolders: readonly string[];
  /** The time is the wall clock's, in milliseconds. */
  nowMs: number;
}

/**
 * Saves a result. It answers the path that was written, or undefined when the name was taken and onConflict
 * is 'skip'. It throws FORBIDDEN_PATH, STORAGE_FULL or CANNOT_WRITE.
 * @param folder absolute and granted
 */
export async function keepResult(
  task: FinishedTask,
  folder: string,
  { name, onConflict }: Pick<SaveBody, 'name' | 'onConflict'>,
  { results, secret, grantedFolders, nowMs }: KeepOptions,
): Promise<string | undefined> {
  const { options, taskId, operation, report, files } = task;
  const template = name ?? options.name ?? usualTemplate(operation);
  const result = namedResult(task, report, nowMs);
  return saveToFolder({
    token: saveTokenOf(secret, `${taskId} ${template}`),
    from: results.pathOf(taskId, files.image.name),
    folder: await openGrantedFolder(folder, [...grantedFolders, ...(task.source.grants ?? [])]),
    nameFor: (n) => planName(template, result, n),
    rule: onConflict ?? options.onConflict ?? 'number',
    times: await timesOf(task.source),
    recorded: undefined,
    record: () => undefined,
  });
}

/** Answers the photo's own times, which its result keeps; undefined when the source is no file of a person's. */
export async function timesOf(source: TaskSource): Promise<FileTimes | undefined> {
  if (source.kind !== 'file') return undefined;
  const found = await lstat(source.path).catch(() => undefined);
  return found && { atime: found.atime, mtime: found.mtime };
}
