/**
 * Copies a TIFF with new directories that libvips reads, over the same pixels, so that libvips decompresses
 * them: one grey directory per plane, or a single one that declares three bands as RGB, so that their numbers
 * are not converted.
 */
import { closeSync, constants, copyFileSync, openSync } from 'node:fs';
import type { ExifEntry } from '../../../file-records/src/index.ts';
import { shortEntry } from '../metadata/exif/exif-model.ts';
import { appendDirectories } from '../metadata/exif/directory-writer.ts';
import { layoutTags, rgb, type UnusualTiff } from './tiff-layout.ts';

const commonTags: readonly number[] = [
  layoutTags.width,
  layoutTags.height,
  layoutTags.compression,
  layoutTags.fillOrder,
  layoutTags.predictor,
  layoutTags.tileWidth,
  layoutTags.tileHeight,
  layoutTags.jpegTables,
];
const interleavedTags: readonly number[] = [
  ...commonTags,
  layoutTags.bits,
  layoutTags.samples,
  layoutTags.planes,
  layoutTags.stripOffsets,
  layoutTags.rowsPerStrip,
  layoutTags.stripBytes,
  layoutTags.tileOffsets,
  layoutTags.tileBytes,
  layoutTags.extraSamples,
];
const planarTags: readonly number[] = [layoutTags.tileOffsets, layoutTags.tileBytes];
const grey = 1;

/** Writes the copy. @returns its number of pages */
export function writeReadableCopy(path: string, tiff: UnusualTiff, toPath: string): number {
  copyFileSync(path, toPath, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const fd = openSync(toPath, 'r+');
  try {
    const pages = pagesOf(tiff);
    // Directories are written from last to first, because each points to the next.
    appendDirectories(fd, tiff, (writer) =>
      pages.reduceRight((next, entries) => writer.write(entries, next), 0),
    );
    return pages.length;
  } finally {
    closeSync(fd);
  }
}

const pagesOf = (tiff: UnusualTiff): ExifEntry[][] =>
  tiff.isInPlanes
    ? Array.from({ length: tiff.bands }, (_, plane) => directoryOfPlane(tiff, plane))
    : [directoryOfAll(tiff)];

const entriesOf = ({ entries }: UnusualTiff, wanted: readonly number[]) =>
  entries.filter(({ tag }) => wanted.includes(tag));

function directoryOfPlane(tiff: UnusualTiff, plane: number): ExifEntry[] {
  const { bits, bands, littleEndian } = tiff;
  const short = (tag: number, value: number) => shortEntry(tag, [value], littleEndian);
  return [
    ...entriesOf(tiff, commonTags),
    ...entriesOf(tiff, planarTags).map((entry) => shareOfPlane(entry, plane, bands)),
    short(layoutTags.bits, bits),
    short(layoutTags.photometric, grey),
    short(layoutTags.samples, 1),
    short(layoutTags.planes, 1),
  ];
}

/** One plane's share of a list with the tiles of all planes, plane after plane. */
function shareOfPlane(entry: ExifEntry, plane: number, planes: number): ExifEntry {
  const count = Math.floor(entry.count / planes);
  const size = (entry.bytes.length / entry.count) * count;
  return { ...entry, count, bytes: entry.bytes.subarray(plane * size, (plane + 1) * size) };
}

function directoryOfAll(tiff: UnusualTiff): ExifEntry[] {
  return [
    ...entriesOf(tiff, interleavedTags),
    shortEntry(layoutTags.photometric, [rgb], tiff.littleEndian),
  ];
}
