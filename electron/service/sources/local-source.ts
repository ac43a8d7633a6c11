/** A source's bytes as a file of our own, for a moment: what is ours already is read in place. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../../contract/admin.ts';
import type { Limits, PictureSource } from '../../engine/protocol.ts';
import { fetchSource } from './fetch-source.ts';
import type { StoredSource } from '../store/stored-task.ts';

/** A picture elsewhere is fetched only to be looked at: of more than this, and for longer, it is not. */
const mostFetchedBytes = 256 * 1024 * 1024;
const fetchTimeoutMs = 30_000;

export interface LocalSourceOptions {
  /** Absolute and there. */
  scratchDir: string;
  settings(): Settings;
}

/** What the settings let the engine take and make. */
export const limitsOf = ({ maxSourcePixels, maxResultPixels }: Settings): Limits => ({
  sourcePixels: maxSourcePixels,
  resultPixels: maxResultPixels,
});

/** Brings a source into `folder`, when it is not the service's own already. Throws as fetchSource does. */
export async function bringSource(
  source: StoredSource,
  folder: string,
  { settings }: Pick<LocalSourceOptions, 'settings'>,
): Promise<string> {
  if (source.kind === 'data' || source.kind === 'upload') return source.path;
  const toPath = join(folder, 'source');
  const known = settings();
  const most = source.kind === 'url' ? mostFetchedBytes : known.maxSourceBytes;
  await fetchSource(source, {
    toPath,
    signal: AbortSignal.timeout(fetchTimeoutMs),
    settings: { ...known, maxSourceBytes: Math.min(known.maxSourceBytes, most) },
  });
  return toPath;
}

/** Calls `use` with the source as the engine takes it. Its scratch folder is gone when this returns. */
export async function withLocalSource<T>(
  source: StoredSource,
  options: LocalSourceOptions,
  use: (picture: PictureSource) => Promise<T>,
): Promise<T> {
  const folder = join(options.scratchDir, `view-${randomUUID()}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const sourcePath = await bringSource(source, folder, options);
    return await use({ sourcePath, scratchDir: folder, limits: limitsOf(options.settings()) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
