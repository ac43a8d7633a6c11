/** Exports a finished result to a person's folder after its task ended. The picture is copied unchanged. */
import { lstat } from 'node:fs/promises';
import { planName, defaultTemplate } from '../../../packages/contract/src/naming.ts';
import type { SaveBody } from '../../../packages/contract/src/picture.ts';
import { openGrantedFolder } from '../../../packages/files/src/granted.ts';
import type { FinishedTask, TaskSource } from '../store/tasks/task.ts';
import { namedResult } from './named-result.ts';
import type { Results } from './results.ts';
import { saveToFolder, type FileTimes, type SaveRequest } from './save-to-folder.ts';

interface ExportOptions extends Partial<Pick<SaveRequest, 'recorded' | 'record'>> {
  results: Pick<Results, 'pathOf'>;
  /** Unguessable letters and digits for a text: part of the temporary file's name. */
  saveToken: (text: string) => string;
  grantedFolders: readonly string[];
  /** Wall clock, milliseconds. */
  nowMs: number;
}

/**
 * @param folder absolute and granted
 * @returns the path written; undefined if the name was taken and onConflict is 'skip'
 * @throws EnlargerError FORBIDDEN_PATH, STORAGE_FULL or CANNOT_WRITE
 */
export async function exportResult(
  task: FinishedTask,
  folder: string,
  { name, onConflict }: Pick<SaveBody, 'name' | 'onConflict'>,
  { results, saveToken, grantedFolders, nowMs, recorded, record }: ExportOptions,
): Promise<string | undefined> {
  const { options, taskId, operation, report, files } = task;
  const template = name ?? options.name ?? defaultTemplate(operation);
  const result = namedResult(task, report, nowMs);
  return saveToFolder({
    token: saveToken(`${taskId} ${template}`),
    from: results.pathOf(taskId, files.image.name),
    folder: await openGrantedFolder(folder, grantedFolders),
    nameFor: (n) => planName(template, result, n),
    rule: onConflict ?? options.onConflict ?? 'number',
    times: await timesOf(task.source),
    recorded,
    record: record ?? (() => undefined),
  });
}

/** Times of the photo's file, which its export keeps; undefined unless the source is a person's file. */
export async function timesOf(source: TaskSource): Promise<FileTimes | undefined> {
  if (source.kind !== 'file') return undefined;
  const found = await lstat(source.path).catch(() => undefined);
  return found && { atime: found.atime, mtime: found.mtime };
}
