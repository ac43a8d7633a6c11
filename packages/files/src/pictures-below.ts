/** Searches folders for pictures, alike for commands, the window and watched folders. */
import { access, opendir } from 'node:fs/promises';
import path from 'node:path';
import { isPictureName, isSystemFolderName } from '../../contract/src/formats.ts';
import { hasCode, isFileProblem } from './file-errors.ts';

export interface Walk {
  /** Do not enter subfolders. */
  isFlat?: boolean;
  /** Excludes files and whole folders, by path. */
  isExcluded?: (at: string) => boolean;
  /** Called for files whose names are no pictures'. */
  onOther?: (at: string) => void;
  /** Called for pictures that Node cannot open, because their names are not UTF-8. */
  onUnreadableName?: (at: string) => void;
}

/**
 * Paths of all pictures, in directory order. Links (possibly circular), hidden entries, and folders of
 * systems and catalogues are skipped, and so are subfolders that are unreadable or were removed meanwhile.
 * Throws if the folder itself cannot be read.
 */
export async function* walkPictures(folder: string, walk: Walk = {}): AsyncGenerator<string> {
  for await (const entry of await opendir(folder)) {
    const at = path.join(folder, entry.name);
    if (entry.name.startsWith('.') || walk.isExcluded?.(at) === true) continue;
    if (entry.isFile()) {
      if (!isPictureName(entry.name)) walk.onOther?.(at);
      else if (isReplaced(entry.name) && !(await isThere(at))) walk.onUnreadableName?.(at);
      else yield at;
    }
    const isEntered = walk.isFlat !== true && !isSystemFolderName(entry.name);
    if (entry.isDirectory() && isEntered) yield* walkBelow(at, walk);
  }
}

/** Node reads bytes that are no UTF-8 as this character, and then finds no such file. */
const isReplaced = (name: string) => name.includes('\ufffd');
const isThere = (at: string): Promise<boolean> =>
  access(at).then(
    () => true,
    () => false,
  );

async function* walkBelow(folder: string, walk: Walk): AsyncGenerator<string> {
  try {
    yield* walkPictures(folder, walk);
  } catch (error) {
    if (!isGoneOrShut(error)) throw error;
  }
}

/** True if a file or folder was removed meanwhile or is unreadable. */
export const isGoneOrShut = (error: unknown): boolean =>
  hasCode(error, ['ENOENT', 'EACCES', 'EPERM']);

/** Readable pictures, at most `most`, sorted by path in natural order. */
export async function listPictures(
  folder: string,
  walk: Walk & { max?: number } = {},
): Promise<string[]> {
  const found: string[] = [];
  try {
    for await (const file of walkPictures(folder, walk)) {
      if (found.length === walk.max) break;
      found.push(file);
    }
  } catch (error) {
    if (!isFileProblem(error)) throw error;
  }
  return found.sort(asPeopleCount);
}

let collator: Intl.Collator | undefined;

/** Compares in natural order. Its tables take 15 ms to load, which most commands do not need. */
export function asPeopleCount(one: string, other: string): number {
  collator ??= new Intl.Collator(undefined, { numeric: true });
  return collator.compare(one, other);
}
