/**
 * Repairs TIFFs whose pixels are complete but whose directory makes libtiff warn: unsorted or duplicate
 * entries, values of no length, numbers out of range, dangling further directories. The copy has a new
 * directory of the entries needed for decoding, over the same pixels.
 */
import { closeSync, constants, copyFileSync, openSync } from 'node:fs';
import {
  type ExifEntry,
  numberAt,
  openLayout,
  readDirectory,
  readEntry,
  withFileBytes,
  type TiffLayout,
} from '../../../file-records/src/index.ts';
import { longEntry, tags } from '../metadata/exif/exif-model.ts';
import { appendDirectories } from '../metadata/exif/directory-writer.ts';
import { layoutTags, pictureDirectory } from '../tiff/tiff-layout.ts';

/** What libtiff needs to decode, and the profile, which is needed to convert inks. */
const neededTags: readonly number[] = [
  ...Object.values(layoutTags),
  0x0124, // T4Options
  0x0125, // T6Options
  0x0140, // ColorMap
  0x014c, // InkSet
  0x014e, // NumberOfInks
  0x0211, // YCbCrCoefficients
  0x0212, // YCbCrSubSampling
  0x0213, // YCbCrPositioning
  0x0214, // ReferenceBlackWhite
  tags.icc,
];
const uncompressed = 1;
/** Types of needed entries: BYTE, SHORT, LONG, RATIONAL, UNDEFINED, and BigTIFF's LONG8. */
const knownTypes = [1, 3, 4, 5, 7, 16];

interface RepairPlan {
  layout: Pick<TiffLayout, 'littleEndian' | 'big'>;
  entries: ExifEntry[];
  /** Rows whose pixels are inside the file. */
  rows: number;
  height: number;
}

type TiffRepair = { kind: 'repaired' } | { kind: 'cut'; rows: number; height: number };

/** Writes the repaired copy, or returns how much of a truncated file is there. */
export function repairTiff(path: string, copyPath: string): TiffRepair | undefined {
  const plan = withFileBytes(path, (bytes) => {
    const layout = openLayout(bytes);
    return layout && planRepair(layout);
  });
  if (!plan) return undefined;
  const { layout, entries, rows, height } = plan;
  if (rows < height) return { kind: 'cut', rows, height };
  copyFileSync(path, copyPath, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const fd = openSync(copyPath, 'r+');
  try {
    appendDirectories(fd, layout, (writer) => writer.write(entries));
  } finally {
    closeSync(fd);
  }
  return { kind: 'repaired' };
}

function planRepair(layout: TiffLayout): RepairPlan | undefined {
  const seenTags = new Set<number>();
  const entries: ExifEntry[] = [];
  for (const raw of readDirectory(layout, pictureDirectory(layout).at).entries) {
    if (!neededTags.includes(raw.tag) || seenTags.has(raw.tag)) continue;
    const entry = knownTypes.includes(raw.type) ? readEntry(layout, raw) : undefined;
    if (!entry) continue;
    seenTags.add(raw.tag);
    entries.push(entry);
  }
  const numbers = (tag: number) => numbersOf(layout, entries, tag);
  const [height = 0] = numbers(layoutTags.height);
  const [width = 0] = numbers(layoutTags.width);
  if (width < 1 || height < 1) return undefined;
  const isTiled = seenTags.has(layoutTags.tileOffsets);
  const offsets = numbers(isTiled ? layoutTags.tileOffsets : layoutTags.stripOffsets);
  if (offsets.length === 0) return undefined;
  const [rowsPerStrip = height] = numbers(layoutTags.rowsPerStrip);
  const sizesTag = isTiled ? layoutTags.tileBytes : layoutTags.stripBytes;
  let sizes = numbers(sizesTag);
  if (!isTiled && sizes.every((size) => size === 0)) {
    const computed = stripSizes(numbers, width, height, Math.min(rowsPerStrip, height));
    if (!computed) return undefined;
    sizes = computed;
    const others = entries.filter(({ tag }) => tag !== sizesTag);
    const parts = sizes.map((size) => longEntry(sizesTag, size, layout.littleEndian).bytes);
    const bytes = Buffer.concat(parts);
    entries.splice(0, entries.length, ...others, {
      tag: sizesTag,
      type: 4,
      count: sizes.length,
      bytes,
    });
  }
  const isInside = (offset: number, i: number) => offset + (sizes[i] ?? 0) <= layout.bytes.size;
  const firstLost = offsets.findIndex((offset, i) => !isInside(offset, i));
  const rows = firstLost < 0 ? height : isTiled ? 0 : rowsBefore(firstLost);
  return { layout, entries, rows, height };

  function rowsBefore(strip: number): number {
    const stripsDown = Math.ceil(height / Math.max(1, rowsPerStrip));
    const before = (strip % stripsDown) * rowsPerStrip;
    const [rowBytes] = stripSizes(numbers, width, 1, 1) ?? [];
    const there = layout.bytes.size - (offsets[strip] ?? 0);
    const inStrip = rowBytes === undefined ? 0 : Math.floor(Math.max(0, there) / rowBytes);
    return Math.min(height, before + inStrip);
  }
}

/** Sizes of uncompressed strips with interleaved colours. */
function stripSizes(
  numbers: (tag: number) => number[],
  width: number,
  height: number,
  rows: number,
): number[] | undefined {
  const [compression = uncompressed] = numbers(layoutTags.compression);
  const [planes = 1] = numbers(layoutTags.planes);
  if (compression !== uncompressed || planes !== 1) return undefined;
  const [bands = 1] = numbers(layoutTags.samples);
  const depths = numbers(layoutTags.bits);
  const rowBytes = Math.ceil((width * bands * (depths[0] ?? 1)) / 8);
  return Array.from(
    { length: Math.ceil(height / rows) },
    (_, i) => rowBytes * Math.min(rows, height - i * rows),
  );
}

function numbersOf(layout: TiffLayout, entries: readonly ExifEntry[], wanted: number): number[] {
  const entry = entries.find(({ tag, type }) => tag === wanted && [3, 4, 16].includes(type));
  if (!entry) return [];
  const size = entry.type === 3 ? 2 : entry.type === 4 ? 4 : 8;
  return Array.from({ length: entry.bytes.length / size }, (_, i) =>
    numberAt(entry.bytes, i * size, size, layout.littleEndian),
  );
}
