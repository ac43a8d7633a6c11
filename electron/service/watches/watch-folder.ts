/** Pictures of a folder: existing ones, and new or changed ones. */
import path from 'node:path';
import { watch, type FSWatcher } from 'chokidar';
import { walkPictures } from '../../files/pictures-below.ts';
import { isPictureName, isSystemFolderName } from '../../contract/formats.ts';
import { isLeftOut, type WatchPlaces } from './watch-rules.ts';

export interface FolderWatch {
  close(): Promise<void>;
}

/**
 * Resolves once changes are reported. Links are not followed.
 * @param onFile called for a new or changed picture
 * @param onError called when changes are no longer reported
 * @param signal ends the wait, which is long for large folders
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

/** Absolute paths of the present pictures. Throws if the folder cannot be read. */
export const picturesIn = (places: WatchPlaces): AsyncGenerator<string> =>
  walkPictures(places.folder, {
    isFlat: !places.recursive,
    isLeftOut: (at) => isLeftOut(at, places),
  });
