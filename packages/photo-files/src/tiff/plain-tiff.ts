/**
 * Rewrites an unusual TIFF in the plainest layout, which libvips reads: uncompressed strips of interleaved
 * samples in a BigTIFF. L*a*b* becomes sRGB. Profile (except that of L*a*b*), orientation and resolution
 * stay.
 */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Rect } from '../../../contract/src/geometry.ts';
import { writeAll } from '../../../files/src/write-all.ts';
import type { ExifEntry } from '../../../file-records/src/index.ts';
import { longEntry, shortEntry, tags } from '../metadata/exif/exif-model.ts';
import { DirectoryWriter, putNumber } from '../metadata/exif/directory-writer.ts';
import { createYield, neverAborted } from '../../../../electron/engine/cancellation/yield.ts';
import { openPicture } from '../../../../electron/engine/raster/libvips.ts';
import {
  createSamples,
  openRaster,
  vipsSpaceOf,
  type Raster,
  type Samples,
} from '../../../../electron/engine/raster/raster-file.ts';
import { createLabConverter } from './lab-colours.ts';
import { writeReadableCopy } from './readable-copy.ts';
import { layoutTags, maxBands, rgb, type UnusualTiff } from './tiff-layout.ts';

/** Copied tags: orientation, resolution, kinds of ink and of transparency, XMP. */
const copiedTags: number[] = [
  tags.orientation,
  tags.xResolution,
  tags.yResolution,
  tags.resolutionUnit,
  0x014c, // InkSet
  0x014e, // NumberOfInks
  layoutTags.extraSamples,
  tags.xmp,
];
const headBytes = 16;
const littleEndian = true;
const unpacked = 1;

/** Builds the plain file without its pixels, which suffices for reading its metadata. */
export function plainHead(tiff: UnusualTiff): Buffer {
  const { height, lab, photometric } = tiff;
  const { entries, end, writer } = startDirectory(tiff);
  const rows = rowsOfStrip(tiff);
  const strips = Math.ceil(height / rows);
  const rowBytes = rowBytesOf(tiff);
  const size = (i: number) => Math.min(rows, height - i * rows) * rowBytes;
  const long8 = (tag: number, valueOf: (i: number) => number): ExifEntry => {
    const bytes = Buffer.alloc(8 * strips);
    for (let i = 0; i < strips; i += 1) bytes.writeBigUInt64LE(BigInt(valueOf(i)), i * 8);
    return { tag, type: 16, count: strips, bytes };
  };
  const all = (pixelsAt: number) => [
    ...entries,
    shortEntry(layoutTags.photometric, [lab ? rgb : photometric], littleEndian),
    longEntry(layoutTags.rowsPerStrip, rows, littleEndian),
    long8(layoutTags.stripOffsets, (i) => pixelsAt + i * rows * rowBytes),
    long8(layoutTags.stripBytes, size),
  ];
  // The pixels follow the directory, whose length is known only after writing it once.
  const trial = startDirectory(tiff);
  trial.writer.write(all(0));
  const pixelsAt = trial.end();
  const first = writer.write(all(pixelsAt));
  const head = Buffer.alloc(end());
  head.write('II+\0\b\0\0\0', 'latin1');
  putNumber(head, 8, 8, first, littleEndian);
  for (const { at, bytes } of writer.chunks) bytes.copy(head, at);
  return head;
}

function startDirectory(tiff: UnusualTiff) {
  const { width, height, bits, bands, lab } = tiff;
  let end = headBytes;
  const allocate = (size: number) => {
    const at = end + (-end & 7);
    end = at + size;
    return at;
  };
  const writer = new DirectoryWriter({ littleEndian, big: true, allocate });
  const copied = lab ? copiedTags : [...copiedTags, tags.icc];
  const image = tiff.entries.filter(({ tag }) => copied.includes(tag));
  const own = { image, photo: [], gps: [], interop: [], littleEndian: tiff.littleEndian };
  const short = (tag: number, ...values: number[]) => shortEntry(tag, values, littleEndian);
  const entries = [
    ...writer.writeModel(own),
    longEntry(layoutTags.width, width, littleEndian),
    longEntry(layoutTags.height, height, littleEndian),
    short(layoutTags.bits, ...Array.from({ length: bands }, () => bits)),
    short(layoutTags.compression, unpacked),
    short(layoutTags.samples, bands),
    short(layoutTags.planes, 1),
  ];
  return { entries, writer, end: () => end };
}

