/** Where results go, as a person chooses it once: what `saveTo` of the settings says. Pure. */
import {
  besidePhoto,
  inSubfolder,
  isBesidePhoto,
  subfolderIn,
} from '../../../electron/contract/destination.ts';

type DestinationKind = 'beside' | 'subfolder' | 'folder' | 'keep';

export interface Destination {
  kind: DestinationKind;
  /** Of the subfolder. */
  name: string;
  /** The path. */
  folder: string;
}

export function destinationOf(saveTo: string): Destination {
  const name = subfolderIn(saveTo);
  if (saveTo === '') return { kind: 'keep', name: '', folder: '' };
  if (name === '') return { kind: 'beside', name: '', folder: '' };
  if (name !== undefined) return { kind: 'subfolder', name, folder: '' };
  return { kind: 'folder', name: '', folder: saveTo };
}

/** Undefined while what it needs is not named yet. */
export function saveToOf({ kind, name, folder }: Destination): string | undefined {
  const places = {
    beside: besidePhoto,
    subfolder: name === '' ? undefined : inSubfolder(name),
    folder: folder === '' ? undefined : folder,
    keep: '',
  };
  return places[kind];
}

/** What is asked of a photo. */
export interface Placed {
  readonly source?: { readonly imageUrl: string } | undefined;
  readonly record?: { readonly source: { readonly kind: string } } | undefined;
  /** Its folder may not be used by Enlarger. */
  readonly isFolderShut?: boolean;
}

/** Whether it is read from a folder, in which its result can be saved too. */
export function hasFolder({ source, record, isFolderShut = false }: Placed): boolean {
  if (isFolderShut) return false;
  if (record !== undefined) return record.source.kind === 'file';
  return source?.imageUrl.startsWith('file:') ?? false;
}

/** Where the photo's result goes; '': it is only kept. */
export function placeFor(saveTo: string, photo: Placed): string {
  return isBesidePhoto(saveTo) && !hasFolder(photo) ? '' : saveTo;
}

/** The last name of a path, as a person calls a folder. */
export function folderName(path: string): string {
  return (
    path
      .split(/[/\\]/)
      .filter((part) => part !== '')
      .at(-1) ?? path
  );
}

/** Of a file. */
export function folderOf(path: string): string {
  return path.replace(/[/\\][^/\\]*$/, '');
}
