/** Makes room inside a file, from its end on, so that no second copy and little memory is needed. */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

const stepBytes = 4 * 1024 * 1024;

export function insertBytes(path: string, at: number, bytes: Buffer): void {
  const fd = openSync(path, 'r+');
  try {
    const step = Buffer.alloc(stepBytes);
    let end = fstatSync(fd).size;
    while (end > at) {
      const start = Math.max(at, end - stepBytes);
      const got = readSync(fd, step, 0, end - start, start);
      writeAll(fd, step.subarray(0, got), start + bytes.length);
      end = start;
    }
    writeAll(fd, bytes, at);
  } finally {
    closeSync(fd);
  }
}

/** Writes all of it at a position; a full disk throws. */
export function writeAll(fd: number, bytes: Buffer, position: number): void {
  let written = 0;
  while (written < bytes.length)
    written += writeSync(fd, bytes, written, bytes.length - written, position + written);
}
