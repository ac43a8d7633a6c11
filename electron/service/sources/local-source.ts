/** Every reader gets a source's bytes from here, as a file of the service's own; such a file is read in place. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../contract/settings/settings.ts';
import type { Limits, PictureSource } from '../../engine/protocol/messages.ts';
import type { FetchSource } from './fetch-source.ts';
import type { TaskSource } from '../store/tasks/task.ts';

/** A picture that is fetched only to be looked at may have so many bytes and take so long at the most. */
const mostFetchedBytes = 256 * 1024 * 1024;
const fetchTimeoutMs = 30_000;

export interface LocalSourceOptions {
  /** The folder's path is absolute, and the folder exists. */
  scratchDir: string;
  settings(): Settings;
  fetchSource: FetchSource;
}

/** Answers the limits that the settings set for the pictures that the engine reads and makes. */
export const limitsOf = ({ maxSourcePixels, maxResultPixels }: Settings): Limits => ({
  sourcePixels: maxSourcePixels,
  resultPixels: maxResultPixels,
});

/**
 * Brings a source into a file. Uploads and data: files are the service's own already and stay in their place.
 * It throws as fetchSource does.
 */
export async function bringSource(
  source: TaskSource,
  { toPath, signal }: { toPath: string; signal: AbortSignal },
  { settings, fetchSource }: Pick<LocalSourceOptions, 'settings' | 'fetchSource'>,
): Promise<string> {
  signal.throwIfAborted();
  if (source.kind === 'data' || source.kind === 'upload') return source.path;
  await fetchSource(source, { toPath, signal, settings: settings() });
  signal.throwIfAborted();
  return toPath;
}

/** Brings a source that is only to be looked at into a folder, within tighter limits. */
export function bringForLook(
  source: TaskSource,
  folder: string,
  { settings, fetchSource }: Pick<LocalSourceOptions, 'settings' | 'fetchSource'>,
): Promise<string> {
  const known = () => {
    const all = settings();
    if (source.kind !== 'url') return all;
    return { ...all, maxSourceBytes: Math.min(all.maxSourceBytes, mostFetchedBytes) };
  };
  const to = { toPath: join(folder, 'source'), signal: AbortSignal.timeout(fetchTimeoutMs) };
  return bringSource(source, to, { settings: known, fetchSource });
}

/** Calls `use` with the source as the engine takes it. The scratch folder is removed when this returns. */
export async function withLocalSource<T>(
  source: TaskSource,
  options: LocalSourceOptions,
  use: (picture: PictureSource) => Promise<T>,
): Promise<T> {
  const folder = join(options.scratchDir, `view-${randomUUID()}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const sourcePath = await bringForLook(source, folder, options);
    return await use({ sourcePath, scratchDir: folder, limits: limitsOf(options.settings()) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
