/** Writes to another program's folder, which that program creates at its first start. */
import { stat } from 'node:fs/promises';
import { isFileProblem, sentenceOf } from '../../../files/src/file-errors.ts';

/**
 * Runs `write` and returns its path.
 * @param what word for the file, for errors
 * @throws Error a sentence if the folder is missing or not writable
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
