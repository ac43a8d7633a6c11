/** Writes bytes from elsewhere into a file of the service's: counted against a limit, and synced where asked. */
import { open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { EnlargerError, type ErrorCode } from '../../contract/errors.ts';
import { renamePatiently } from '../../files/clear-away.ts';
import { asStorageFull } from '../../files/file-errors.ts';
import { syncFolder } from '../../files/sync.ts';

export interface ReceivedFile {
  sizeBytes: number;
}

interface ReceiveOptions {
  maxBytes: number;
  /** The code of the error that is thrown when there are more bytes than `maxBytes`. */
  tooLarge: ErrorCode;
  /** The sentence of that error; by default it speaks of a picture's file. */
  tooLargeSentence?: string;
  signal?: AbortSignal;
  /** Says whether the bytes must be on the disk itself when the call returns. */
  durable?: boolean;
}

/** The name of a durable file ends so until the file is whole. */
const halfEnding = '.part';

/** Says whether a file is unfinished, left by a service that was killed while it received the file. */
export const isHalf = (file: string) => file.endsWith(halfEnding);

/**
 * Writes the chunks to a new file, and fails when the file exists. On any failure the file is removed and the
 * reason thrown: `tooLarge`, STORAGE_FULL, or what the chunks threw.
 */
export async function receiveFile(
  toPath: string,
  chunks: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<ReceivedFile> {
  const isDurable = options.durable === true;
  const halfPath = isDurable ? toPath + halfEnding : toPath;
  const file = await open(halfPath, 'wx', 0o600);
  try {
    const received = await writeChunks(file, chunks, options);
    if (isDurable) await file.sync();
    await file.close();
    if (isDurable) await publish(halfPath, toPath);
    return received;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(halfPath, { force: true });
    throw asStorageFull(error);
  }
}

/** Renames a file that is on the disk. The new name is on the disk too when this returns. */
export async function publish(halfPath: string, toPath: string): Promise<void> {
  await renamePatiently(halfPath, toPath);
  await syncFolder(path.dirname(toPath));
}

async function writeChunks(
  file: FileHandle,
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes, tooLarge, tooLargeSentence: said, signal }: ReceiveOptions,
): Promise<ReceivedFile> {
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw new EnlargerError(tooLarge, said ?? tooLargeSentence(maxBytes));
    await file.writeFile(chunk);
  }
  return { sizeBytes };
}

export function tooLargeSentence(maxBytes: number): string {
  return `The picture's file is larger than ${maxBytes} bytes, the limit in the settings (maxSourceBytes).`;
}
