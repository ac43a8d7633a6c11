import type { FileHandle } from 'node:fs/promises';

/** Reads bytes of a file from a position on. They are fewer where the file ends before. */
export async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
