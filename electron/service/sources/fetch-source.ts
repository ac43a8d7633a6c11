/** The bytes of a task's source into a scratch file of our own, whatever form they were submitted in. */
import { constants, type Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { EnlargerError, taskCancelled } from '../../contract/errors.ts';
import type { Settings } from '../../contract/admin.ts';
import type { StoredSource } from '../store/stored-task.ts';
import { fetchUrl, type FetchOptions } from './fetch-url.ts';
import { openGrantedFile } from '../settings/granted.ts';
import { receiveFile, type ReceivedFile } from './received-file.ts';

export interface FetchSourceOptions {
  /** A path that does not exist yet; after a failure it does not exist either. */
  toPath: string;
  signal: AbortSignal;
  settings: Pick<Settings, 'allowLocalSources' | 'grantedFolders' | 'maxSourceBytes'>;
  resolve?: FetchOptions['resolve'];
  /** Of a file on this disk, only so many of its first bytes. */
  headBytes?: number;
}

/**
 * Answers the size of the source itself. Throws SOURCE_UNREACHABLE, SOURCE_REFUSED, SOURCE_TOO_LARGE, STORAGE_FULL,
 * and CANCELLED when the signal fired.
 */
export async function fetchSource(
  source: StoredSource,
  options: FetchSourceOptions,
): Promise<ReceivedFile> {
  if (source.kind === 'url') return fetchFromNetwork(source.url, options);
  if (source.kind !== 'file') return copyFrom(await openPlain(source.path), options);
  const file = await openGrantedFile(source.path, options.settings.grantedFolders).catch(
    (cause: unknown) => {
      throw asSourceRefused(cause);
    },
  );
  return copyFrom(file, options);
}

function fetchFromNetwork(url: string, options: FetchSourceOptions): Promise<ReceivedFile> {
  const { toPath, signal, settings, resolve } = options;
  return fetchUrl(url, {
    toPath,
    signal,
    maxBytes: settings.maxSourceBytes,
    allowLocal: settings.allowLocalSources,
    ...(resolve === undefined ? {} : { resolve }),
  });
}

const plainFileFlags =
  process.platform === 'win32'
    ? constants.O_RDONLY
    : constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Closes the file. */
async function copyFrom(file: FileHandle, options: FetchSourceOptions): Promise<ReceivedFile> {
  const { toPath, signal, settings, headBytes = Infinity } = options;
  try {
    const { size } = await file.stat();
    const reading = { start: 0, end: headBytes - 1, autoClose: false, highWaterMark: 1 << 20 };
    const received = await receiveFile(toPath, file.createReadStream(reading), {
      maxBytes: settings.maxSourceBytes,
      tooLarge: 'SOURCE_TOO_LARGE',
      signal,
    });
    return { sizeBytes: Math.max(size, received.sizeBytes) };
  } catch (error) {
    if (signal.aborted) throw taskCancelled();
    throw error;
  } finally {
    await file.close();
  }
}

/** Never through a link, and never waits for a pipe: what is opened is a plain file or nothing. */
async function openPlain(fromPath: string): Promise<FileHandle> {
  let file: FileHandle | undefined;
  try {
    file = await open(fromPath, plainFileFlags);
    assertPlain(await file.stat(), fromPath);
    return file;
  } catch (cause) {
    await file?.close();
    if (cause instanceof EnlargerError) throw cause;
    throw new EnlargerError('SOURCE_UNREACHABLE', `${fromPath} cannot be read.`, { cause });
  }
}

function assertPlain(stat: Stats, fromPath: string): void {
  if (!stat.isFile()) throw new EnlargerError('SOURCE_REFUSED', `${fromPath} is not a plain file.`);
}

/** What a submit refuses as FORBIDDEN_PATH is, later on, a source that may no longer be read. */
function asSourceRefused(cause: unknown): unknown {
  if (!(cause instanceof EnlargerError)) return cause;
  return new EnlargerError('SOURCE_REFUSED', cause.message, { cause });
}
