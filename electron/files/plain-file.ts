/**
 * Opens files that a process with a decoder wrote for the service. One that was taken over could leave a link, which
 * leads it nowhere itself, for the service to follow.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { LedOutside, plainFileFlags } from './folder-handle.ts';

/** @throws LedOutside for anything but a regular file, the system's error for a link */
export async function openPlainFile(path: string): Promise<FileHandle> {
  const file = await open(path, plainFileFlags);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new LedOutside(`${path} is no regular file.`);
}

/** Reads a file whole. Throws like openPlainFile, and for one of more bytes. */
export async function readPlainFile(path: string, maxBytes: number): Promise<Buffer> {
  const file = await openPlainFile(path);
  try {
    const { size } = await file.stat();
    if (size > maxBytes)
      throw new Error(`${path} has ${size} bytes; expected at most ${maxBytes}.`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
