/** Copies a task's source, of any kind, into a scratch file. */
import type { Stats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { EnlargerError, taskCancelled } from '../../../packages/contract/src/errors.ts';
import type { Settings } from '../../../packages/contract/src/settings/settings.ts';
import type { TaskSource } from '../store/tasks/task.ts';
import { fetchUrl } from './remote/fetch-url.ts';
import { bytesAt } from '../../../packages/files/src/bytes-at.ts';
import { plainFileFlags } from '../../../packages/files/src/folder-handle.ts';
import { openGrantedFile } from '../../../packages/files/src/granted.ts';
import { copyTiffParts } from './copy-tiff-parts.ts';
import { receiveFile, tooLargeSentence, type ReceivedFile } from './received-file.ts';

interface FetchSourceOptions {
  /** Must not exist; does not exist after a failure. */
  toPath: string;
  signal: AbortSignal;
  settings: Pick<Settings, 'allowLocalSources' | 'grantedFolders' | 'maxSourceBytes'>;
}

export type FileSource = Extract<TaskSource, { kind: 'file' }>;

export type FetchSource = (source: TaskSource, options: FetchSourceOptions) => Promise<unknown>;

/** Enough to inspect most pictures. */
export const headBytes = 1024 * 1024;

/**
 * @throws EnlargerError SOURCE_UNREACHABLE, SOURCE_REFUSED, SOURCE_TOO_LARGE, STORAGE_FULL, or CANCELLED if
 *   the signal fired
 */
export const fetchSource: FetchSource = async (source, options) => {
  if (source.kind === 'url') return fetchFromNetwork(source.url, options);
  const copy = (file: FileHandle) => receiveFrom(file, options);
  if (source.kind === 'file') return withGrantedFile(source, options, copy);
  return closing(await openPlain(source.path), options, copy);
};

/**
 * Copies only the parts of a granted file that an inspection needs. Returns undefined if that takes the whole
 * file; otherwise the file's own size. Throws like `fetchSource`.
 */
export async function fetchHead(
  source: FileSource,
  options: FetchSourceOptions,
): Promise<ReceivedFile | undefined> {
  return withGrantedFile(source, options, async (file) => {
    const { sizeBytes } = await receiveFrom(file, options, headBytes);
    const isAll = sizeBytes <= headBytes;
    const isSufficient =
      isAll ||
      ((await hasEnd(file)) && (await copyTiffParts(file, options.toPath, options.signal)));
    return isSufficient ? { sizeBytes } : undefined;
  });
}

/** Of these formats the first bytes of a file and the marker near its end. */
const markers = [
  { start: Buffer.from([0xff, 0xd8, 0xff]), end: Buffer.from([0xff, 0xd9]) },
  { start: Buffer.from('\x89PNG', 'latin1'), end: Buffer.from('IEND') },
];
/** Other pictures or films may follow the end of a JPEG. */
const tailBytes = 64 * 1024;

/** Whether a JPEG or PNG has an end; only the whole file tells how much of it is there where it has none. */
async function hasEnd(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  const first = await bytesAt(file, 0, 4);
  const end = markers.find(({ start }) => first.subarray(0, start.length).equals(start))?.end;
  return end === undefined || (await bytesAt(file, size - tailBytes, tailBytes)).includes(end);
}

/**
 * Calls `use` with the open file.
 * @throws EnlargerError SOURCE_REFUSED if the file is not granted (any more), SOURCE_UNREACHABLE if it cannot be read
 */
export async function withGrantedFile<T>(
  { path, grants = [] }: FileSource,
  options: FetchSourceOptions,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const { grantedFolders } = options.settings;
  const file = await openGrantedFile(path, [...grantedFolders, ...grants]).catch(
    (cause: unknown) => {
      throw asSourceRefused(cause);
    },
  );
  return closing(file, options, use);
}

function fetchFromNetwork(url: string, options: FetchSourceOptions): Promise<ReceivedFile> {
  const { toPath, signal, settings } = options;
  return fetchUrl(url, {
    toPath,
    signal,
    maxBytes: settings.maxSourceBytes,
    allowLocal: settings.allowLocalSources,
  });
}

async function closing<T>(
  file: FileHandle,
  { signal }: FetchSourceOptions,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  try {
    return await use(file);
  } catch (error) {
    if (signal.aborted) throw taskCancelled();
    throw error;
  } finally {
    await file.close();
  }
}

/** @throws EnlargerError SOURCE_TOO_LARGE above the setting's limit */
export function assertSize(
  sizeBytes: number,
  { maxSourceBytes }: Pick<Settings, 'maxSourceBytes'>,
): void {
  if (sizeBytes > maxSourceBytes)
    throw new EnlargerError('SOURCE_TOO_LARGE', tooLargeSentence(maxSourceBytes));
}

/** Copies a file or its first bytes. @returns the size of the whole file */
export async function receiveFrom(
  file: FileHandle,
  { toPath, signal, settings }: FetchSourceOptions,
  prefixBytes = Infinity,
): Promise<ReceivedFile> {
  const { size } = await file.stat();
  const { maxSourceBytes: maxBytes } = settings;
  assertSize(size, settings);
  const reading = { start: 0, end: prefixBytes - 1, autoClose: false, highWaterMark: 1 << 20 };
  const received = await receiveFile(toPath, file.createReadStream(reading), {
    maxBytes,
    tooLarge: 'SOURCE_TOO_LARGE',
    signal,
  });
  return { sizeBytes: Math.max(size, received.sizeBytes) };
}

/** Opens a regular file; never follows a link, never blocks on a pipe. */
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

/** Maps FORBIDDEN_PATH of a submit to SOURCE_REFUSED of a task. */
function asSourceRefused(cause: unknown): unknown {
  if (!(cause instanceof EnlargerError) || cause.code !== 'FORBIDDEN_PATH') return cause;
  return new EnlargerError('SOURCE_REFUSED', cause.message, { cause });
}
