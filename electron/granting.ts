/** Decides what the service may read and write because the person chose it, and tells the service so. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from './client/client.ts';
import { isInside } from './files/is-inside.ts';

export interface Chosen {
  path: string;
  isFolder: boolean;
}

/** A folder that holds the person's home, or a whole disk, is granted only where it is named itself. */
export const isBroadFolder = (
  folder: string,
  home: string,
  paths: path.PlatformPath = path,
): boolean => paths.dirname(folder) === folder || isInside(home, folder, paths);

/**
 * Decides what to grant beside what is granted already. A chosen folder is granted itself. For a chosen file
 * its folder is granted, so that results may be saved there too, but only the file itself where that folder
 * is the person's home, holds it, or is a whole disk.
 */
export function planGrants(
  chosen: readonly Chosen[],
  granted: readonly string[],
  home: string,
  paths: path.PlatformPath = path,
): string[] {
  const isGranted = (place: string, among: readonly string[]) =>
    among.some((folder) => isInside(place, folder, paths));
  const added: string[] = [];
  for (const { path: place, isFolder } of chosen) {
    if (isGranted(place, granted) || isGranted(place, added)) continue;
    const folder = paths.dirname(place);
    added.push(isFolder || isBroadFolder(folder, home, paths) ? place : folder);
  }
  return added;
}

/** Grants what holds the given paths. Calls run one at a time: one may grant what the next one names. */
export function createGranter(client: () => Pick<Client, 'settings' | 'grant'>, home: string) {
  let last: Promise<unknown> = Promise.resolve();
  return (paths: readonly string[]): Promise<void> => {
    const granting = last.then(() => grant(client(), paths, home));
    last = granting.catch(() => undefined);
    return granting;
  };
}

async function grant(
  client: Pick<Client, 'settings' | 'grant'>,
  paths: readonly string[],
  home: string,
): Promise<void> {
  const chosen: Chosen[] = [];
  for (const one of paths) {
    const entry = await stat(one).catch(() => undefined);
    if (entry !== undefined) chosen.push({ path: one, isFolder: entry.isDirectory() });
  }
  const { grantedFolders } = await client.settings();
  const added = planGrants(chosen, grantedFolders, home);
  if (added.length > 0) await client.grant(added);
}
