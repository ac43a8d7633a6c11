/** Names for files, never over one that is there. Each answers false when the name is taken. */
import { constants } from 'node:fs';
import { copyFile, link, open, rm, stat } from 'node:fs/promises';
import { renamePatiently } from './clear-away.ts';
import { hasCode } from './file-errors.ts';

/** A second name for the same bytes; a copy on disks without such (FAT, some network drives). */
export async function linkOrCopy(from: string, to: string): Promise<boolean> {
  const mode = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;
  return (await linked(from, to)) ?? isFree(copyFile(from, to, mode));
}

/** The name of a temporary file, which may stay under its own; on disks without links it is renamed to a reserved one. */
export async function placeWithoutOverwriting(temporary: string, to: string): Promise<boolean> {
  const done = await linked(temporary, to);
  if (done !== undefined) return done;
  if (!(await isFree(open(to, 'wx').then((file) => file.close())))) return false;
  try {
    await renamePatiently(temporary, to);
  } catch (thrown) {
    await removeEmpty(to);
    throw thrown;
  }
  return true;
}

/** What was reserved, unless another program wrote into it meanwhile. Where it cannot go, it stays: an empty file. */
async function removeEmpty(file: string): Promise<void> {
  try {
    if ((await stat(file)).size === 0) await rm(file);
  } catch {
    // The rename that failed before is what is told.
  }
}

/** Undefined where the disk has no links. */
async function linked(from: string, to: string): Promise<boolean | undefined> {
  try {
    return await isFree(link(from, to));
  } catch {
    return undefined;
  }
}

async function isFree(made: Promise<void>): Promise<boolean> {
  try {
    await made;
    return true;
  } catch (thrown) {
    if (hasCode(thrown, ['EEXIST'])) return false;
    throw thrown;
  }
}
