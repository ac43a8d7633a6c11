/** What to grant to the service because the person chose it. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '../packages/api-client/src/client.ts';
import { isInside } from '../packages/files/src/is-inside.ts';

export interface ChosenPath {
  path: string;
  isFolder: boolean;
}

/**
 * True for folders that contain the person's home, and for whole disks: these are granted only if chosen
 * themselves.
 */
export const isBroadFolder = (
  folder: string,
  home: string,
  paths: path.PlatformPath = path,
): boolean => paths.dirname(folder) === folder || isInside(home, folder, paths);

/**
 * Grants in addition to existing ones. A chosen folder is granted itself. For a chosen file its folder is
 * granted, so that results can be saved there; only the file itself, if that folder is the home folder,
 * contains it, or is a whole disk.
 */
export function planGrants(
  chosen: readonly ChosenPath[],
  granted: readonly string[],
  home: string,
  paths: path.PlatformPath = path,
): string[] {
  const isGranted = (candidate: string, among: readonly string[]) =>
    among.some((folder) => isInside(candidate, folder, paths));
  const added: string[] = [];
  for (const { path: candidate, isFolder } of chosen) {
    if (isGranted(candidate, granted) || isGranted(candidate, added)) continue;
    const folder = paths.dirname(candidate);
    added.push(isFolder || isBroadFolder(folder, home, paths) ? candidate : folder);
  }
  return added;
}

/** Calls are serialised, since one may grant what the next one names. */
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
  const chosen: ChosenPath[] = [];
  for (const one of paths) {
    const entry = await stat(one).catch(() => undefined);
    if (entry !== undefined) chosen.push({ path: one, isFolder: entry.isDirectory() });
  }
  const { grantedFolders } = await client.settings();
  const added = planGrants(chosen, grantedFolders, home);
  if (added.length > 0) await client.grant(added);
}
