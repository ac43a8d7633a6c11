/**
 * Opens files that a process with a decoder wrote for the service. One that was taken over could leave a link, which
 * leads it nowhere itself, for the service to follow.
 */
import { constants, open, realpath, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { LedOutside, openFileInside, plainFileFlags } from './folder-handle.ts';
import { isInside } from './is-inside.ts';

/**
 * Opens a file, for reading unless `access` says otherwise.
 *
 * @throws LedOutside for anything but a regular file, the system's error for a link
 */
export async function openPlainFile(
  filePath: string,
  access = constants.O_RDONLY,
): Promise<FileHandle> {
  return assertPlain(await open(filePath, plainFileFlags | access), filePath);
}

async function assertPlain(file: FileHandle, filePath: string): Promise<FileHandle> {
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new LedOutside(`${filePath} is no regular file.`);
}

/** Reads a file whole. Throws like openPlainFile, and for one of more bytes. */
export async function readPlainFile(filePath: string, maxBytes: number): Promise<Buffer> {
  return readWhole(await openPlainFile(filePath), filePath, maxBytes);
}

/** Reads a file by a path that the process itself named. Throws like readPlainFile, and for one outside the folder. */
export async function readPlainFileIn(
  folder: string,
  filePath: string,
  maxBytes: number,
): Promise<Buffer> {
  if (!isInside(filePath, folder)) throw new LedOutside(`${filePath} is not in ${folder}.`);
  const way = path.relative(folder, filePath).split(path.sep);
  const file = await openFileInside(await realpath(folder), way);
  return readWhole(await assertPlain(file, filePath), filePath, maxBytes);
}

async function readWhole(file: FileHandle, filePath: string, maxBytes: number): Promise<Buffer> {
  try {
    const { size } = await file.stat();
    if (size > maxBytes)
      throw new Error(`${filePath} has ${size} bytes; expected at most ${maxBytes}.`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
