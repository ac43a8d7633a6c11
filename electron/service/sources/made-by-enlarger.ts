/** Whether a picture file says that Enlarger made it: its EXIF's Software, or the last event of its XMP history. */
import { open, type FileHandle } from 'node:fs/promises';

/** EXIF and XMP of a JPEG stand in its first segments; most other formats write them behind the pixels. */
const headBytes = 192 * 1024;
const tailBytes = 128 * 1024;

const ourSoftware = /Enlarger \d+\.\d+\.\d+[^\0\n]{0,20}\0/;
const agents = /softwareAgent(?:>|\s*=\s*["'])([^<"']*)/g;

/** False for what cannot be read. */
export async function isMadeByEnlarger(file: string): Promise<boolean> {
  const text = await endsOf(file).catch(() => '');
  if (ourSoftware.test(text)) return true;
  // Other programs add their own events behind ours.
  const [, last] = [...text.matchAll(agents)].at(-1) ?? [];
  return last?.startsWith('Enlarger ') ?? false;
}

async function endsOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const head = await bytesAt(file, 0, Math.min(size, headBytes));
    const tailAt = Math.max(head.length, size - tailBytes);
    const tail = await bytesAt(file, tailAt, size - tailAt);
    return Buffer.concat([head, tail]).toString('latin1');
  } finally {
    await file.close();
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  if (length <= 0) return Buffer.alloc(0);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
