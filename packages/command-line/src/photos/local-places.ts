/**
 * Decides which photos and folders the service reads and writes itself, because it runs on this machine's disk.
 * Naming them on the command line grants them to the tasks of the command, and to nothing else: a grant is part
 * of its task's row and goes with it.
 */
import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { ApiError } from '../../../api-client/src/transport.ts';
import { isBroadFolder, type ChosenPath } from '../../../../electron/granting.ts';
import { isInside } from '../../../files/src/is-inside.ts';
import type { CommandConnection } from '../connect.ts';
import { hasCode } from '../../../files/src/file-errors.ts';
import { fileReason } from '../error-message.ts';
import { t } from '../text.ts';

/** The service's rights are not this person's, so both throw a sentence where this person has no right. */
export interface LocalPlaces {
  /** Whether the service may read a file. */
  canRead(file: string): Promise<boolean>;
  /** Whether the service may save into an existing folder. */
  canSaveIn(folder: string): Promise<boolean>;
}

/** A service elsewhere has no places here: it is sent every photo, and its results are fetched. */
export const noPlaces: LocalPlaces = {
  canRead: () => Promise.resolve(false),
  canSaveIn: () => Promise.resolve(false),
};

/** Opens the places for a command. What may not be granted to the service is sent to it instead. */
export async function openLocalPlaces(
  {
    client,
    sharesDisk,
    hasOwnKey = false,
  }: Pick<CommandConnection, 'client' | 'sharesDisk' | 'hasOwnKey'>,
  named: readonly ChosenPath[],
): Promise<LocalPlaces> {
  if (!sharesDisk) return noPlaces;
  try {
    // Only a key that may change settings may grant.
    if (!hasOwnKey) await client.settings();
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'OFFLINE') return noPlaces;
    throw error;
  }
  return localPlaces(named.filter(({ isFolder }) => isFolder).map((folder) => folder.path));
}

/** @param folders the person named these themselves, so results are saved in them however much they hold */
export function localPlaces(folders: readonly string[]): LocalPlaces {
  return {
    async canRead(file) {
      await access(file, constants.R_OK).catch((error: unknown) => {
        if (!hasCode(error, ['EACCES', 'EPERM'])) throw error;
        throw new Error(t('It cannot be read: you have no right to read it.'), { cause: error });
      });
      return true;
    },
    async canSaveIn(folder) {
      await access(folder, constants.W_OK).catch((cause: unknown) => {
        throw new Error(
          t('The result cannot be saved in {folder}: {reason}', {
            folder,
            reason: fileReason(cause),
          }),
          { cause },
        );
      });
      if (folders.some((one) => isInside(folder, path.resolve(one)))) return true;
      return !isBroadFolder(await realpath(folder), homedir());
    },
  };
}
