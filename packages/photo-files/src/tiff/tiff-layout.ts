/**
 * Detects TIFFs that libvips reads wrongly or not at all: tiled planar ones, and those of CIE L*a*b*, which
 * libvips reads in 16 bits only and by another white point than TIFF's. Sources: TIFF 6.0, sections 5, 15 and
 * 23; Adobe's TIFF Technote 4.
 */
import type { Size } from '../../../contract/src/geometry.ts';
import {
  type ExifEntry,
  numberAt,
  openLayout,
  readDirectory,
  readEntry,
  withFileBytes,
  type RawEntry,
  type TiffLayout,
} from '../../../file-records/src/index.ts';
import type { YcbcrEncoding } from './ycbcr-colours.ts';

export const layoutTags = {
  width: 0x0100,
  height: 0x0101,
  bits: 0x0102,
  compression: 0x0103,
  photometric: 0x0106,
  fillOrder: 0x010a,
  stripOffsets: 0x0111,
  samples: 0x0115,
  rowsPerStrip: 0x0116,
  stripBytes: 0x0117,
  planes: 0x011c,
  predictor: 0x013d,
  whitePoint: 0x013e,
  tileWidth: 0x0142,
  tileHeight: 0x0143,
  tileOffsets: 0x0144,
  tileBytes: 0x0145,
  extraSamples: 0x0152,
  sampleFormat: 0x0153,
  jpegTables: 0x015b,
} as const;

/** Layout of the file's picture, the only page that is read. */
export interface UnusualTiff extends Size {
  bits: 8 | 16;
  bands: number;
  photometric: number;
  /** Number of pictures in the file. */
  pages: number;
  isInPlanes: boolean;
  /** Encoding of L*a*b*, if it is used. */
  lab?: LabEncoding;
  littleEndian: boolean;
  big: boolean;
  /** Entries of the picture's directory with complete values. */
  entries: ExifEntry[];
}

export interface LabEncoding {
  /** ICC's encoding stores a* and b* with an offset instead of a sign. */
  isIcc: boolean;
  /** CIE 1931 chromaticity of the white point. */
  white: readonly [x: number, y: number];
}

/** Photometric interpretation of RGB; others follow. */
export const rgb = 2;
const separatedInks = 5;
const cieLab = 8;
const iccLab = 9;
const knownPhotometrics = [0, 1, rgb, separatedInks, cieLab, iccLab];
/** Bands that are decoded: four inks, transparency and some selections. */
export const maxBands = 16;
const maxLabBands = 4;
const separate = 2;

/** Returns the layout of an unusual TIFF; undefined for others, and for those that Enlarger does not read. */
export function findUnusualTiff(path: string): UnusualTiff | undefined {
  return withFileBytes(path, (bytes) => {
    const layout = openLayout(bytes);
    if (!layout) return undefined;
    const raw = readDirectory(layout, pictureDirectory(layout).at).entries;
    // For most files only these few values are read.
    const numbers = (tag: number) => numbersOf(layout, raw, tag);
    const photometric = numbers(layoutTags.photometric)[0] ?? -1;
    const bands = numbers(layoutTags.samples)[0] ?? 1;
    const isLab = photometric === cieLab || photometric === iccLab;
    const isTiled = raw.some(({ tag }) => tag === layoutTags.tileOffsets);
    const isInPlanes = isTiled && bands > 1 && numbers(layoutTags.planes)[0] === separate;
    const limit = isLab ? maxLabBands : maxBands;
    if (!(isLab || isInPlanes) || !knownPhotometrics.includes(photometric) || bands > limit)
      return undefined;
    if (isLab && bands < 3) return undefined;
    const depths = numbers(layoutTags.bits);
    const bits = depths[0];
    const [width = 0] = numbers(layoutTags.width);
    const [height = 0] = numbers(layoutTags.height);
    const hasKnownDepth = (bits === 8 || bits === 16) && depths.every((one) => one === bits);
    const hasIntegers = numbers(layoutTags.sampleFormat).every((kind) => kind === 1 || isLab);
    if (!hasKnownDepth || !hasIntegers || width < 1 || height < 1) return undefined;
    return {
      ...{ width, height, bits, bands, photometric, isInPlanes },
      ...(isLab && { lab: { isIcc: photometric === iccLab, white: whiteOf(layout, raw) } }),
      pages: pagesOf(layout),
      littleEndian: layout.littleEndian,
      big: layout.big,
      entries: raw.flatMap((one) => readEntry(layout, one) ?? []),
    };
  });
}

