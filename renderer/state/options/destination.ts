/** Decides where results go, as a person chooses it once in `saveTo` of the settings. It is pure. */
import {
  besidePhoto,
  inSubfolder,
  isBesidePhoto,
  subfolderIn,
} from '../../../packages/contract/src/options/destination.ts';

type DestinationKind = 'beside' | 'subfolder' | 'folder' | 'keep';

export interface Destination {
  kind: DestinationKind;
  /** The name is that of the subfolder. */
  name: string;
  /** The folder is a path. */
  folder: string;
}

export function destinationOf(saveTo: string): Destination {
  const name = subfolderIn(saveTo);
  if (saveTo === '') return { kind: 'keep', name: '', folder: '' };
  if (name === '') return { kind: 'beside', name: '', folder: '' };
  if (name !== undefined) return { kind: 'subfolder', name, folder: '' };
  return { kind: 'folder', name: '', folder: saveTo };
}

/** Returns the `saveTo` of a destination. It is undefined while the folder that it needs is not named yet. */
export function saveToOf({ kind, name, folder }: Destination): string | undefined {
  const places = {
    beside: besidePhoto,
    subfolder: name === '' ? undefined : inSubfolder(name),
    folder: folder === '' ? undefined : folder,
    keep: '',
  };
  return places[kind];
}

/** What decides where a photo's result can go. */
export interface DestinationFacts {
  readonly source?: { readonly imageUrl: string } | undefined;
  readonly record?:
    | { readonly source: { readonly kind: string; readonly watchId?: string } }
    | undefined;
  /** Enlarger may not use the photo's folder. */
  readonly isFolderShut?: boolean;
}

/** Whether a photo is read from a folder in which its result can be saved, too. */
export function hasFolder({ source, record, isFolderShut = false }: DestinationFacts): boolean {
  if (isFolderShut) return false;
  if (record !== undefined) return record.source.kind === 'file';
  return source?.imageUrl.startsWith('file:') ?? false;
}

/** Returns where the photo's result goes. It is '' when the service only keeps the result. */
export function placeFor(saveTo: string, photo: DestinationFacts): string {
  return isBesidePhoto(saveTo) && !hasFolder(photo) ? '' : saveTo;
}

interface PhotoDestination extends DestinationFacts {
  readonly isEditable: boolean;
  readonly isActive: boolean;
  readonly choices: { readonly saveTo: string };
  readonly versions: { readonly destination: string | undefined };
}

/**
 * Returns the `saveTo` that is set for a photo: that of its task until this has ended, or for good where it came
 * through a watched folder, then what holds for finished results, unless another one was set since.
 *
 * @param forNew that of new photos
 * @param lastFolder counts instead of it where it gives the photo no place; '' for none
 */
export function destinationSetFor(
  photo: PhotoDestination,
  forNew: string,
  lastFolder: string,
): string {
  const { isEditable, isActive, choices, versions } = photo;
  if (isEditable) return asSet(choices.saveTo, photo);
  if (versions.destination !== undefined) return versions.destination;
  const isWatched = photo.record?.source.watchId !== undefined && choices.saveTo !== '';
  if (isActive || isWatched) return asSet(choices.saveTo, photo);
  return lastFolder !== '' && placeFor(forNew, photo) === '' ? lastFolder : forNew;
}

/** A task names the photo's own folder, or one in it, by its path. */
function asSet(saveTo: string, { source }: DestinationFacts): string {
  if (!source?.imageUrl.startsWith('file:') || isBesidePhoto(saveTo)) return saveTo;
  const own = folderOf(decodeURIComponent(new URL(source.imageUrl).pathname));
  // Windows: C:\photos, and /C:/photos in an address.
  const path = saveTo.replaceAll('\\', '/').replace(/^(?=[a-z]:\/)/i, '/');
  if (path === own) return besidePhoto;
  return folderOf(path) === own ? inSubfolder(folderName(path)) : saveTo;
}

export interface Destined {
  readonly saveTo: string;
  readonly photo: DestinationFacts;
}

/**
 * Returns the `saveTo` of photos whose results go to one place; undefined where they go to several. One that was
 * submitted without a folder of its own is not told from one that will be.
 */
export function commonDestination(all: readonly Destined[]): string | undefined {
  const [first, ...others] = all;
  if (first === undefined || others.every(({ saveTo }) => saveTo === first.saveTo))
    return first?.saveTo;
  const place = placeFor(first.saveTo, first.photo);
  const isOne = others.every(({ saveTo, photo }) => placeFor(saveTo, photo) === place);
  return isOne ? place : undefined;
}

/** Returns each place that results of these photos go to, once. */
export function distinctPlaces(all: readonly Destined[]): string[] {
  return [...new Set(all.map(({ saveTo, photo }) => placeFor(saveTo, photo)))];
}

/** Returns the last name of a path, by which a person calls a folder. */
export function folderName(path: string): string {
  return (
    path
      .split(/[/\\]/)
      .filter((part) => part !== '')
      .at(-1) ?? path
  );
}

/** Returns the folder of a file. */
export function folderOf(path: string): string {
  return path.replace(/[/\\][^/\\]*$/, '');
}
