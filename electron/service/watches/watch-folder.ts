/** Finds the pictures of one folder: those that are there, and those that come or change. */
import path from 'node:path';
import { watch, type FSWatcher } from 'chokidar';
import { walkPictures } from '../../files/pictures-below.ts';
import { isPictureName, isSystemFolderName } from '../../contract/formats.ts';
import { isLeftOut, type WatchPlaces } from './watch-rules.ts';

export interface FolderWatch {
  close(): Promise<void>;
}

/**
 * Watches a folder, and resolves once changes are reported. Links are not followed.
 *
 * @param onFile is called when a picture came or changed
 * @param onError is called when changes are reported no more
 * @param signal ends the waiting, because a large folder on a slow disk takes its time
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
    ignored: (file: string, stats?: Kind) =>
      isLeftOut(file, places) ||
      (file !== places.folder && isHidden(path.basename(file), stats)) ||
      (stats?.isFile() === true && !isPictureName(path.basename(file))),
  });
  const tell = (file: string) => {
    if (isPictureName(path.basename(file))) onFile(file);
  };
  watcher.on('add', tell).on('change', tell).on('error', onError);
  await ready(watcher, signal);
  return { close: () => watcher.close() };
}

interface Kind {
  isFile(): boolean;
}

const isHidden = (name: string, stats: Kind | undefined): boolean =>
  name.startsWith('.') || (stats?.isFile() !== true && isSystemFolderName(name));

function ready(watcher: FSWatcher, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    watcher.once('ready', resolve).once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}

/** Yields the absolute path of every picture that is there now. It throws when the folder cannot be read. */
export const picturesIn = (places: WatchPlaces): AsyncGenerator<string> =>
  walkPictures(places.folder, {
    isFlat: !places.recursive,
    isLeftOut: (at) => isLeftOut(at, places),
  });
