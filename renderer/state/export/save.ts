/** Brings results to the disk: one as a download, many into a folder that is chosen once. */
import { nameOfResult } from '../../../electron/contract/naming.ts';
import type { Photo } from '../photo/photo.svelte.ts';

interface PickedFolder {
  readonly name: string;
  getFileHandle(name: string, options: { create: boolean }): Promise<FileSystemFileHandle>;
}
type FolderPicker = (options: { mode: 'readwrite' }) => Promise<PickedFolder>;

export function saveOne(photo: Photo): void {
  const link = document.createElement('a');
  link.href = photo.record?.imageUrl ?? '';
  link.download = resultName(photo);
  link.click();
}

/**
 * Asks for a folder and writes every result there, never over a file. Where the browser has no such dialog,
 * each result becomes a download. It returns the folder's name, which is '' for downloads, or undefined when
 * the dialog was closed.
 */
export async function saveMany(
  photos: readonly Photo[],
  onSaved: (photo: Photo) => void,
): Promise<string | undefined> {
  const picker = (window as { showDirectoryPicker?: FolderPicker }).showDirectoryPicker;
  if (picker === undefined) {
    for (const photo of photos) {
      saveOne(photo);
      onSaved(photo);
    }
    return '';
  }
  const folder = await picker.call(window, { mode: 'readwrite' }).catch(() => undefined);
  if (folder === undefined) return undefined;
  for (const photo of photos) {
    await writeInto(folder, photo);
    onSaved(photo);
  }
  return folder.name;
}

async function writeInto(folder: PickedFolder, photo: Photo): Promise<void> {
  const response = await fetch(photo.record?.imageUrl ?? '');
  if (!response.ok || response.body === null) throw new Error(`${response.status}`);
  const name = await freeName(folder, resultName(photo));
  const file = await folder.getFileHandle(name, { create: true });
  await response.body.pipeTo(await file.createWritable());
}

async function freeName(folder: PickedFolder, name: string): Promise<string> {
  const dot = name.lastIndexOf('.');
  for (let number = 1; ; number++) {
    const tried = number === 1 ? name : `${name.slice(0, dot)} (${number})${name.slice(dot)}`;
    const taken = await folder.getFileHandle(tried, { create: false }).catch(() => undefined);
    if (taken === undefined) return tried;
  }
}

interface DownloadedResult {
  readonly name: string;
  readonly record?: Parameters<typeof nameOfResult>[1] | undefined;
}

/** Names a result as the service itself names its download. */
export const resultName = ({ name, record }: DownloadedResult): string =>
  (record && nameOfResult(name, record)) ?? name;
