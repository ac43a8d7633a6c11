/** Takes pictures and networks out of a drop, a paste or a dialog, also from folders in folders. */
import {
  isPictureName,
  isSystemFolderName,
  pictureEndings,
} from '../../../packages/contract/src/formats.ts';
import {
  markedParts,
  resultsAmong,
  saysMadeByEnlarger,
} from '../../../packages/contract/src/result-names.ts';
import { isModelFileName } from '../../../packages/contract/src/models/model-files.ts';
import { eachConcurrently } from '../../api/calls.svelte.ts';
import { names } from './list-order.ts';
import type { IncomingFile } from '../photo/photo.svelte.ts';

/** A dialog offers these files; a file that was chosen itself is taken whatever it is called. */
export const accepted = ['image/*', ...pictureEndings.map((ending) => `.${ending}`)].join(',');

/** Picked files. `leftOut`: number of pictures in their folders that were skipped, because Enlarger made them. */
export interface PickedFiles {
  files: File[];
  leftOut: number;
}

interface Found {
  file: File;
  /** The folder is undefined for a file that was given itself, which is taken whatever it is. */
  folder: string | undefined;
}

/** Takes the files of a transfer, which is only readable during its event: entries are read before any wait. */
export async function filesOf(transfer: DataTransfer): Promise<PickedFiles> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry());
  const plain = [...transfer.files];
  if (entries.every((entry) => entry === null))
    return { files: plain.toSorted(byName), leftOut: 0 };
  const found = await Promise.all(
    entries.filter((entry) => entry !== null).map((entry) => filesIn(entry, undefined)),
  );
  return withoutResults(found.flat());
}

/** Takes what a dialog for files or for a folder gave. */
export function filesOfDialog(files: readonly File[]): Promise<PickedFiles> {
  const found = files.filter(isOfPerson).map((file) => {
    const way = file.webkitRelativePath;
    return { file, folder: way === '' ? undefined : way.slice(0, way.lastIndexOf('/')) };
  });
  return withoutResults(found);
}

/** Whether no folder on the way to a file of a folder's dialog is a system's. */
const isOfPerson = ({ webkitRelativePath }: File): boolean =>
  !webkitRelativePath.split('/').slice(0, -1).some(isSystemFolderName);

async function filesIn(entry: FileSystemEntry, folder: string | undefined): Promise<Found[]> {
  if (isFile(entry)) {
    if (folder !== undefined && !isPictureName(entry.name) && !isModelFileName(entry.name))
      return [];
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ file, folder }];
  }
  if (!isFolder(entry) || isSystemFolderName(entry.name)) return [];
  const children = await childrenOf(entry.createReader());
  const files = await Promise.all(children.map((child) => filesIn(child, entry.fullPath)));
  return files.flat();
}

/** Dialogs and drops give files in the order of the disk, or of clicks. */
const byName = (one: { name: string }, other: { name: string }) =>
  names.compare(one.name, other.name);
const byPlace = (one: Found, other: Found) =>
  names.compare(one.folder ?? '', other.folder ?? '') || byName(one.file, other.file);

const readConcurrency = 8;

/** Endings of what phones, cameras and editors put beside a photo: its film, its sound, its edits. */
const companionEndings = ['aae', 'dop', 'lrv', 'mov', 'mp4', 'pp3', 'thm', 'wav', 'xmp'];

/** Whether a file only accompanies one of the photos, called IMG_1.HEIC: IMG_1.MOV or IMG_1.HEIC.xmp, for example. */
function isCompanion(name: string, photos: ReadonlySet<string>): boolean {
  const [own, ending] = nameParts(name);
  return companionEndings.includes(ending) && photos.has(own);
}

function nameParts(name: string): [own: string, ending: string] {
  const small = name.toLowerCase();
  const dot = small.lastIndexOf('.');
  return dot === -1 ? [small, ''] : [small.slice(0, dot), small.slice(dot + 1)];
}

/** Leaves out the companions of photos that were picked with them, which a folder leaves out by their names. */
function withoutCompanions(found: readonly Found[]): Found[] {
  const itself = found.filter(({ folder }) => folder === undefined).map(({ file }) => file.name);
  const pictures = itself.filter(isPictureName);
  const photos = new Set(pictures.flatMap((name) => [name.toLowerCase(), nameParts(name)[0]]));
  return found.filter(
    ({ file, folder }) => folder !== undefined || !isCompanion(file.name, photos),
  );
}

async function withoutResults(all: readonly Found[]): Promise<PickedFiles> {
  const found = withoutCompanions(all);
  const made = new Set<Found>();
  for (const [folder, inIt] of Map.groupBy(found, (one) => one.folder)) {
    if (folder === undefined) continue;
    const named = resultsAmong(inIt.map(({ file }) => file.name));
    await eachConcurrently(inIt, readConcurrency, async (one) => {
      if (named.has(one.file.name) || (await isMadeByEnlarger(one.file))) made.add(one);
    });
  }
  const files = found
    .filter((one) => !made.has(one))
    .toSorted(byPlace)
    .map(({ file }) => file);
  return { files, leftOut: made.size };
}

/** Whether a file says that Enlarger made it. An unreadable file is only refused when it is submitted. */
async function isMadeByEnlarger(file: File): Promise<boolean> {
  const parts = markedParts(file.size).map(({ at, length }) => file.slice(at, at + length));
  const bytes = await new Blob(parts).arrayBuffer().catch(() => new ArrayBuffer(0));
  return saysMadeByEnlarger(new TextDecoder('latin1').decode(bytes));
}

/** Lists a folder, whose reader gives a hundred entries at a time. */
async function childrenOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
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
 * Converts files to what rows are made of. In the application each also gets its place on the disk, so that nothing
 * is copied to the service.
 */
export async function addedFrom(files: readonly File[]): Promise<IncomingFile[]> {
  const given = (await window.enlarger?.filesOf(files)) ?? [];
  const places = Map.groupBy(given, ({ name, sizeBytes }) => `${sizeBytes} ${name}`);
  return files.map((file) => {
    const found = places.get(`${file.size} ${file.name}`)?.shift();
    return { name: file.name, file, ...(found && { imageUrl: found.imageUrl }) };
  });
}
