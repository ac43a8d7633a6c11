/**
 * Copies a published result into a person's own folder: under a temporary name, synced, and then given its
 * name in one step that never overwrites. A crash in between leads to one copy, not two: the chosen path is
 * recorded after the temporary file is on disk and before the name is given, so a path that is recorded, and
 * there, while the temporary file is not, is this task's own copy.
 */
import { createHmac } from 'node:crypto';
import { createReadStream, type BigIntStats } from 'node:fs';
import { lstat, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { OwnWords } from '../../contract/faults.ts';
import { EnlargerError } from '../../contract/errors.ts';
import type { ConflictRule } from '../../contract/submit.ts';
import { renamePatiently } from '../../files/clear-away.ts';
import { hasCode, isDiskFull, sentenceOf } from '../../files/file-errors.ts';
import { placeWithoutOverwriting } from '../../files/place-file.ts';
import { isSameFile, LedOutside, type FolderHandle } from '../settings/folder-handle.ts';

export interface SaveRequest {
  /** Names the temporary file: of the task alone, the same for each attempt, and not to be guessed. */
  token: string;
  /** The published file. */
  from: string;
  /** Granted, and open since that was checked. */
  folder: FolderHandle;
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

/** What names a task's temporary file: nobody without the secret can put something there beforehand. */
export const saveTokenOf = (secret: Buffer, taskId: string): string =>
  createHmac('sha256', secret).update(taskId).digest('hex').slice(0, 32);

/**
 * Answers the path that was written, or undefined when the name was taken and the rule is 'skip'. Throws
 * STORAGE_FULL or CANNOT_WRITE, and leaves nothing behind then. Closes the folder.
 */
export async function saveToFolder(request: SaveRequest): Promise<string | undefined> {
  const { folder } = request;
  const temporary = folder.pathOf(`.enlarger-${request.token}.part`);
  try {
    if (request.recorded && (await isOwnCopy(request.recorded, folder, temporary))) {
      await rm(temporary, { force: true });
      return request.recorded;
    }
    const copy = await copyInto(temporary, request);
    const name = await giveName(temporary, request);
    if (name !== undefined) await assertIsCopy(name, copy, folder);
    await rm(temporary, { force: true });
    await folder.sync();
    return name && join(folder.path, name);
  } catch (cause) {
    await takeBack(request, temporary);
    throw asSaveError(cause, folder.path);
  } finally {
    await folder.close();
  }
}

/** A new file and never one that is there: a link of that name is not followed. */
async function copyInto(temporary: string, request: SaveRequest): Promise<BigIntStats> {
  await rm(temporary, { force: true });
  const to = await open(temporary, 'wx');
  try {
    await to.writeFile(createReadStream(request.from, { highWaterMark: 1 << 20 }));
    if (request.times) await to.utimes(request.times.atime, request.times.mtime);
    await to.sync();
    await request.folder.assertSame();
    return await to.stat({ bigint: true });
  } finally {
    await to.close();
  }
}

/** Whoever can write in the folder may have put something else in the place of the temporary file. */
async function assertIsCopy(name: string, copy: BigIntStats, folder: FolderHandle): Promise<void> {
  await folder.assertSame();
  const path = folder.pathOf(name);
  const given = await lstat(path, { bigint: true });
  // Not by its number: some network drives give another one with another name.
  if (given.isFile() && given.size === copy.size) return;
  await rm(path, { force: true });
  throw new LedOutside(`${name} was exchanged while it was being saved.`);
}

/** The record goes first: without its temporary file, a recorded path would count as written. */
async function takeBack(request: SaveRequest, temporary: string): Promise<void> {
  try {
    request.record(undefined);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function isOwnCopy(path: string, folder: FolderHandle, temporary: string): Promise<boolean> {
  if (dirname(path) !== folder.path) return false;
  const [copy, rest] = await Promise.all([
    statOf(folder.pathOf(basename(path))),
    statOf(temporary),
  ]);
  if (!copy?.isFile()) return false;
  return !rest || (copy.ino !== 0n && isSameFile(copy, rest));
}

/** Answers the name that was given. */
async function giveName(temporary: string, request: SaveRequest): Promise<string | undefined> {
  const { folder, rule } = request;
  const record = (name: string) => request.record(join(folder.path, name));
  const first = request.nameFor(1);
  if (rule === 'overwrite') {
    record(first);
    await renamePatiently(temporary, folder.pathOf(first));
    return first;
  }
  if (rule === 'skip' && (await statOf(folder.pathOf(first)))) return undefined;
  for (let n = 1; n <= maxTries; n++) {
    const name = request.nameFor(n);
    if (await statOf(folder.pathOf(name))) continue;
    record(name);
    if (await placeWithoutOverwriting(temporary, folder.pathOf(name))) return name;
  }
  throw new OwnWords(`${maxTries} files of that name are there already`);
}

/** Of the name itself: a link counts as taken wherever it leads. */
async function statOf(path: string) {
  try {
    return await lstat(path, { bigint: true });
  } catch (thrown) {
    if (hasCode(thrown, ['ENOENT'])) return undefined;
    throw thrown;
  }
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
