/** The one walk of a folder: its pictures and those below, for programs, windows and watched folders alike. */
import { opendir } from 'node:fs/promises';
import path from 'node:path';
import { isPictureName } from '../contract/formats.ts';
import { hasCode, isFileProblem } from './file-errors.ts';

interface Walk {
  /** Undefined: with all folders below. */
  isFlat?: boolean;
  /** Files and whole folders, by their paths. */
  isLeftOut?: (at: string) => boolean;
}

/**
 * Every picture that is there now, in the folder's own order. Links are not followed, because they could lead round in
 * circles, and what is hidden stays so. Throws when the folder itself cannot be read; one below it that nobody may
 * read (lost+found, say), or that went away meanwhile, is left out.
 */
export async function* walkPictures(folder: string, walk: Walk = {}): AsyncGenerator<string> {
  for await (const entry of await opendir(folder)) {
    const at = path.join(folder, entry.name);
    if (entry.name.startsWith('.') || walk.isLeftOut?.(at) === true) continue;
    if (entry.isFile() && isPictureName(entry.name)) yield at;
    if (entry.isDirectory() && walk.isFlat !== true) yield* walkBelow(at, walk);
  }
}

async function* walkBelow(folder: string, walk: Walk): AsyncGenerator<string> {
  try {
    yield* walkPictures(folder, walk);
  } catch (error) {
    if (!isGoneOrShut(error)) throw error;
  }
}

/** Whether it went away meanwhile, or may not be read. */
export const isGoneOrShut = (error: unknown): boolean =>
  hasCode(error, ['ENOENT', 'EACCES', 'EPERM']);

/** What of it can be read, at most so many of them, sorted by their paths as people count. */
export async function listPictures(
  folder: string,
  walk: Walk & { most?: number } = {},
): Promise<string[]> {
  const found: string[] = [];
  try {
    for await (const file of walkPictures(folder, walk)) {
      if (found.length === walk.most) break;
      found.push(file);
    }
  } catch (error) {
    if (!isFileProblem(error)) throw error;
  }
  return found.sort(asPeopleCount);
}

export const { compare: asPeopleCount } = new Intl.Collator(undefined, { numeric: true });
