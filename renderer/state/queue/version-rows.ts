/** Finds the rows of the list, one for each photo with all its versions. It holds no state of the page. */
import type { Mark } from '../../../packages/contract/src/task.ts';
import { type Photo, Versions } from '../photo/photo.svelte.ts';
import { isToCheck, type ReviewFacts } from '../photo/to-check.ts';

/** Finds the versions of a photo by the key that the service knows it by. */
export class VersionIndex {
  readonly #all = new Map<string, Versions>();

  of(key: string): Versions {
    const known = this.#all.get(key) ?? new Versions(key);
    this.#all.set(key, known);
    return known;
  }
}

interface MaybeCopy {
  readonly record?: { readonly operation?: string } | undefined;
}

/** Leaves out the copies that Save as made of results in other formats, unless nothing else is left of the photo. */
export function withoutCopies<Version extends MaybeCopy>(
  members: readonly Version[],
): readonly Version[] {
  const own = members.filter(({ record }) => record?.operation !== 'convert');
  return own.length > 0 ? own : members;
}

/** Leaves out such copies, and what was cancelled, unless nothing else is left of the photo. */
function withoutCancelled<Version extends MaybeCopy & { readonly isCancelled?: boolean }>(
  members: readonly Version[],
): readonly Version[] {
  const own = withoutCopies(members);
  const begun = own.filter(({ isCancelled }) => isCancelled !== true);
  return begun.length > 0 ? begun : own;
}

/**
 * The version that the row shows: the one that was picked, else the latest. While a new one is made the last
 * finished one stays in view.
 */
export function shownOf(versions: Versions, members: readonly Photo[]): Photo | undefined {
  const picked = members.find((member) => member === versions.picked);
  const own = withoutCancelled(members);
  const latest = own.at(-1);
  if (picked !== undefined || latest?.isActive !== true) return picked ?? latest;
  return own.findLast(({ phase }) => phase === 'FINISHED') ?? latest;
}

/** The version from whose settings the next one begins: the one that was picked, else the one that was made last. */
export function baseOf<Version>(
  { picked }: { readonly picked: object | undefined },
  members: readonly Version[],
): Version | undefined {
  return members.find((member) => member === picked) ?? members.at(-1);
}

/** The version of a row that runs or waits, or else the shown one. */
export const leadOf = <Version extends { readonly isActive: boolean }>(
  members: readonly Version[],
  shown: Version,
): Version => members.find(({ isActive }) => isActive) ?? shown;

/** The version whose state the photo has: one that runs or waits, else the newest that was not cancelled. */
export function currentOf<
  Version extends MaybeCopy & { readonly isActive: boolean; readonly isCancelled?: boolean },
>(members: readonly Version[]): Version | undefined {
  const own = withoutCancelled(members);
  return own.findLast(({ isActive }) => isActive) ?? own.at(-1);
}

interface ResultVersion {
  readonly phase: string;
  readonly record?: { readonly mark?: Mark; readonly operation?: string } | undefined;
}

/**
 * The version of a photo that Save all saves: the latest that was accepted, else the latest result that was not
 * rejected. It is undefined where there is no result, and where each was rejected.
 */
export function keeperOf<Version extends ResultVersion>(
  members: readonly Version[],
): Version | undefined {
  const results = withoutCopies(members.filter(({ phase }) => phase === 'FINISHED'));
  return (
    results.findLast(({ record }) => record?.mark === 'accepted') ??
    results.findLast(({ record }) => record?.mark !== 'rejected')
  );
}

/** The version of a photo that a person accepted, which is the one that is saved. */
export function acceptedOf<Version extends ResultVersion>(
  members: readonly Version[],
): Version | undefined {
  const keeper = keeperOf(members);
  return keeper?.record?.mark === 'accepted' ? keeper : undefined;
}

/** The accepted version, where it is saved nowhere although another one was saved. */
export function passedOver<Version extends ResultVersion & { readonly isUnsaved: boolean }>(
  saved: Version,
  members: readonly Version[],
): Version | undefined {
  const accepted = acceptedOf(members);
  return accepted !== saved && accepted?.isUnsaved ? accepted : undefined;
}

/** The mark of a photo: accepted by one of its versions, rejected where it is done and each of its results is. */
export function verdictOf(
  members: readonly (ResultVersion & { readonly isActive: boolean })[],
): Mark | undefined {
  const keeper = keeperOf(members);
  if (keeper !== undefined) return keeper.record?.mark;
  return currentOf(members)?.phase === 'FINISHED' ? 'rejected' : undefined;
}

/**
 * The results that Save as of the list writes in another format: the chosen ones, where several but not all photos are
 * chosen, else the version to save of each listed photo, as Save all has it. Rejected ones are among them only where
 * nothing else is. A single photo has a Save as of its own.
 *
 * @param chosen results of the chosen rows
 * @param listed results of all listed rows
 * @param isAllChosen whether every photo that is done is chosen
 */
export function planConversion<Version>(
  { chosen, listed, isAllChosen }: ConversionScope<Version>,
  keeperFor: (row: Version) => Version | undefined,
): readonly Version[] {
  if (chosen.length > 1 && !isAllChosen) return chosen;
  const keepers = listed.flatMap((row) => keeperFor(row) ?? []);
  return keepers.length > 0 ? keepers : listed;
}

interface ConversionScope<Version> {
  readonly chosen: readonly Version[];
  readonly listed: readonly Version[];
  readonly isAllChosen: boolean;
}

/** The version to save of a photo, where a person should check it first. */
export function toCheckOf<Version extends ReviewFacts>(
  members: readonly Version[],
): Version | undefined {
  const keeper = keeperOf(members);
  return keeper !== undefined && isToCheck(keeper) ? keeper : undefined;
}

/** Counts the photos of which these are versions, and whose version to save is saved nowhere. */
export function countUnsaved(photos: readonly Photo[]): number {
  const members = [...Map.groupBy(photos, ({ versions }) => versions).values()];
  return members.filter((own) => keeperOf(byCreation(own))?.isUnsaved).length;
}

/** Sorts versions by their creation. Those that the service does not know yet come last. */
export function byCreation<Version extends { readonly record?: { createdAt: string } | undefined }>(
  members: readonly Version[],
): readonly Version[] {
  const known = members.filter(({ record }) => record !== undefined);
  const created = ({ record }: Version) => record?.createdAt ?? '';
  return [
    ...known.toSorted((one, other) => created(one).localeCompare(created(other))),
    ...members.filter(({ record }) => record === undefined),
  ];
}

/** Returns one row for each photo, at the place of the first of its versions that is listed. */
export function rowsOf(
  listed: readonly Photo[],
  membersOf: (versions: Versions) => readonly Photo[],
): Photo[] {
  const seen = new Set(listed.map(({ versions }) => versions));
  return [...seen].flatMap((versions) => shownOf(versions, membersOf(versions)) ?? []);
}

/** Counts the photos of which these are versions. */
export function countPhotos(photos: readonly Photo[]): number {
  return new Set(photos.map(({ versions }) => versions)).size;
}

/** Returns those of `gone` whose photos have no version left in `rest`. */
export function withoutVersions(gone: readonly Photo[], rest: readonly Photo[]): Photo[] {
  const left = new Set(rest.map(({ versions }) => versions));
  return gone.filter(({ versions }) => !left.has(versions));
}
