/** Remembers in this tab which photo the stage shows, so that a reload shows it again. */
import type { PhotoList } from './photo-list.svelte.ts';

const storageName = 'enlarger.photo';
const aloneName = 'enlarger.photo.alone';

/** Notes the photo that the stage shows, and whether it is chosen alone. Without one the last one stays noted. */
export function rememberPhoto({ selected, chosen }: Pick<PhotoList, 'selected' | 'chosen'>): void {
  if (selected === undefined) return;
  sessionStorage.setItem(storageName, selected.versions.key);
  sessionStorage.setItem(aloneName, String(chosen.ids.size === 1));
}

/**
 * Shows the noted photo, unless another one is shown. It is selected, so that the settings are its own; with one that
 * is not begun, and was not selected alone, all such photos are, as when they were added, so that Start still begins
 * all.
 */
export function showLastPhoto(list: Pick<PhotoList, 'photos' | 'ready' | 'chosen'>): void {
  const { chosen, ready } = list;
  if (chosen.focusId !== undefined) return;
  const key = sessionStorage.getItem(storageName);
  const photo = list.photos.find(({ versions }) => versions.key === key);
  if (photo === undefined) return;
  if (photo.phase !== 'ready' || sessionStorage.getItem(aloneName) === 'true') {
    chosen.only(photo);
    return;
  }
  chosen.all(ready, photo.id);
  chosen.noteBatch(ready);
}
