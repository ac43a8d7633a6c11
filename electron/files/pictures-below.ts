/** Walks folders for pictures, alike for programs, windows and watched folders. */
import { opendir } from 'node:fs/promises';
import path from 'node:path';
import { isPictureName, isSystemFolderName } from '../contract/formats.ts';
import { hasCode, isFileProblem } from './file-errors.ts';

interface Walk {
  /** With true, the walk does not enter the folders below. */
  isFlat?: boolean;
  /** Says by their paths which files and whole folders the walk leaves out. */
  isLeftOut?: (at: string) => boolean;
  /** Called with each file that is passed over because its name is no picture's. */
  onOther?: (at: string) => void;
}

/**
 * Yields the path of every picture in a folder, in the folder's own order. Links are not followed, because
 * they could lead in circles, and hidden files and folders and those of systems and catalogues are left out. It throws when the folder itself
 * cannot be read. It leaves out a folder below that may not be read (lost+found, say) or was removed
 * meanwhile.
 */
export async function* walkPictures(folder: string, walk: Walk = {}): AsyncGenerator<string> {
  for await (const entry of await opendir(folder)) {
    const at = path.join(folder, entry.name);
    if (entry.name.startsWith('.') || walk.isLeftOut?.(at) === true) continue;
    if (entry.isFile()) {
      if (isPictureName(entry.name)) yield at;
      else walk.onOther?.(at);
    }
    const isEntered = walk.isFlat !== true && !isSystemFolderName(entry.name);
    if (entry.isDirectory() && isEntered) yield* walkBelow(at, walk);
  }
}

async function* walkBelow(folder: string, walk: Walk): AsyncGenerator<string> {
  try {
    yield* walkPictures(folder, walk);
  } catch (error) {
    if (!isGoneOrShut(error)) throw error;
  }
}

/** Tells whether an error means that a file or folder was removed meanwhile, or that it may not be read. */
export const isGoneOrShut = (error: unknown): boolean =>
  hasCode(error, ['ENOENT', 'EACCES', 'EPERM']);

/** Lists the pictures that can be read, at most `most` of them, sorted by their paths as people count. */
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
