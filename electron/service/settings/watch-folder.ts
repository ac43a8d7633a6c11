/** The files of one folder: those that are there, and those that come or change. */
import path from 'node:path';
import { watch, type FSWatcher } from 'chokidar';
import { walkPictures } from '../../files/pictures-below.ts';
import { isPictureName } from '../../contract/formats.ts';
import { isLeftOut, type WatchPlaces } from './watch-rules.ts';

export interface FolderWatch {
  close(): Promise<void>;
}

/**
 * Returns when changes are told. Links are not followed.
 *
 * @param onFile a picture came or changed @param onError changes are no longer told
 * @param signal ends the waiting: a large folder on a slow disk takes its time
 */
export async function watchFolder(
  places: WatchPlaces,
  onFile: (file: string) => void,
  onError: (error: unknown) => void,
  signal: AbortSignal,
): Promise<FolderWatch> {
  const watcher = watch(places.folder, {
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    ...(!places.recursive && { depth: 0 }),
    ignored: (file: string, stats?: { isFile(): boolean }) =>
      isLeftOut(file, places) ||
      (file !== places.folder && path.basename(file).startsWith('.')) ||
      (stats?.isFile() === true && !isPictureName(path.basename(file))),
  });
  const tell = (file: string) => {
    if (isPictureName(path.basename(file))) onFile(file);
  };
  watcher.on('add', tell).on('change', tell).on('error', onError);
  await ready(watcher, signal);
  return { close: () => watcher.close() };
}

function ready(watcher: FSWatcher, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    watcher.once('ready', resolve).once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}

/** Every picture that is there now, absolute. Throws when the folder cannot be read. */
export const picturesIn = (places: WatchPlaces): AsyncGenerator<string> =>
  walkPictures(places.folder, {
    isFlat: !places.recursive,
    isLeftOut: (at) => isLeftOut(at, places),
  });
