/** Remembers in this tab which photo the stage shows, so that a reload shows it again. */
import type { PhotoList } from './photo-list.svelte.ts';

const storageName = 'enlarger.photo';

/** Notes the photo that the stage shows. Without one the last one stays noted. */
export function rememberPhoto({ selected }: PhotoList): void {
  if (selected !== undefined) sessionStorage.setItem(storageName, selected.versions.key);
}

/**
 * Shows the noted photo, unless another one is shown. It is selected, so that the settings are its own; with one that
 * is not begun all such photos are, as when they were added, so that Start still begins all.
 */
export function showLastPhoto(list: PhotoList): void {
  if (list.chosen.focusId !== undefined) return;
  const key = sessionStorage.getItem(storageName);
  const photo = list.photos.find(({ versions }) => versions.key === key);
  if (photo === undefined) return;
  if (photo.phase === 'ready') list.chosen.all(list.ready, photo.id);
  else list.chosen.only(photo);
}
