/** Distinguishes photos of one file name. Pure. */
import { folderName, folderOf } from '../options/destination.ts';

interface Named {
  readonly name: string;
  readonly addedAtMs: number;
  readonly source?: { readonly imageUrl: string } | undefined;
}

/**
 * Returns a hint for each photo whose name another one has, too: the folder that it is read from, where each has another
 * one, else its number in the order of addition.
 */
export function namesakeHints<Photo extends Named>(photos: readonly Photo[]): Map<Photo, string> {
  const hints = new Map<Photo, string>();
  for (const namesakes of Map.groupBy(photos, ({ name }) => name).values()) {
    if (namesakes.length === 1) continue;
    const folders = new Set(namesakes.map(sourceFolderOf));
    const areKnown = folders.size === namesakes.length && !folders.has('');
    const added = namesakes.toSorted((one, other) => one.addedAtMs - other.addedAtMs);
    for (const [index, photo] of added.entries())
      hints.set(photo, areKnown ? sourceFolderOf(photo) : `#${index + 1}`);
  }
  return hints;
}

/** The last name of the folder; '' where the page does not know it. */
function sourceFolderOf({ source }: Named): string {
  if (!source?.imageUrl.startsWith('file:')) return '';
  return folderName(folderOf(decodeURIComponent(new URL(source.imageUrl).pathname)));
}
