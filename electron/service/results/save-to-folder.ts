/**
 * Copies a published result into a person's own folder: under a temporary name, synced, and then given its
 * name in one step that never overwrites. A crash in between leads to one copy, not two: the chosen path is
 * recorded after the temporary file is on disk and before the name is given, so a path that is recorded, and
 * there, while the temporary file is not, is this task's own copy.
 */
import { copyFile, link, open, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EnlargerError } from '../../contract/errors.ts';
import type { ConflictRule } from '../../contract/submit.ts';
import { isDiskFull, sentenceOf } from './disk-error.ts';
import { syncFile, syncFolder } from './sync.ts';

export interface SaveRequest {
  taskId: string;
  /** The published file. */
  from: string;
  /** Absolute, granted, its real path. */
  folder: string;
  /** The name to try as the n-th, from 1. */
  nameFor(n: number): string;
  /** What to do when the name is taken. */
  rule: ConflictRule;
  /** What the file is to say of its age. */
  times?: FileTimes | undefined;
  /** What `record` was last given for this task, also by a former attempt. */
  recorded: string | undefined;
  /** Commits the path that is about to be written; undefined: none. */
  record(path: string | undefined): void;
}

export interface FileTimes {
  atime: Date;
  mtime: Date;
}

const maxTries = 10_000;

/**
 * Answers the path that was written, or undefined when the name was taken and the rule is 'skip'. Throws
 * STORAGE_FULL or CANNOT_WRITE, and leaves nothing behind then.
 */
export async function saveToFolder(request: SaveRequest): Promise<string | undefined> {
  const temporary = join(request.folder, `.enlarger-${request.taskId}.part`);
  try {
    if (request.recorded && (await isOwnCopy(request.recorded, request.folder, temporary))) {
      await rm(temporary, { force: true });
      return request.recorded;
    }
    await copyFile(request.from, temporary);
    if (request.times) await utimes(temporary, request.times.atime, request.times.mtime);
    await syncFile(temporary);
    const path = await giveName(temporary, request);
    await rm(temporary, { force: true });
    await syncFolder(request.folder);
    return path;
  } catch (cause) {
    await takeBack(request, temporary);
    throw asSaveError(cause, request.folder);
  }
}

/** The record goes first: without its temporary file, a recorded path would count as written. */
async function takeBack(request: SaveRequest, temporary: string): Promise<void> {
  try {
    request.record(undefined);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function isOwnCopy(path: string, folder: string, temporary: string): Promise<boolean> {
  if (dirname(path) !== folder) return false;
  const [copy, rest] = await Promise.all([statOf(path), statOf(temporary)]);
  if (!copy) return false;
  return !rest || (copy.ino !== 0n && copy.ino === rest.ino && copy.dev === rest.dev);
}

async function giveName(temporary: string, request: SaveRequest): Promise<string | undefined> {
  const first = join(request.folder, request.nameFor(1));
  if (request.rule === 'overwrite') {
    request.record(first);
    await rename(temporary, first);
    return first;
  }
  if (request.rule === 'skip' && (await statOf(first))) return undefined;
  for (let n = 1; n <= maxTries; n++) {
    const path = join(request.folder, request.nameFor(n));
    if (await statOf(path)) continue;
    request.record(path);
    if (await placeWithoutOverwriting(temporary, path)) return path;
  }
  throw new Error(`${maxTries} files of that name are there already`);
}

/** False when the name is taken. Folders without hard links (FAT, some network drives) get a reserved name. */
async function placeWithoutOverwriting(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return false;
  }
  try {
    await (await open(path, 'wx')).close();
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return false;
    throw thrown;
  }
  await rename(temporary, path);
  return true;
}

async function statOf(path: string) {
  try {
    return await stat(path, { bigint: true });
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : undefined;
}

function asSaveError(cause: unknown, folder: string): EnlargerError {
  if (cause instanceof EnlargerError) return cause;
  if (isDiskFull(cause)) {
    return new EnlargerError('STORAGE_FULL', `The disk of the folder ${folder} is full.`, {
      cause,
    });
  }
  return new EnlargerError(
    'CANNOT_WRITE',
    `The result could not be saved into ${folder}: ${sentenceOf(cause)}`,
    { cause },
  );
}
