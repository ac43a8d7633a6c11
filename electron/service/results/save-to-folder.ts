/**
 * Copies a published result into a person's folder: written under a temporary name, synced, renamed without
 * overwriting. The chosen path is recorded after the temporary file is on disk and before the rename, so a
 * crash in between never leads to two copies: a recorded path that exists while the temporary file does not
 * is this task's own copy.
 */
import { createHmac } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UserFacingError } from '../../../packages/contract/src/error-messages.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { ConflictRule } from '../../../packages/contract/src/request.ts';
import { renameWithRetry } from '../../../packages/files/src/clear-away.ts';
import { hasCode, isDiskFull, sentenceOf } from '../../../packages/files/src/file-errors.ts';
import { renameWithoutOverwriting } from '../../../packages/files/src/exclusive-name.ts';
import {
  isSameFile,
  LedOutside,
  type FolderHandle,
} from '../../../packages/files/src/folder-handle.ts';
import { openPlainFile } from '../../../packages/files/src/plain-file.ts';

export interface SaveRequest {
  /** Unguessable, the same for each attempt. Part of the temporary file's name. */
  token: string;
  /** Path of the published file. */
  from: string;
  /** Granted, and kept open since that was checked. */
  folder: FolderHandle;
  /** The n-th candidate name, from 1. */
  nameFor(n: number): string;
  /** What to do if the name is taken. */
  rule: ConflictRule;
  /** Times of the photo, given to the copy. */
  times?: FileTimes | undefined;
  /** Path that an earlier attempt recorded. */
  recorded: string | undefined;
  /** Commits the path that is about to be written; undefined withdraws it. */
  record(path: string | undefined): void;
}

export interface FileTimes {
  atime: Date;
  mtime: Date;
}

const maxTries = 10_000;

/** Without the secret nobody can create a file of the temporary name in advance. */
export const saveTokenOf = (secret: Buffer, taskId: string): string =>
  createHmac('sha256', secret).update(taskId).digest('hex').slice(0, 32);

/**
 * Copies the file and closes the folder.
 * @returns the path written; undefined if the name was taken and the rule is 'skip'
 * @throws EnlargerError STORAGE_FULL or CANNOT_WRITE; then nothing is left behind
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
    const name = await renameByRule(temporary, request);
    if (name !== undefined) await assertIsCopy(name, copy, folder);
    await rm(temporary, { force: true });
    await folder.sync();
    return name && join(folder.path, name);
  } catch (cause) {
    await discardCopy(request, temporary);
    throw asSaveError(cause, folder.path);
  } finally {
    await folder.close();
  }
}

/** Creates a new file only, so that a link of that name is not followed. */
async function copyInto(temporary: string, request: SaveRequest): Promise<BigIntStats> {
  await rm(temporary, { force: true });
  const to = await open(temporary, 'wx');
  try {
    const from = await openPlainFile(request.from);
    await to.writeFile(from.createReadStream({ highWaterMark: 1 << 20 }));
    if (request.times) await to.utimes(request.times.atime, request.times.mtime);
    await to.sync();
    await request.folder.assertSame();
    return await to.stat({ bigint: true });
  } finally {
    await to.close();
  }
}

/**
 * Throws if the file under the name is not the copy: others who can write to the folder may have replaced the
 * temporary file.
 */
async function assertIsCopy(name: string, copy: BigIntStats, folder: FolderHandle): Promise<void> {
  await folder.assertSame();
  const path = folder.pathOf(name);
  const actual = await lstat(path, { bigint: true });
  // Inode numbers are not compared: some network drives change them on rename.
  if (actual.isFile() && actual.size === copy.size) return;
  await rm(path, { force: true });
  throw new LedOutside(`${name} was exchanged while it was being saved.`);
}

/**
 * Deletes the copy, after withdrawing the record: a recorded path without its temporary file counts as
 * written.
 */
async function discardCopy(request: SaveRequest, temporary: string): Promise<void> {
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

/** Renames the temporary file by the rule. Returns undefined if it is skipped. */
async function renameByRule(temporary: string, request: SaveRequest): Promise<string | undefined> {
  const { folder, rule } = request;
  const record = (name: string) => request.record(join(folder.path, name));
  const first = request.nameFor(1);
  if (rule === 'overwrite') {
    record(first);
    await renameWithRetry(temporary, folder.pathOf(first));
    return first;
  }
  if (rule === 'skip' && (await statOf(folder.pathOf(first)))) return undefined;
  for (let n = 1; n <= maxTries; n++) {
    const name = request.nameFor(n);
    if (await statOf(folder.pathOf(name))) continue;
    record(name);
    if (await renameWithoutOverwriting(temporary, folder.pathOf(name))) return name;
  }
  throw new UserFacingError(`${maxTries} files of that name are there already`);
}

/** Stat of the name itself: a link counts as taken, whatever its target. */
export async function statOf(path: string): Promise<BigIntStats | undefined> {
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
    return new EnlargerError(
      'STORAGE_FULL',
      `The disk of the folder ${folder} is full. The result is kept: free some space and retry, and it is only saved.`,
      { cause },
    );
  }
  return new EnlargerError(
    'CANNOT_WRITE',
    `The result could not be saved into ${folder}: ${sentenceOf(cause)} It is kept: retry, and it is only saved.`,
    { cause },
  );
}