const stripBytes = 1024 * 1024;
const rowBytesOf = ({ width, bands, bits }: UnusualTiff) => (width * bands * bits) / 8;
const rowsOfStrip = (tiff: UnusualTiff) => Math.max(1, Math.floor(stripBytes / rowBytesOf(tiff)));

const copyName = 'readable.tif';
const plainName = 'plain.tif';
const planeNames = Array.from({ length: maxBands }, (_, plane) => `plane-${plane}.v`);
/** Files created in the folder: a readable copy, its planes, and the plain file. */
export const plainTiffFiles: readonly string[] = [copyName, ...planeNames, plainName];

/** Writes the plain file, with temporary files of twice the picture's size. @returns its path */
export async function writePlainTiff(
  path: string,
  tiff: UnusualTiff,
  scratchDir: string,
  seconds: number,
): Promise<string> {
  const copyPath = join(scratchDir, copyName);
  const pages = writeReadableCopy(path, tiff, copyPath);
  const planePaths: string[] = [];
  for (const [page, name] of planeNames.slice(0, pages).entries()) {
    const planePath = join(scratchDir, name);
    await openPicture(copyPath, { ignoreIcc: true, page })
      .toColourspace(spaceOf(tiff))
      .timeout({ seconds })
      .toFile(planePath);
    planePaths.push(planePath);
  }
  rmSync(copyPath);
  const plainPath = join(scratchDir, plainName);
  await joinPlanes(planePaths, tiff, plainPath);
  for (const planePath of planePaths) rmSync(planePath);
  return plainPath;
}

const spaceOf = ({ isInPlanes, bands, bits }: UnusualTiff) =>
  vipsSpaceOf({ bands: isInPlanes ? 1 : bands, bits });

async function joinPlanes(
  planePaths: readonly string[],
  tiff: UnusualTiff,
  plainPath: string,
): Promise<void> {
  const planes = planePaths.map((planePath) => openRaster(planePath));
  const fd = openSync(plainPath, 'wx');
  try {
    let at = writeSync(fd, plainHead(tiff));
    const yieldTurn = createYield(neverAborted);
    const convert = tiff.lab && createLabConverter(tiff.bits, tiff.lab);
    const rows = rowsOfStrip(tiff);
    const strip = createSamples(tiff, rows * tiff.width * tiff.bands);
    for (let y = 0; y < tiff.height; y += rows) {
      await yieldTurn();
      const rect = { x: 0, y, width: tiff.width, height: Math.min(rows, tiff.height - y) };
      const pixels = rect.width * rect.height;
      readJoined(planes, rect, strip);
      convert?.(strip, pixels, tiff.bands);
      const bytes = (pixels * tiff.bands * tiff.bits) / 8;
      writeAll(fd, Buffer.from(strip.buffer, strip.byteOffset, bytes), at);
      at += bytes;
    }
  } finally {
    closeSync(fd);
    for (const plane of planes) plane.close();
  }
}

/** Reads rows of all planes, interleaved. A single raster is interleaved already. */
function readJoined(planes: readonly Raster[], rect: Rect, into: Samples): void {
  const [first] = planes;
  if (!first) return;
  if (planes.length === 1) {
    first.readRect(rect, into, 0, rect.width * first.shape.bands);
    return;
  }
  const one = createSamples(first.shape, rect.width * rect.height);
  for (const [band, plane] of planes.entries()) {
    plane.readRect(rect, one, 0, rect.width);
    for (let from = 0, to = band; from < one.length; from += 1, to += planes.length)
      into[to] = one[from] ?? 0;
  }
}
