/** Writes a stream into a file of the service, with a size limit and optional sync. */
import { open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { EnlargerError, type ErrorCode } from '../../../packages/contract/src/errors.ts';
import { renameWithRetry } from '../../../packages/files/src/clear-away.ts';
import { asStorageFull } from '../../../packages/files/src/file-errors.ts';
import { syncFolder } from '../../../packages/files/src/sync.ts';

export interface ReceivedFile {
  sizeBytes: number;
}

interface ReceiveOptions {
  maxBytes: number;
  /** Error code above `maxBytes`. */
  tooLarge: ErrorCode;
  /** Its sentence; by default about a picture's file. */
  tooLargeSentence?: string;
  signal?: AbortSignal;
  /** True if the bytes must be on disk when the call resolves. */
  durable?: boolean;
}

/** Ending of an unfinished durable file. */
const partialEnding = '.part';

/** True for a file that a killed service left unfinished. */
export const isPartial = (file: string) => file.endsWith(partialEnding);

/**
 * Writes to a new file; throws if it exists. On failure the file is deleted.
 * @throws EnlargerError `tooLarge`, STORAGE_FULL, or what the chunks threw
 */
export async function receiveFile(
  toPath: string,
  chunks: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<ReceivedFile> {
  const isDurable = options.durable === true;
  const partialPath = isDurable ? toPath + partialEnding : toPath;
  const file = await open(partialPath, 'wx', 0o600);
  try {
    const received = await writeChunks(file, chunks, options);
    if (isDurable) await file.sync();
    await file.close();
    if (isDurable) await publish(partialPath, toPath);
    return received;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(partialPath, { force: true });
    throw asStorageFull(error);
  }
}

/** Durable rename of a synced file. */
export async function publish(partialPath: string, toPath: string): Promise<void> {
  await renameWithRetry(partialPath, toPath);
  await syncFolder(path.dirname(toPath));
}

async function writeChunks(
  file: FileHandle,
  chunks: AsyncIterable<Uint8Array>,
  { maxBytes, tooLarge, tooLargeSentence: sentence, signal }: ReceiveOptions,
): Promise<ReceivedFile> {
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes)
      throw new EnlargerError(tooLarge, sentence ?? tooLargeSentence(maxBytes));
    await file.writeFile(chunk);
  }
  return { sizeBytes };
}

export function tooLargeSentence(maxBytes: number): string {
  return `The picture's file is larger than ${maxBytes} bytes, the limit in the settings (maxSourceBytes).`;
}