const newSubfileType = 0x00fe;
/** NewSubfileType bits: reduced version of another page, mask of another page. */
const reducedOrMask = 0b101;
/** Pages that are searched for the picture. */
const maxPreviews = 32;

/**
 * Finds the page with the picture: the first that is neither a reduced version nor a mask (TIFF 6.0, section
 * 8), or the first of all.
 */
export function pictureDirectory(layout: TiffLayout): { at: number; page: number } {
  const first = layout.firstDirectory;
  for (let at = first, page = 0; at > 0 && page < maxPreviews; page += 1) {
    const { entries, next } = readDirectory(layout, at);
    if (entries.length === 0) break;
    const [kind = 0] = numbersOf(layout, entries, newSubfileType);
    if ((kind & reducedOrMask) === 0) return { at, page };
    at = next;
  }
  return { at: first, page: 0 };
}

/** Which samples of a pixel are colours, and which one is transparency. */
export interface TiffChannels {
  /** Page of the picture, from 0. */
  page: number;
  /** Number of colour samples. */
  colours: number;
  /** Set for YCbCr that libvips decodes as it is stored. */
  ycbcr?: YcbcrEncoding;
  /** Kinds of the further samples (ExtraSamples): 0 unspecified, 1 and 2 transparency. */
  extras: number[];
}

export const premultipliedAlpha = 1;
export const straightAlpha = 2;

/** Whether a kind of ExtraSamples is alpha. */
export const isTransparency = (kind: number): boolean =>
  kind === premultipliedAlpha || kind === straightAlpha;

/** Colour samples by photometric interpretation. */
const coloursOf: Partial<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 3,
  3: 1,
  5: 4,
  6: 3,
  8: 3,
  9: 3,
};

/** Reads the meaning of a TIFF's samples; undefined for layouts that cannot be parsed. */
export function readTiffChannels(path: string): TiffChannels | undefined {
  return withFileBytes(path, (bytes) => {
    const layout = openLayout(bytes);
    if (!layout) return undefined;
    const { at, page } = pictureDirectory(layout);
    const { entries } = readDirectory(layout, at);
    const numbers = (tag: number) => numbersOf(layout, entries, tag);
    const colours = coloursOf[numbers(layoutTags.photometric)[0] ?? -1];
    const [samples = 1] = numbers(layoutTags.samples);
    if (colours === undefined || samples < colours) return undefined;
    // libtiff takes a fourth sample for transparency if there is no ExtraSamples.
    const kinds = numbers(layoutTags.extraSamples);
    const isSpecified = entries.some(({ tag }) => tag === layoutTags.extraSamples);
    const extras = Array.from({ length: Math.min(samples, maxBands) - colours }, (_, i) =>
      isSpecified ? (kinds[i] ?? 0) : i === 0 ? 2 : 0,
    );
    const ycbcr = ycbcrIn(layout, entries);
    return { page, colours, extras, ...(ycbcr && { ycbcr }) };
  });
}

/** Bits of the first sample of a pixel; undefined if the file does not say it. */
export const readSampleBits = (path: string): number | undefined =>
  withFileBytes(path, (bytes) => {
    const layout = openLayout(bytes);
    if (!layout) return undefined;
    const { entries } = readDirectory(layout, pictureDirectory(layout).at);
    return numbersOf(layout, entries, layoutTags.bits)[0];
  });

