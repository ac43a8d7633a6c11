/** A file is read by position here, so that only the bytes that are asked for are in memory. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { refused } from './refused.ts';

export interface ByteSource {
  readonly size: number;
  /** Reads exactly `length` bytes from `at` on. It throws MODEL_REFUSED when the source ends before. */
  read(at: number, length: number): Buffer;
}

export interface OpenBytes extends ByteSource {
  close(): void;
}

/** Reads shorter than this are answered from a buffer of this size, which one read of the file fills. */
const lookAheadBytes = 64 * 1024;

export function openBytes(path: string): OpenBytes {
  const file = openSync(path, 'r');
  const size = fstatSync(file).size;
  let seen: Buffer = Buffer.alloc(0);
  let seenAt = 0;
  const readExactly = (at: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafe(length);
    for (let done = 0; done < length;) {
      const got = readSync(file, bytes, done, length - done, at + done);
      if (got === 0) throw cutShort(at, length, size);
      done += got;
    }
    return bytes;
  };
  return {
    size,
    read(at, length) {
      if (!(at >= 0 && length >= 0 && at + length <= size)) throw cutShort(at, length, size);
      if (length >= lookAheadBytes) return readExactly(at, length);
      if (at < seenAt || at + length > seenAt + seen.length) {
        seen = readExactly(at, Math.min(lookAheadBytes, size - at));
        seenAt = at;
      }
      return seen.subarray(at - seenAt, at - seenAt + length);
    },
    close: () => closeSync(file),
  };
}

/** Lets bytes in memory be read in the same way as a file. */
export function bytesInMemory(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read(at, length) {
      if (!(at >= 0 && length >= 0 && at + length <= bytes.length))
        throw cutShort(at, length, bytes.length);
      return Buffer.from(bytes.buffer, bytes.byteOffset + at, length);
    },
  };
}

const cutShort = (at: number, length: number, size: number) =>
  refused(
    `The file is cut short or damaged: ${length} bytes are to stand at ${at}, but it ends at ${size}. Get it again.`,
  );
