import { writeSync } from 'node:fs';

/** Writes all bytes at a position. @throws if the disk is full */
export function writeAll(fd: number, bytes: Buffer, position: number): void {
  let written = 0;
  while (written < bytes.length)
    written += writeSync(fd, bytes, written, bytes.length - written, position + written);
}
