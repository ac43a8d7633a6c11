/** Files and folders of this machine: made, read, and sent; and what the file system says, in words for people. */
import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { NamedBlob } from './client/task-calls.ts';
import { faultOf } from './contract/faults.ts';
import { makeLevels } from './service/make-levels.ts';

const sentences: Record<string, string> = {
  EACCES: 'you have no right to write there.',
  EPERM: 'the system does not allow it.',
  EROFS: 'the disk can only be read.',
  ENOSPC: 'the disk is full. Free some space, or choose another folder with --out.',
  EDQUOT:
    'your share of the disk is used up. Free some space, or choose another folder with --out.',
  ENOENT: 'there is no such folder or file, or none can be made there.',
  ENOTDIR: 'a part of the path is a file and no folder.',
  EISDIR: 'it is a folder and no file.',
  ENAMETOOLONG: 'the name is too long for this disk.',
  EMFILE: 'too many files are open. Close other programs and try again.',
  EIO: 'the disk does not answer. Look whether it is still connected.',
  ELOOP: 'its links lead round in circles.',
};

/** A sentence without its beginning: what happened stands before it. */
export function sentenceOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof SyntaxError) return 'it is no JSON.';
  const own = error instanceof Error && code === '' ? error.message : `${faultOf(error)}.`;
  return sentences[code] ?? own;
}

/** Whether it is the file system that speaks. */
export const isFileProblem = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code) in sentences;

/** Makes it where it is missing. Throws a sentence. */
export function makeFolder(folder: string): void {
  try {
    makeLevels(path.resolve(folder));
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const why = isTaken ? 'a file of that name is there.' : sentenceOf(error);
    throw new Error(`The folder ${folder} cannot be made: ${why}`, { cause: error });
  }
}

/** To be sent: streamed, never in memory as a whole. */
export const openNamedBlob = async (file: string): Promise<NamedBlob> => ({
  blob: await openAsBlob(file),
  name: path.basename(file),
});

/** A text of UTF-8. Throws a sentence. */
export const readText = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(`${file} cannot be read: ${sentenceOf(error)}`, { cause: error });
  });
