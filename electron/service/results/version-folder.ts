/** Decides which versions of a photo lie in a person's folder. Pure. */
import { dirname } from 'node:path';
import type { TaskOptions } from '../../contract/task.ts';
import type { Task } from '../store/tasks/task.ts';

type Version = Pick<Task, 'placement' | 'savedTo' | 'takenAt' | 'mark'>;

/** Versions of a photo that are considered. */
export const maxVersions = 500;

/** Whether a task makes a version of its photo, or has made one. A copy in another format is none. */
export const isVersion = ({ operation, status }: Pick<Task, 'operation' | 'status'>): boolean =>
  operation !== 'convert' && (status === 'FINISHED' || status === 'PROCESSING');

/** Folder of which the result is to be one of the photo's versions. */
export function versionFolderOf({
  oneVersion,
  saveTo,
  onConflict = 'number',
}: TaskOptions): string | undefined {
  return oneVersion === true && onConflict === 'number' ? saveTo : undefined;
}

interface FolderPlan<V> {
  /** The version that counts. */
  counting: V | undefined;
  /** Versions whose files are to leave the folder. */
  leaving: V[];
}

/**
 * The accepted version counts, also one that is saved nowhere yet, else the latest of the folder's that is not rejected.
 *
 * @param versions finished ones, in order of arrival
 */
export function planFolder<V extends Version>(
  folder: string,
  versions: readonly V[],
): FolderPlan<V> {
  const members = versions.filter((version) => version.placement?.folder === folder);
  const counting =
    versions.findLast(
      (version) => version.mark === 'accepted' && (members.includes(version) || isNowhere(version)),
    ) ?? members.findLast(({ mark }) => mark !== 'rejected');
  const leaving = members.filter((version) => version !== counting && isInFolder(version, folder));
  return { counting, leaving };
}

const isNowhere = (version: Version): boolean =>
  version.savedTo === undefined && version.takenAt === undefined && version.placement === undefined;

export const isInFolder = ({ savedTo }: Pick<Version, 'savedTo'>, folder: string): boolean =>
  savedTo !== undefined && dirname(savedTo) === folder;

/** Each folder of the versions, once. */
export const foldersOf = (versions: readonly Version[]): string[] => [
  ...new Set(versions.flatMap(({ placement }) => placement?.folder ?? [])),
];
