/** A folder that is made when it is missing, or a sentence why not. */
import path from 'node:path';
import { makeLevels } from '../service/make-levels.ts';
import { sentenceOf } from './file-problem.ts';

/** Throws a sentence. */
export function makeFolder(folder: string): void {
  try {
    makeLevels(path.resolve(folder));
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const why = isTaken ? 'a file of that name is there.' : sentenceOf(error);
    throw new Error(`The folder ${folder} cannot be made: ${why}`, { cause: error });
  }
}
