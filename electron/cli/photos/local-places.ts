/**
 * Which photos and folders the service reads and writes itself, because it runs on this machine's disk. Naming
 * them on the command line grants them: for the run to a service that the command starts, and for good, which is
 * said, to one that runs already.
 */
import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { ApiError } from '../../client/transport.ts';
import { planGrants, type Chosen } from '../../granting.ts';
import { isInside } from '../../service/settings/granted.ts';
import type { Connected } from '../connect.ts';
import { hasCode, sentenceOf } from '../../files/file-errors.ts';

export interface LocalPlaces {
  /** Throws when this person may not read it: the service's rights are not theirs. */
  canRead(file: string): Promise<boolean>;
  /** Of a folder that is there. Throws a sentence when this person may not write in it. */
  canSaveIn(folder: string): Promise<boolean>;
}

/** For a service elsewhere: everything is sent, and fetched. */
export const noPlaces: LocalPlaces = {
  canRead: () => Promise.resolve(false),
  canSaveIn: () => Promise.resolve(false),
};

export interface Named {
  /** Granted to any service. */
  chosen: readonly Chosen[];
  /** Only for a service of the command's own; another one reads them where it may do so already. */
  onlyOwn: readonly Chosen[];
}

/** What a service of the command's own is started with. */
export const placesFor = ({ chosen, onlyOwn }: Named) =>
  planGrants([...chosen, ...onlyOwn], [], homedir());

/** What it may not be granted is sent to it instead. */
export async function openLocalPlaces(
  { client, isOwn, sharesDisk }: Connected,
  named: Named,
): Promise<LocalPlaces> {
  if (!sharesDisk) return noPlaces;
  if (isOwn) return placesInside(placesFor(named));
  try {
    const { grantedFolders } = await client.settings();
    const added = planGrants(named.chosen, grantedFolders, homedir());
    if (added.length > 0) {
      await client.grant(added);
      console.error(grantedLine(added));
    }
    return await placesInside([...grantedFolders, ...added]);
  } catch (error) {
    // A key that may not grant, or a service in a container, which sees other folders.
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
