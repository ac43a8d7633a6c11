/** Remembers in this tab the empty files of the list, which the service keeps no bytes of, so that a reload keeps them. */
import { defaultChoices } from '../../../packages/contract/src/settings/page.ts';
import { Photo, type Versions } from '../photo/photo.svelte.ts';
import { readNoted, writeNoted } from './noted.ts';
import type { PhotoList } from './photo-list.svelte.ts';

const storageName = 'enlarger.empty';

/** Notes the names of empty files; must be called when the page is left. */
export function keepEmpty({ photos }: Pick<PhotoList, 'photos'>): void {
  const empty = photos.filter(({ file, taskId }) => file?.size === 0 && taskId === undefined);
  writeNoted(
    storageName,
    empty.map(({ versions, name }) => [versions.key, name]),
  );
}

/** Brings the noted ones back that are not listed. */
export function restoreEmpty(
  list: Pick<PhotoList, 'photos' | 'membersOf'>,
  versionsOf: (key: string) => Versions,
): void {
  const noted = readNoted(storageName, (value) => typeof value === 'string');
  sessionStorage.removeItem(storageName);
  for (const [key, name] of noted) {
    const versions = versionsOf(key);
    if (list.membersOf(versions).length > 0) continue;
    const file = new File([], name);
    list.photos = [...list.photos, Photo.ready({ name, file }, defaultChoices, versions)];
  }
}
