/** Names files without ever overwriting one. Each function returns false if the name is taken. */
import { constants } from 'node:fs';
import { copyFile, link, open, rm, stat } from 'node:fs/promises';
import { renameWithRetry } from './clear-away.ts';
import { hasCode } from './file-errors.ts';

/** Adds a hard link; copies on disks without links (FAT, some network drives). */
export async function linkOrCopy(from: string, to: string): Promise<boolean> {
  const mode = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;
  return (await linked(from, to)) ?? isFree(copyFile(from, to, mode));
}

/**
 * Renames a temporary file to its final name. With links the old name stays, and the caller deletes it. On disks
 * without links an empty file reserves the name, over which the temporary file is renamed.
 */
export async function renameWithoutOverwriting(temporary: string, to: string): Promise<boolean> {
  const done = await linked(temporary, to);
  if (done !== undefined) return done;
  if (!(await isFree(open(to, 'wx').then((file) => file.close())))) return false;
  try {
    await renameWithRetry(temporary, to);
  } catch (thrown) {
    await removeEmpty(to);
    throw thrown;
  }
  return true;
}

/** Deletes the reserving file unless another program has written to it. */
async function removeEmpty(file: string): Promise<void> {
  try {
    if ((await stat(file)).size === 0) await rm(file);
  } catch {
    // The caller reports the failed rename; an undeletable empty file stays.
  }
}

/** Undefined on disks without links. */
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
