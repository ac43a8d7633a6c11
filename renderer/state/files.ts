/** Files of pictures and of networks out of a drop, a paste or a dialog, folders and their folders included. */
import { isPictureName, pictureEndings } from '../../electron/contract/formats.ts';
import { isModelFileName } from '../../electron/contract/model-files.ts';
import type { Added } from './photo.svelte.ts';

/** For a dialog: a file that was chosen itself is taken whatever it is called. */
export const accepted = ['image/*', ...pictureEndings.map((ending) => `.${ending}`)].join(',');

/** The transfer is only readable during its event: its entries are taken before the first wait. */
export async function filesOf(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  const plain = [...transfer.files];
  if (entries.every((entry) => entry === null)) return plain;
  const found = await Promise.all(
    entries.filter((entry) => entry !== null).map((entry) => filesIn(entry, false)),
  );
  return found.flat();
}

async function filesIn(entry: FileSystemEntry, isInFolder: boolean): Promise<File[]> {
  if (isFile(entry)) {
    if (isInFolder && !isPictureName(entry.name) && !isModelFileName(entry.name)) return [];
    return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))];
  }
  if (!isFolder(entry)) return [];
  const children = await childrenOf(entry.createReader());
  const files = await Promise.all(children.map((child) => filesIn(child, true)));
  return files.flat();
}

/** The reader gives a hundred at a time. */
async function childrenOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all.sort((left, right) => left.name.localeCompare(right.name));
    all.push(...some);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/**
 * Files as rows have them. In the application each also gets its place on the disk, so that nothing is
 * copied to the service.
 */
export async function addedFrom(files: readonly File[]): Promise<Added[]> {
  const given = (await window.enlarger?.filesOf(files)) ?? [];
  const places = Map.groupBy(given, ({ name, sizeBytes }) => `${sizeBytes} ${name}`);
  return files.map((file) => {
    const found = places.get(`${file.size} ${file.name}`)?.shift();
    return { name: file.name, file, ...(found && { imageUrl: found.imageUrl }) };
  });
}