const ycbcrPhotometric = 6;
/** Compressions whose decoder converts to RGB: both kinds of JPEG. */
const convertedByDecoder = [6, 7];
const ycbcrTags = { coefficients: 0x0211, subsampling: 0x0212, reference: 0x0214 };

/** libvips converts YCbCr of JPEG, and where the chroma has fewer samples than the luma. */
function ycbcrIn(layout: TiffLayout, entries: RawEntry[]): YcbcrEncoding | undefined {
  const numbers = (tag: number) => numbersOf(layout, entries, tag);
  const [compression = 1] = numbers(layoutTags.compression);
  const subsampling = numbers(ycbcrTags.subsampling);
  const isStored =
    numbers(layoutTags.photometric)[0] === ycbcrPhotometric &&
    !convertedByDecoder.includes(compression) &&
    subsampling.length === 2 &&
    subsampling.every((one) => one === 1);
  if (!isStored) return undefined;
  const [red = 0.299, green = 0.587, blue = 0.114] = fractionsOf(
    layout,
    entries,
    ycbcrTags.coefficients,
  );
  const reference = fractionsOf(layout, entries, ycbcrTags.reference);
  const isRange = [0, 2, 4].every((i) => (reference[i + 1] ?? 0) > (reference[i] ?? 0));
  return {
    coefficients: green > 0 ? [red, green, blue] : [0.299, 0.587, 0.114],
    reference: reference.length === 6 && isRange ? reference : undefined,
  };
}

/** Counting stops at this number of pictures. */
const maxPages = 10_000;

function pagesOf(layout: TiffLayout): number {
  const visited = new Set<number>();
  for (let at = layout.firstDirectory; at > 0 && !visited.has(at) && visited.size < maxPages;) {
    const { entries, next } = readDirectory(layout, at);
    if (entries.length === 0) break;
    visited.add(at);
    at = next;
  }
  return Math.max(1, visited.size);
}

/** Reads the first numbers of a SHORT or LONG entry; empty if the entry is missing. */
function numbersOf(layout: TiffLayout, entries: RawEntry[], wanted: number): number[] {
  const raw = entries.find(({ tag, type }) => tag === wanted && (type === 3 || type === 4));
  const entry = raw && readEntry(layout, raw);
  if (!entry) return [];
  const size = entry.type === 3 ? 2 : 4;
  return Array.from({ length: Math.min(entry.count, maxBands) }, (_, i) =>
    numberAt(entry.bytes, i * size, size, layout.littleEndian),
  );
}

/** Reads the numbers of a RATIONAL entry; empty if the entry is missing or has no value. */
function fractionsOf(layout: TiffLayout, entries: RawEntry[], wanted: number): number[] {
  const raw = entries.find(({ tag, type }) => tag === wanted && type === 5);
  const entry = raw && readEntry(layout, raw);
  if (!entry) return [];
  const part = (i: number) => numberAt(entry.bytes, i * 4, 4, layout.littleEndian);
  const values = Array.from(
    { length: Math.min(entry.count, maxBands) },
    (_, i) => part(2 * i) / part(2 * i + 1),
  );
  return values.every(Number.isFinite) ? values : [];
}

/** Chromaticity of D50, TIFF's default white point. */
const d50 = [0.3457, 0.3585] as const;

function whiteOf(layout: TiffLayout, entries: RawEntry[]): readonly [number, number] {
  const raw = entries.find(({ tag, type }) => tag === layoutTags.whitePoint && type === 5);
  const entry = raw && readEntry(layout, raw);
  if (!entry || entry.count < 2) return d50;
  const part = (i: number) => numberAt(entry.bytes, i * 4, 4, layout.littleEndian);
  const [x, y] = [part(0) / part(1), part(2) / part(3)];
  return x > 0 && y > 0 && x + y < 1 ? [x, y] : d50;
}
