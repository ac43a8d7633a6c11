/** Detects a TIFF (classic or BigTIFF) that refers to bytes beyond its end. */
import {
  typeBytes,
  bytesInMemory,
  numberAt,
  openLayout,
  type TiffLayout,
} from '../../../packages/file-records/src/index.ts';

/** Random access to a file of known size. */
export interface SizedFile {
  size: number;
  /** Returns fewer bytes at the end of the file. */
  read: (at: number, length: number) => Promise<Buffer>;
}

/** Tags of offsets (strips, tiles, embedded JPEG), each with the tag of their byte counts. */
const parts = [
  [273, 279],
  [324, 325],
  [513, 514],
] as const;
const subdirectories = 330;

/** Limits of the check. */
const maxDirectories = 64;
const maxEntries = 0xffff;
const maxValueBytes = 1 << 24;

/** Something lies beyond the end. */
class BeyondEnd extends Error {}

export async function reachesBeyond(file: SizedFile): Promise<boolean> {
  try {
    await checkDirectories(file);
    return false;
  } catch (error) {
    if (error instanceof BeyondEnd) return true;
    throw error;
  }
}

async function checkDirectories(file: SizedFile): Promise<void> {
  const layout = openLayout({ ...bytesInMemory(await file.read(0, 16)), size: file.size });
  if (!layout) throw new BeyondEnd();
  const directories = new Set([layout.firstDirectory]);
  // Iterating a set includes entries that are added meanwhile, so each directory is visited once.
  for (const at of directories) {
    if (directories.size > maxDirectories) return;
    for (const next of await directoriesBehind(file, layout, at)) directories.add(next);
  }
}

/** Checks a directory and its references. @returns offsets of further directories */
async function directoriesBehind(
  file: SizedFile,
  layout: TiffLayout,
  at: number,
): Promise<number[]> {
  const { big, littleEndian } = layout;
  const [countBytes, entryBytes, wide] = big ? ([8, 20, 8] as const) : ([2, 12, 4] as const);
  const count = numberAt(await within(file, at, countBytes), 0, countBytes, littleEndian);
  if (count > maxEntries) return [];
  const length = count * entryBytes + wide;
  const entries = await within(file, at + countBytes, length);
  const values = new Map<number, number[]>();
  for (let i = 0; i < count; i += 1) {
    const entry = entries.subarray(i * entryBytes, (i + 1) * entryBytes);
    values.set(numberAt(entry, 0, 2, littleEndian), await valuesOf(file, layout, entry));
  }
  for (const [places, lengths] of parts)
    for (const [i, place] of (values.get(places) ?? []).entries())
      assertWithin(file, place, values.get(lengths)?.[i] ?? 0);
  const next = numberAt(entries, count * entryBytes, wide, littleEndian);
  return [...(values.get(subdirectories) ?? []), ...(next === 0 ? [] : [next])];
}

/** Values of offset tags; other values are only checked to lie within the file. */
async function valuesOf(
  file: SizedFile,
  { big, littleEndian }: TiffLayout,
  entry: Buffer,
): Promise<number[]> {
  const wide = big ? 8 : 4;
  const each = typeBytes(numberAt(entry, 2, 2, littleEndian));
  const count = numberAt(entry, 4, wide, littleEndian);
  const length = count * each;
  const inline = entry.subarray(4 + wide);
  const at = numberAt(inline, 0, wide, littleEndian);
  if (length > wide) assertWithin(file, at, length);
  const isRelevant = [...parts.flat(), subdirectories].includes(
    numberAt(entry, 0, 2, littleEndian),
  );
  const isNumber = each === 2 || each === 4 || each === 8;
  if (!isRelevant || !isNumber || length > maxValueBytes) return [];
  const bytes = length > wide ? await within(file, at, length) : inline;
  return Array.from({ length: count }, (_, i) => numberAt(bytes, i * each, each, littleEndian));
}

function assertWithin({ size }: SizedFile, at: number, length: number): void {
  if (at + length > size) throw new BeyondEnd();
}

async function within(file: SizedFile, at: number, length: number): Promise<Buffer> {
  assertWithin(file, at, length);
  return file.read(at, length);
}
