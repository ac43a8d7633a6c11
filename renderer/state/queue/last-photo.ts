/** Remembers in this tab which photo the stage shows and which are selected, so that a reload keeps both. */
import { readNoted, writeNoted } from './noted.ts';
import type { PhotoList } from './photo-list.svelte.ts';

const storageName = 'enlarger.photo';
const selectionName = 'enlarger.selection';

/** Notes them; must be called when the page is left. Without a photo on the stage the last one stays noted. */
export function rememberPhoto({
  selected,
  selection,
  chosen,
}: Pick<PhotoList, 'selected' | 'selection' | 'chosen'>): void {
  if (selected === undefined) return;
  sessionStorage.setItem(storageName, selected.versions.key);
  writeNoted(
    selectionName,
    selection.map(({ versions }) => [versions.key, chosen.isBatch]),
  );
}

/**
 * Shows the noted photo, unless another one is shown. It is selected, so that the settings are its own, with those that
 * were selected with it: after photos were added, Start still begins all of them.
 */
export function showLastPhoto({ photos, chosen }: Pick<PhotoList, 'photos' | 'chosen'>): void {
  if (chosen.focusId !== undefined) return;
  const key = sessionStorage.getItem(storageName);
  const photo = photos.find(({ versions }) => versions.key === key);
  if (photo === undefined) return;
  const noted = readNoted(selectionName, (value) => typeof value === 'boolean');
  if (noted.size < 2) {
    chosen.only(photo);
    return;
  }
  const several = photos.filter(({ versions }) => noted.has(versions.key));
  chosen.all(several, photo.id);
  if ([...noted.values()].includes(true)) chosen.noteBatch(several);
}
