/** Gives files names without ever overwriting a file. Each function answers false when the name is taken. */
import { constants } from 'node:fs';
import { copyFile, link, open, rm, stat } from 'node:fs/promises';
import { renamePatiently } from './clear-away.ts';
import { hasCode } from './file-errors.ts';

/** Gives the same bytes a second name. On disks without links (FAT, some network drives) it copies them. */
export async function linkOrCopy(from: string, to: string): Promise<boolean> {
  const mode = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;
  return (await linked(from, to)) ?? isFree(copyFile(from, to, mode));
}

/**
 * Gives a temporary file its final name. With links it keeps its old name, too, which the caller removes. On
 * disks without links an empty file reserves the name, and the temporary file is renamed over it.
 */
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

/** Removes the file that reserved the name, unless another program wrote into it meanwhile. */
async function removeEmpty(file: string): Promise<void> {
  try {
    if ((await stat(file)).size === 0) await rm(file);
  } catch {
    // The caller reports why the rename failed. If the empty file cannot be removed, it stays.
  }
}

/** Makes a link. The answer is undefined where the disk has no links. */
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
