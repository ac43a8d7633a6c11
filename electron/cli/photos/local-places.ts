/**
 * Decides which photos and folders the service reads and writes itself, because it runs on this machine's
 * disk. Naming them on the command line grants them: to a service that the command starts for the run, and to
 * one that runs already for good, which is said on standard error.
 */
import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { ApiError } from '../../client/transport.ts';
import { grantChosen, planGrants, type Chosen } from '../../granting.ts';
import { isInside } from '../../files/is-inside.ts';
import type { Connected } from '../connect.ts';
import { hasCode, sentenceOf } from '../../files/file-errors.ts';

/** The service's rights are not this person's, so both throw a sentence where this person has no right. */
export interface LocalPlaces {
  /** Tells whether the service may read a file. */
  canRead(file: string): Promise<boolean>;
  /** Tells whether the service may save in a folder that exists. */
  canSaveIn(folder: string): Promise<boolean>;
}

/** A service elsewhere has no places here: it is sent every photo, and its results are fetched. */
export const noPlaces: LocalPlaces = {
  canRead: () => Promise.resolve(false),
  canSaveIn: () => Promise.resolve(false),
};

export interface Named {
  /** These places are granted to any service. */
  chosen: readonly Chosen[];
  /** Only a service of the command's own is granted these; another one reads them where it may already. */
  onlyOwn: readonly Chosen[];
}

/** Decides the grants that a service of the command's own is started with. */
export const placesFor = ({ chosen, onlyOwn }: Named) =>
  planGrants([...chosen, ...onlyOwn], [], homedir());

/** Grants the named places. What may not be granted to the service is sent to it instead. */
export async function openLocalPlaces(
  { client, isOwn, sharesDisk }: Connected,
  named: Named,
): Promise<LocalPlaces> {
  if (!sharesDisk) return noPlaces;
  if (isOwn) return placesInside(placesFor(named));
  try {
    const { before, added } = await grantChosen(client, named.chosen, homedir());
    if (added.length > 0) console.error(grantedLine(added));
    return await placesInside([...before, ...added]);
  } catch (error) {
    // The key may not be allowed to grant, or the service may run in a container, which sees other folders.
    if (error instanceof ApiError && error.code !== 'OFFLINE') return noPlaces;
    throw error;
  }
}

const grantedLine = (places: readonly string[]) =>
  `Enlarger may read and write in ${places.join(', ')} from now on. "Connect programs" in its window, or \`enlarger grants remove\`, takes that back; --upload grants nothing.`;

async function placesInside(granted: readonly string[]): Promise<LocalPlaces> {
  const found = await Promise.all(granted.map((place) => realpath(place).catch(() => undefined)));
  const roots = found.filter((root) => root !== undefined);
  const isGranted = async (place: string) => {
    const real = await realpath(place);
    return roots.some((root) => isInside(real, root));
  };
  return {
    async canRead(file) {
      await access(file, constants.R_OK).catch((error: unknown) => {
        if (!hasCode(error, ['EACCES', 'EPERM'])) throw error;
        throw new Error('It cannot be read: you have no right to read it.', { cause: error });
      });
      return isGranted(file);
    },
    async canSaveIn(folder) {
      await access(folder, constants.W_OK).catch((cause: unknown) => {
        throw new Error(`The result cannot be saved in ${folder}: ${sentenceOf(cause)}`, { cause });
      });
      return isGranted(folder);
    },
  };
}
