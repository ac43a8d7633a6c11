/** Decides which versions of a photo lie in a person's folder. Pure. */
import { dirname } from 'node:path';
import type { TaskOptions } from '../../../packages/contract/src/task.ts';
import type { Placement, Task } from '../store/tasks/task.ts';

type Version = Pick<Task, 'placement' | 'savedTo' | 'takenAt' | 'mark'>;

/** Versions of a photo that are considered. */
export const maxVersions = 500;

/** Whether a task makes a version of its photo, or has made one. A copy in another format is none. */
export const isVersion = ({ operation, status }: Pick<Task, 'operation' | 'status'>): boolean =>
  operation !== 'convert' && (status === 'FINISHED' || status === 'PROCESSING');

/** Where the result is to be put by what counts; undefined for one that is saved as soon as it is finished. */
export function placementOf({
  oneVersion,
  onlyAccepted,
  saveTo: folder,
  onConflict = 'number',
}: TaskOptions): Placement | undefined {
  if (folder === undefined) return undefined;
  const isOneOfMany = oneVersion === true && onConflict === 'number';
  if (onlyAccepted === true) return { folder, onlyAccepted, ...(!isOneOfMany && { onConflict }) };
  return isOneOfMany ? { folder } : undefined;
}

interface FolderPlan<V> {
  /** The version that counts. */
  counting: V | undefined;
  /** Versions whose files are to leave the folder. */
  leaving: V[];
  /** Versions that are to be put in whatever counts. */
  separate: V[];
  /** That of a version that was saved nowhere and counts. */
  joining: Placement;
}

/**
 * The accepted version counts, also one that is saved nowhere yet, else the latest of the folder's that is not rejected
 * and need not be accepted.
 *
 * @param versions finished ones, in order of arrival
 */
export function planFolder<V extends Version>(
  folder: string,
  versions: readonly V[],
): FolderPlan<V> {
  const placed = versions.filter((version) => version.placement?.folder === folder);
  const members = placed.filter(({ placement }) => placement?.onConflict === undefined);
  const counting =
    versions.findLast(
      (version) =>
        version.mark === 'accepted' &&
        (members.includes(version) || (members.length > 0 && isNowhere(version))),
    ) ??
    members.findLast(
      ({ mark, placement }) => mark !== 'rejected' && placement?.onlyAccepted !== true,
    );
  const leaving = members.filter((version) => version !== counting && isInFolder(version, folder));
  const separate = placed.filter(
    (version) =>
      !members.includes(version) && version.mark === 'accepted' && version.savedTo === undefined,
  );
  const onlyAccepted = members.every(({ placement }) => placement?.onlyAccepted === true);
  return {
    counting,
    leaving,
    separate,
    joining: { folder, ...(onlyAccepted && { onlyAccepted }) },
  };
}

const isNowhere = (version: Version): boolean =>
  version.savedTo === undefined && version.takenAt === undefined && version.placement === undefined;

export const isInFolder = ({ savedTo }: Pick<Version, 'savedTo'>, folder: string): boolean =>
  savedTo !== undefined && dirname(savedTo) === folder;

/** Each folder of the versions, once. */
export const foldersOf = (versions: readonly Version[]): string[] => [
  ...new Set(versions.flatMap(({ placement }) => placement?.folder ?? [])),
];
