/** Pictures of a folder: existing ones, and new or changed ones. */
import path from 'node:path';
import { watch, type FSWatcher } from 'chokidar';
import { walkPictures } from '../../../packages/files/src/pictures-below.ts';
import { isPictureName, isSystemFolderName } from '../../../packages/contract/src/formats.ts';
import { isExcluded, type WatchFolders } from './watch-rules.ts';

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
  folders: WatchFolders,
  onFile: (file: string) => void,
  onError: (error: unknown) => void,
  signal: AbortSignal,
): Promise<FolderWatch> {
  const watcher = watch(folders.folder, {
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: true,
    ...(!folders.recursive && { depth: 0 }),
    ignored: (file: string, stats?: EntryStats) =>
      isExcluded(file, folders) ||
      (file !== folders.folder && isHidden(path.basename(file), stats)) ||
      (stats?.isFile() === true && !isPictureName(path.basename(file))),
  });
  const report = (file: string) => {
    if (isPictureName(path.basename(file))) onFile(file);
  };
  watcher.on('add', report).on('change', report).on('error', onError);
  await ready(watcher, signal);
  return { close: () => watcher.close() };
}

interface EntryStats {
  isFile(): boolean;
}

const isHidden = (name: string, stats: EntryStats | undefined): boolean =>
  name.startsWith('.') || (stats?.isFile() !== true && isSystemFolderName(name));

function ready(watcher: FSWatcher, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    watcher.once('ready', resolve).once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
}

/** Absolute paths of the present pictures. Throws if the folder cannot be read. */
export const picturesIn = (folders: WatchFolders): AsyncGenerator<string> =>
  walkPictures(folders.folder, {
    isFlat: !folders.recursive,
    isExcluded: (at) => isExcluded(at, folders),
  });
