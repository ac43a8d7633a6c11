/** A folder that is made when it is missing, or a sentence why not. */
import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { sentenceOf } from './file-problem.ts';

/**
 * One level after the other: Node's recursive mkdir spins for ever where the system says ENOENT for a folder that
 * is there, as under /proc. Throws a sentence.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeLevels(path.resolve(folder));
  } catch (error) {
    throw new Error(`The folder ${folder} cannot be made: ${sentenceOf(error)}`, { cause: error });
  }
}

async function makeLevels(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return;
  if (found) throw new Error('a file of that name is there.');
  const parent = path.dirname(folder);
  if (parent !== folder) await makeLevels(parent);
  await mkdir(folder).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
}
