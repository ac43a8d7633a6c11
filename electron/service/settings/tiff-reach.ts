/** Whether a TIFF file, classic or big, names bytes that lie beyond its end. */

/** A file of known size that is read by position. */
export interface SizedFile {
  size: number;
  /** What is there of these bytes. */
  read: (at: number, length: number) => Promise<Buffer>;
}

/** Bytes of a value, by TIFF's number of its type. */
const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

/** Places of strips, tiles and of a JPEG inside, and the tags of their lengths. */
const parts = [
  [273, 279],
  [324, 325],
  [513, 514],
] as const;
const subdirectories = 330;

/** A file of more directories or entries, or a value of more bytes, is looked at so far. */
const mostDirectories = 64;
const mostEntries = 0xffff;
const mostValueBytes = 1 << 24;

interface Layout {
  isBig: boolean;
  /** A whole number of that many bytes. */
  numberAt: (bytes: Buffer, at: number, length: number) => number;
}

/** Thrown where something lies beyond the end. */
class Beyond extends Error {}

export async function reachesBeyond(file: SizedFile): Promise<boolean> {
  try {
    await lookThrough(file);
    return false;
  } catch (error) {
    if (error instanceof Beyond) return true;
    throw error;
  }
}

async function lookThrough(file: SizedFile): Promise<void> {
  const head = await within(file, 0, 8);
  const layout = layoutOf(head);
  const wide = layout.isBig ? 8 : 4;
  const start = await within(file, layout.isBig ? 8 : 4, wide);
  const directories = new Set([layout.numberAt(start, 0, wide)]);
  // A set is walked in the order in which it grows, so each directory is looked at once.
  for (const at of directories) {
    if (directories.size > mostDirectories) return;
    for (const next of await directoriesBehind(file, layout, at)) directories.add(next);
  }
}

function layoutOf(head: Buffer): Layout {
  const isLittle = head[0] === 0x49;
  const numberAt = (bytes: Buffer, at: number, length: number): number => {
    const digits = bytes.subarray(at, at + length);
    if (length < 8) return isLittle ? digits.readUIntLE(0, length) : digits.readUIntBE(0, length);
    return Number(isLittle ? digits.readBigUInt64LE() : digits.readBigUInt64BE());
  };
  return { isBig: head[isLittle ? 2 : 3] === 43, numberAt };
}

/** Looks at one directory and at all that it names. */
async function directoriesBehind(file: SizedFile, layout: Layout, at: number): Promise<number[]> {
  const { isBig, numberAt } = layout;
  const [countBytes, entryBytes, wide] = isBig ? [8, 20, 8] : [2, 12, 4];
  const count = numberAt(await within(file, at, countBytes), 0, countBytes);
  if (count > mostEntries) return [];
  const length = count * entryBytes + wide;
  const entries = await within(file, at + countBytes, length);
  const values = new Map<number, number[]>();
  for (let i = 0; i < count; i += 1) {
    const entry = entries.subarray(i * entryBytes, (i + 1) * entryBytes);
    values.set(numberAt(entry, 0, 2), await valuesOf(file, layout, entry));
  }
  for (const [places, lengths] of parts)
    for (const [i, place] of (values.get(places) ?? []).entries())
      assertWithin(file, place, values.get(lengths)?.[i] ?? 0);
  const next = numberAt(entries, count * entryBytes, wide);
  return [...(values.get(subdirectories) ?? []), ...(next === 0 ? [] : [next])];
}

/** Of what says where something lies, its numbers; of all others it is only asked that they are there. */
async function valuesOf(file: SizedFile, layout: Layout, entry: Buffer): Promise<number[]> {
  const { isBig, numberAt } = layout;
  const wide = isBig ? 8 : 4;
  const each = typeBytes[numberAt(entry, 2, 2)] ?? 0;
  const count = numberAt(entry, 4, wide);
  const length = count * each;
  const inline = entry.subarray(4 + wide);
  const at = numberAt(inline, 0, wide);
  if (length > wide) assertWithin(file, at, length);
  const isAsked = [...parts.flat(), subdirectories].includes(numberAt(entry, 0, 2));
  if (!isAsked || each < 2 || length > mostValueBytes) return [];
  const bytes = length > wide ? await within(file, at, length) : inline;
  return Array.from({ length: count }, (_, i) => numberAt(bytes, i * each, each));
}

function assertWithin({ size }: SizedFile, at: number, length: number): void {
  if (at + length > size) throw new Beyond();
}

async function within(file: SizedFile, at: number, length: number): Promise<Buffer> {
  assertWithin(file, at, length);
  return file.read(at, length);
}
