/** The one way to a source's bytes as a file of our own: what is ours already is read in place. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../contract/admin.ts';
import type { Limits, PictureSource } from '../../engine/protocol.ts';
import type { FetchSource } from './fetch-source.ts';
import type { TaskSource } from '../store/tasks/task.ts';

/** A picture elsewhere is fetched only to be looked at: of more than this, and for longer, it is not. */
const mostFetchedBytes = 256 * 1024 * 1024;
const fetchTimeoutMs = 30_000;

export interface LocalSourceOptions {
  /** Absolute and there. */
  scratchDir: string;
  settings(): Settings;
  fetchSource: FetchSource;
}

/** What the settings let the engine take and make. */
export const limitsOf = ({ maxSourcePixels, maxResultPixels }: Settings): Limits => ({
  sourcePixels: maxSourcePixels,
  resultPixels: maxResultPixels,
});

/** Uploads and data: files are the service's own already; all else is brought. Throws as fetchSource does. */
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

/** The same into a folder, for what is only to be looked at. */
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

/** Calls `use` with the source as the engine takes it. Its scratch folder is gone when this returns. */
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
