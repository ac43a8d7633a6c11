/** Writes into the folder of another program, which that program makes at its first start. */
import { stat } from 'node:fs/promises';
import { isFileProblem, sentenceOf } from '../files/file-errors.ts';

/**
 * Runs `write` and answers its path. It throws a sentence when the folder is missing or cannot be written.
 * @param what a person's word for the file that is written
 */
export async function intoFolder(
  program: string,
  folder: string,
  what: string,
  write: () => Promise<string>,
): Promise<string> {
  if (!(await isFolder(folder)))
    throw new Error(
      `Expected ${program}'s folder at ${folder}, but there is none. Start ${program} once, or name its folder with --config.`,
    );
  try {
    return await write();
  } catch (cause) {
    if (!isFileProblem(cause)) throw cause;
    throw new Error(`The ${what} cannot be put into ${folder}: ${sentenceOf(cause)}`, { cause });
  }
}

const isFolder = async (folder: string) =>
  (await stat(folder).catch(() => undefined))?.isDirectory() === true;
