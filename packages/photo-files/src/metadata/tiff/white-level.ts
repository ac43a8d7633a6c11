/** The white level of DNG, and its default written into files of floating-point samples, for LibRaw. */
import {
  numberAt,
  numbersByTag,
  bytesInMemory,
  openLayout,
  readDirectory,
  readEntry,
  type RawEntry,
  type TiffLayout,
} from '../../../../file-records/src/index.ts';
import { DirectoryWriter, putNumber } from '../exif/directory-writer.ts';
import { shortEntry } from '../exif/exif-model.ts';

const sampleFormatTag = 0x0153;
const samplesTag = 0x0115;
const subDirectoriesTag = 0x014a;
const whiteLevelTag = 0xc61d;
const dngVersionTag = 0xc612;
const floatFormat = 3;

const hasDngVersion = (layout: TiffLayout): boolean =>
  readDirectory(layout, layout.firstDirectory).entries.some(({ tag }) => tag === dngVersionTag);

/** Whether the file is a DNG, whose WhiteLevel is the value of a saturated sensor by definition. */
export function isDng(file: Buffer): boolean {
  const layout = openLayout(bytesInMemory(file));
  return layout !== undefined && hasDngVersion(layout);
}

/** Offsets of a DNG's first directory and of those below it; none for other files. */
export function dngDirectories(file: Buffer): number[] {
  const layout = openLayout(bytesInMemory(file));
  if (!layout || !hasDngVersion(layout)) return [];
  const { entries } = readDirectory(layout, layout.firstDirectory);
  const size = layout.big ? 8 : 4;
  const below = subPointers(layout, entries).filter((at) => at + size <= file.length);
  return [
    layout.firstDirectory,
    ...below.map((at) => numberAt(file, at, size, layout.littleEndian)),
  ];
}

/**
 * Returns a DNG whose floating-point directories all have a WhiteLevel: DNG's default is 1.0 (DNG 1.7,
 * "WhiteLevel"), but LibRaw assumes 65,535 and develops black. Other files are returned unchanged.
 */
export function withWhiteLevel(file: Buffer): Buffer {
  const layout = openLayout(bytesInMemory(file));
  if (!layout || !hasDngVersion(layout)) return file;
  const { entries } = readDirectory(layout, layout.firstDirectory);
  const pointers = [layout.big ? 8 : 4, ...subPointers(layout, entries)];
  let changed = file;
  for (const pointer of pointers) changed = repairDirectory(changed, layout, pointer);
  return changed;
}

/** Offsets of the pointers to the directories below the first one. */
function subPointers({ big }: TiffLayout, entries: readonly RawEntry[]): number[] {
  const entry = entries.find(({ tag }) => tag === subDirectoriesTag);
  if (!entry || entry.count > 16) return [];
  const size = big ? 8 : 4;
  return Array.from({ length: entry.count }, (_, i) => entry.valueAt + i * size);
}

function repairDirectory(file: Buffer, { littleEndian, big }: TiffLayout, pointer: number): Buffer {
  const layout = openLayout(bytesInMemory(file));
  if (!layout || pointer + (big ? 8 : 4) > file.length) return file;
  const at = numberAt(file, pointer, big ? 8 : 4, littleEndian);
  const { entries, next } = readDirectory(layout, at);
  const numberOf = numbersByTag(layout, entries);
  const isFloat = numberOf(sampleFormatTag) === floatFormat;
  if (!isFloat || entries.some(({ tag }) => tag === whiteLevelTag)) return file;
  const whole = entries.flatMap((raw) => readEntry(layout, raw) ?? []);
  // An unreadable value would be lost.
  if (whole.length !== entries.length) return file;
  let end = file.length;
  const writer = new DirectoryWriter({
    littleEndian,
    big,
    allocate: (size) => {
      const place = end + (end % 2);
      end = place + size;
      return place;
    },
  });
  const white = Array.from({ length: numberOf(samplesTag) ?? 1 }, () => 1);
  const first = writer.write([...whole, shortEntry(whiteLevelTag, white, littleEndian)], next);
  const copy = Buffer.concat([file, Buffer.alloc(end - file.length)]);
  for (const chunk of writer.chunks) chunk.bytes.copy(copy, chunk.at);
  putNumber(copy, pointer, big ? 8 : 4, first, littleEndian);
  return copy;
}
