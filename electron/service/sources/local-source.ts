/** Source files as the engine reads them. Files that the service owns are read in place. */
import { randomUUID } from 'node:crypto';
import { access, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { goneSentence } from '../../../packages/contract/src/error-messages.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { Settings } from '../../../packages/contract/src/settings/settings.ts';
import type { Limits, PictureSource } from '../../engine/protocol/messages.ts';
import type { FetchSource } from './fetch-source.ts';
import type { TaskSource } from '../store/tasks/task.ts';

/** Limits of a remote picture that is only inspected. */
const maxInspectedBytes = 256 * 1024 * 1024;
const fetchTimeoutMs = 30_000;

export interface LocalSourceOptions {
  /** Absolute; exists. */
  scratchDir: string;
  settings(): Settings;
  fetchSource: FetchSource;
}

/** Pixel limits of the settings. */
export const limitsOf = ({ maxSourcePixels, maxResultPixels }: Settings): Limits => ({
  sourcePixels: maxSourcePixels,
  resultPixels: maxResultPixels,
});

/**
 * Path of a readable file. Uploads and data: files are used in place, others are copied to `toPath`. Throws
 * like fetchSource.
 */
export async function fetchToFile(
  source: TaskSource,
  { toPath, signal }: { toPath: string; signal: AbortSignal },
  { settings, fetchSource }: Pick<LocalSourceOptions, 'settings' | 'fetchSource'>,
): Promise<string> {
  signal.throwIfAborted();
  if (source.kind === 'data' || source.kind === 'upload') {
    await access(source.path).catch((cause: unknown) => {
      throw new EnlargerError('SOURCE_UNREACHABLE', goneSentence(source.path), { cause });
    });
    return source.path;
  }
  await fetchSource(source, { toPath, signal, settings: settings() });
  signal.throwIfAborted();
  return toPath;
}

/** Fetches a source for inspection, within tighter limits. */
export function fetchForInspection(
  source: TaskSource,
  folder: string,
  { settings, fetchSource }: Pick<LocalSourceOptions, 'settings' | 'fetchSource'>,
): Promise<string> {
  const known = () => {
    const all = settings();
    if (source.kind !== 'url') return all;
    return { ...all, maxSourceBytes: Math.min(all.maxSourceBytes, maxInspectedBytes) };
  };
  const to = { toPath: join(folder, 'source'), signal: AbortSignal.timeout(fetchTimeoutMs) };
  return fetchToFile(source, to, { settings: known, fetchSource });
}

/** Calls `use` with the source. Its scratch folder is deleted afterwards. */
export async function withLocalSource<T>(
  source: TaskSource,
  options: LocalSourceOptions,
  use: (picture: PictureSource) => Promise<T>,
): Promise<T> {
  const folder = join(options.scratchDir, `view-${randomUUID()}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const sourcePath = await fetchForInspection(source, folder, options);
    return await use({ sourcePath, scratchDir: folder, limits: limitsOf(options.settings()) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
