/** Copies what a TIFF says of itself, its directories and their values, which may stand behind its pixels. */
import { open, type FileHandle } from 'node:fs/promises';
import { bytesAt } from '../../files/bytes-at.ts';
import { isRawTiff } from '../../files/tiff/sensor-data.ts';
import {
  bytesInMemory,
  numberAt,
  openLayout,
  readDirectory,
  type RawEntry,
  type TiffLayout,
} from '../../files/tiff/tiff-directory.ts';

/** The start of classic TIFF and BigTIFF, in both byte orders. */
const startOfTiff = /^(II[*+]\0|MM\0[*+])/;
/** These tags point to directories below the first one: subdirectories, EXIF, its interoperability, and GPS. */
const pointerTags: readonly number[] = [0x014a, 0x8769, 0xa005, 0x8825];
/** A larger value holds layers or previews, and says nothing of the picture. */
const mostValueBytes = 4 * 1024 * 1024;
/** A file whose directories and values take more bytes, or more parts, is copied whole. */
const mostBytes = 16 * 1024 * 1024;
const mostParts = 4000;

/**
 * Adds those parts, each at its place, to a file that holds the first bytes of `from`, and gives the file the
 * size of `from`; what was not read is a hole. A file of another format stays as it is. The answer is false
 * where only the whole file tells what it is.
 */
export async function copyTiffParts(
  from: FileHandle,
  toPath: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { size } = await from.stat();
  const to = await open(toPath, 'r+');
  let [leftBytes, leftParts] = [mostBytes, mostParts];
  const copy = async (at: number, length: number): Promise<Buffer> => {
    signal.throwIfAborted();
    if (at >= size) return Buffer.alloc(0);
    leftBytes -= length;
    leftParts -= 1;
    if (leftBytes < 0 || leftParts < 0) throw new Error('It says too much of itself.');
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
    // Another failure, such as a full disk, is met again and reported when the whole file is copied.
    if (thrown instanceof Error) return false;
    throw thrown;
  } finally {
    await to.close();
  }
  // A decoder of camera RAW reads the sensor's data too, so such a file is needed whole.
  return !isRawTiff(toPath);
}

type Copy = (at: number, length: number) => Promise<Buffer>;

/** Copies every directory, those of pictures and those below them, with its values. */
async function copyDirectories(layout: TiffLayout, copy: Copy): Promise<void> {
  // A set is iterated together with what is added to it meanwhile.
  const places = new Set([layout.firstDirectory]);
  for (const at of places) {
    if (at === 0) continue;
    const { entries, next } = await copyDirectory(layout, at, copy);
    for (const found of [next, ...(await copyValues(layout, entries, copy))]) places.add(found);
  }
}

async function copyDirectory(layout: TiffLayout, at: number, copy: Copy) {
  const [countBytes, entryBytes] = layout.big ? ([8, 20] as const) : ([2, 12] as const);
  const head = await copy(at, countBytes);
  const count = head.length < countBytes ? 0 : numberAt(head, 0, countBytes, layout.littleEndian);
  const bytes = await copy(at, countBytes + count * entryBytes + (layout.big ? 8 : 4));
  const read = (from: number, length: number) => bytes.subarray(from - at, from - at + length);
  return readDirectory({ ...layout, bytes: { ...layout.bytes, read } }, at);
}

/** Copies the values of entries, and answers where the directories below them stand. */
async function copyValues(layout: TiffLayout, entries: RawEntry[], copy: Copy): Promise<number[]> {
  const below: number[] = [];
  for (const { tag, count, valueAt, sizeBytes } of entries) {
    if (sizeBytes === 0 || sizeBytes > mostValueBytes) continue;
    const value = await copy(valueAt, sizeBytes);
    const each = sizeBytes / count;
    if (!pointerTags.includes(tag) || (each !== 4 && each !== 8)) continue;
    for (let at = 0; at + each <= value.length; at += each)
      below.push(numberAt(value, at, each, layout.littleEndian));
  }
  return below;
}
