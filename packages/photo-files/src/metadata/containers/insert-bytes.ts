/** Inserts bytes into a file by moving the rest from its end, without a second copy and in little memory. */
import { open, type FileHandle } from 'node:fs/promises';

const stepBytes = 4 * 1024 * 1024;

/** Called with the number of bytes that a step moved, as a heartbeat. */
export type OnMoved = (bytes: number) => void;

export async function insertBytes(
  path: string,
  at: number,
  bytes: Buffer,
  onMoved: OnMoved,
): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const step = Buffer.alloc(stepBytes);
    let end = (await file.stat()).size;
    while (end > at) {
      const start = Math.max(at, end - stepBytes);
      const { bytesRead } = await file.read(step, 0, end - start, start);
      await writeFully(file, step.subarray(0, bytesRead), start + bytes.length);
      onMoved(bytesRead);
      end = start;
    }
    await writeFully(file, bytes, at);
  } finally {
    await file.close();
  }
}

async function writeFully(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const left = bytes.length - written;
    written += (await file.write(bytes, written, left, position + written)).bytesWritten;
  }
}
