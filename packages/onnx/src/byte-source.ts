/** Random access to a file or to bytes in memory; only requested bytes are in memory. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { refused } from './refused.ts';

export interface ByteSource {
  readonly size: number;
  /**
   * Reads exactly `length` bytes from `at` on.
   *
   * @throws EnlargerError MODEL_REFUSED if the source is too short
   */
  read(at: number, length: number): Buffer;
}

export interface OpenBytes extends ByteSource {
  close(): void;
}

/** Size of the read-ahead buffer, which serves shorter reads. */
const bufferBytes = 64 * 1024;

export function openBytes(path: string): OpenBytes {
  const file = openSync(path, 'r');
  const size = fstatSync(file).size;
  let buffer: Buffer = Buffer.alloc(0);
  let bufferAt = 0;
  const readExactly = (at: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length;) {
      const got = readSync(file, bytes, done, length - done, at + done);
      if (got === 0) throw truncated(at, length, size);
      done += got;
    }
    return bytes;
  };
  return {
    size,
    read(at, length) {
      if (!(at >= 0 && length >= 0 && at + length <= size)) throw truncated(at, length, size);
      if (length >= bufferBytes) return readExactly(at, length);
      if (at < bufferAt || at + length > bufferAt + buffer.length) {
        buffer = readExactly(at, Math.min(bufferBytes, size - at));
        bufferAt = at;
      }
      return buffer.subarray(at - bufferAt, at - bufferAt + length);
    },
    close: () => closeSync(file),
  };
}

/** A source of bytes in memory. */
export function bytesInMemory(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read(at, length) {
      if (!(at >= 0 && length >= 0 && at + length <= bytes.length))
        throw truncated(at, length, bytes.length);
      return Buffer.from(bytes.buffer, bytes.byteOffset + at, length);
    },
  };
}

const truncated = (at: number, length: number, size: number) =>
  refused(
    `The file is cut short or damaged: ${length} bytes are to stand at ${at}, but it ends at ${size}. Get it again.`,
  );
