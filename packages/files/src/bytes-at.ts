import type { FileHandle } from 'node:fs/promises';

/** Fewer bytes at the end of the file. */
export async function bytesAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
