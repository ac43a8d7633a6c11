/** Brings results to the disk: one as a download, many into a folder that is chosen once, or as one archive. */
import { defaultTemplate, nameOfResult } from '../../../packages/contract/src/naming.ts';
import type { Photo } from '../photo/photo.svelte.ts';

interface PickedFolder {
  readonly name: string;
  getFileHandle(name: string, options: { create: boolean }): Promise<FileSystemFileHandle>;
}
type FolderPicker = (options: { mode: 'readwrite' }) => Promise<PickedFolder>;

/** Downloads a result. The service names its own download, so that another name needs a copy of the bytes. */
export async function saveOne(photo: Photo): Promise<void> {
  const { record, lateName } = photo;
  const imageUrl = record?.imageUrl ?? '';
  const name = resultName(photo);
  if (lateName === undefined) {
    download(imageUrl, name);
    return;
  }
  const response = await fetch(imageUrl);
  if (!response.ok) throw new Error(`${response.status}`);
  const copy = URL.createObjectURL(await response.blob());
  download(copy, name);
  setTimeout(() => URL.revokeObjectURL(copy), copyMs);
}

/** The browser has begun to read the copy of a result by then. */
const copyMs = 60_000;

function download(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
}

/** Returns the folder that a person picked, 'closed' for none, and undefined where the browser shows no dialog. */
export async function pickFolder(
  page: { showDirectoryPicker?: FolderPicker } = window as object,
): Promise<PickedFolder | 'closed' | undefined> {
  try {
    return await page.showDirectoryPicker?.({ mode: 'readwrite' });
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? 'closed' : undefined;
  }
}

/**
 * Asks for a folder and writes every result there, never over a file. Where the browser shows no such dialog,
 * the results become one download, a ZIP archive. It returns the folder's name, which is '' for an archive, or
 * undefined when the dialog was closed.
 */
export async function saveMany(
  photos: readonly Photo[],
  onSaved: (photo: Photo) => void,
): Promise<string | undefined> {
  const folder = await pickFolder();
  if (folder === 'closed') return undefined;
  if (folder === undefined) {
    await saveArchive(photos);
    photos.forEach(onSaved);
    return '';
  }
  for (const photo of photos) {
    await writeInto(folder, photo);
    onSaved(photo);
  }
  return folder.name;
}

const archiveName = 'Enlarger.zip';

/** Downloads a ZIP archive that holds the results as they are, because pictures are compressed already. */
export async function saveArchive(photos: readonly Photo[]): Promise<void> {
  const { makeZip } = await import('client-zip');
  const names = archiveNames(photos);
  async function* results() {
    for (const [at, { record }] of photos.entries()) {
      const input = await fetch(record?.imageUrl ?? '');
      if (!input.ok) throw new Error(`${input.status}`);
      yield { name: names[at], input, lastModified: new Date(record?.finishedAt ?? Date.now()) };
    }
  }
  // The browser holds the archive, on the disk where it is large, until the download has begun.
  const archive = URL.createObjectURL(await new Response(makeZip(results())).blob());
  download(archive, archiveName);
  setTimeout(() => URL.revokeObjectURL(archive), copyMs);
}

/** Names results for one folder. Systems that ignore case find each name once, too. */
export function archiveNames(photos: readonly NamedPhoto[]): string[] {
  const taken = new Set<string>();
  return photos.map((photo) => {
    for (let n = 1; ; n += 1) {
      const name = resultName(photo, n);
      if (taken.has(name.toLowerCase())) continue;
      taken.add(name.toLowerCase());
      return name;
    }
  });
}

async function writeInto(folder: PickedFolder, photo: Photo): Promise<void> {
  const response = await fetch(photo.record?.imageUrl ?? '');
  if (!response.ok || response.body === null) throw new Error(`${response.status}`);
  const name = await freeName(folder, photo);
  const file = await folder.getFileHandle(name, { create: true });
  await response.body.pipeTo(await file.createWritable());
}

async function freeName(folder: PickedFolder, photo: Photo): Promise<string> {
  for (let n = 1; ; n++) {
    const tried = resultName(photo, n);
    const taken = await folder.getFileHandle(tried, { create: false }).catch(() => undefined);
    if (taken === undefined) return tried;
  }
}

interface NamedPhoto {
  readonly name: string;
  readonly record?: Parameters<typeof nameOfResult>[1] | undefined;
  readonly lateName?: string | undefined;
}

/** Returns the name template that was set after the task began; undefined where the task's own is meant. */
export function lateTemplate({ record, lateName }: NamedPhoto): string | undefined {
  if (lateName !== '' || record === undefined) return lateName;
  return defaultTemplate(record.operation);
}

/** Names a result as the service itself names it, or by what was set since. `n` counts the tries from 1. */
export function resultName(photo: NamedPhoto, n = 1): string {
  const { name, record } = photo;
  if (record === undefined) return name;
  const late = lateTemplate(photo);
  const options = late === undefined ? record.options : { ...record.options, name: late };
  return nameOfResult(name, { ...record, options }, n) ?? name;
}
