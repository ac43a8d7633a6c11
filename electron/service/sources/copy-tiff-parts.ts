/**
 * Copies the parts of a TIFF that describe it: directories and their values, which may lie behind the pixels.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { bytesAt } from '../../../packages/files/src/bytes-at.ts';
import {
  isRawTiff,
  bytesInMemory,
  numberAt,
  openLayout,
  readDirectory,
  type RawEntry,
  type TiffLayout,
} from '../../../packages/file-records/src/index.ts';

/** Start of classic TIFF and BigTIFF, both byte orders. */
const startOfTiff = /^(II[*+]\0|MM\0[*+])/;
/** Tags that point to further directories: SubIFDs, EXIF, interoperability, GPS. */
const pointerTags: readonly number[] = [0x014a, 0x8769, 0xa005, 0x8825];
/** Larger values are layers or previews. */
const maxValueBytes = 4 * 1024 * 1024;
/** Files with more bytes or parts in directories and values are copied whole. */
const maxCopiedBytes = 16 * 1024 * 1024;
const maxParts = 4000;

/**
 * Writes the parts at their offsets into a file that holds the first bytes of `from`, and extends it to the
 * size of `from`; the rest is a hole. Other formats stay unchanged.
 * @returns false if only the whole file can be inspected
 */
export async function copyTiffParts(
  from: FileHandle,
  toPath: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { size } = await from.stat();
  const to = await open(toPath, 'r+');
  let [remainingBytes, remainingParts] = [maxCopiedBytes, maxParts];
  const copy = async (at: number, length: number): Promise<Buffer> => {
    signal.throwIfAborted();
    if (at >= size) return Buffer.alloc(0);
    remainingBytes -= length;
    remainingParts -= 1;
    if (remainingBytes < 0 || remainingParts < 0) throw new Error('It says too much of itself.');
    const bytes = await bytesAt(from, at, length);
    await to.write(bytes, 0, bytes.length, at);
    return bytes;
  };
  try {
    const head = await copy(0, 16);
    if (!startOfTiff.test(head.toString('latin1'))) return true;
    await to.truncate(size);
    const layout = openLayout({ ...bytesInMemory(head), size });
    if (layout) await copyDirectories(layout, copy);
  } catch (thrown) {
    signal.throwIfAborted();
    // Other errors, such as a full disk, recur and are reported when the whole file is copied.
    if (thrown instanceof Error) return false;
    throw thrown;
  } finally {
    await to.close();
  }
  // A RAW decoder also reads the sensor data, so the whole file is needed.
  return !isRawTiff(toPath);
}

type CopyRange = (at: number, length: number) => Promise<Buffer>;

/** Copies all directories, including those that tags point to, with their values. */
async function copyDirectories(layout: TiffLayout, copy: CopyRange): Promise<void> {
  // Iterating a set includes entries that are added meanwhile.
  const offsets = new Set([layout.firstDirectory]);
  for (const at of offsets) {
    if (at === 0) continue;
    const { entries, next } = await copyDirectory(layout, at, copy);
    for (const found of [next, ...(await copyValues(layout, entries, copy))]) offsets.add(found);
  }
}

async function copyDirectory(layout: TiffLayout, at: number, copy: CopyRange) {
  const [countBytes, entryBytes] = layout.big ? ([8, 20] as const) : ([2, 12] as const);
  const head = await copy(at, countBytes);
  const count = head.length < countBytes ? 0 : numberAt(head, 0, countBytes, layout.littleEndian);
  const bytes = await copy(at, countBytes + count * entryBytes + (layout.big ? 8 : 4));
  const read = (from: number, length: number) => bytes.subarray(from - at, from - at + length);
  return readDirectory({ ...layout, bytes: { ...layout.bytes, read } }, at);
}

/** @returns offsets of the directories that the values point to */
async function copyValues(
  layout: TiffLayout,
  entries: RawEntry[],
  copy: CopyRange,
): Promise<number[]> {
  const below: number[] = [];
  for (const { tag, count, valueAt, sizeBytes } of entries) {
    if (sizeBytes === 0 || sizeBytes > maxValueBytes) continue;
    const value = await copy(valueAt, sizeBytes);
    const each = sizeBytes / count;
    if (!pointerTags.includes(tag) || (each !== 4 && each !== 8)) continue;
    for (let at = 0; at + each <= value.length; at += each)
      below.push(numberAt(value, at, each, layout.littleEndian));
  }
  return below;
}
