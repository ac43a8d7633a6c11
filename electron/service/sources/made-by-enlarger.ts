/** Whether a picture file says that Enlarger made it: its EXIF's Software, or the last event of its XMP history. */
import { open, type FileHandle } from 'node:fs/promises';
import { markedParts, saysMadeByEnlarger } from '../../contract/result-names.ts';

/** False for what cannot be read. */
export async function isMadeByEnlarger(file: string): Promise<boolean> {
  return saysMadeByEnlarger(await endsOf(file).catch(() => ''));
}

async function endsOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const parts = markedParts(size).map(({ at, length }) => bytesAt(file, at, length));
    return Buffer.concat(await Promise.all(parts)).toString('latin1');
  } finally {
    await file.close();
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  if (length <= 0) return Buffer.alloc(0);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
