/**
 * Finds the TIFFs that libvips reads wrongly or not at all: those with each colour in tiles of its own, and
 * those of CIE L*a*b*, which libvips takes in 16 bits only, and by another white than the one that TIFF
 * means. The sources are TIFF 6.0, sections 5, 15 and 23, and Adobe's TIFF Technote 4.
 */
import type { Size } from '../../../contract/geometry.ts';
import type { ExifEntry } from '../../../files/tiff/exif-model.ts';
import {
  numberAt,
  openLayout,
  readDirectory,
  readEntry,
  withFileBytes,
  type RawEntry,
  type TiffLayout,
} from '../../../files/tiff/tiff-directory.ts';

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

/** The layout of the file's picture, the only one of its pages that is read. */
export interface UnusualTiff extends Size {
  bits: 8 | 16;
  bands: number;
  photometric: number;
  /** The file holds so many pictures. */
  pages: number;
  isInPlanes: boolean;
  /** It says how the numbers encode L*a*b*, where they do. */
  lab?: LabEncoding;
  littleEndian: boolean;
  big: boolean;
  /** The entries are those of the picture's directory whose values are whole. */
  entries: ExifEntry[];
}

export interface LabEncoding {
  /** In ICC's encoding a* and b* are stored with an offset in place of a sign. */
  isIcc: boolean;
  /** The white has this chromaticity, by CIE 1931. */
  white: readonly [x: number, y: number];
}

/** This is TIFF's photometric interpretation for RGB. The others follow. */
export const rgb = 2;
const separatedInks = 5;
const cieLab = 8;
const iccLab = 9;
const joined = [0, 1, rgb, separatedInks, cieLab, iccLab];
/** Bands that are decoded: four inks, transparency and some selections. */
export const mostBands = 16;
const mostLabBands = 4;
const separate = 2;

/** Finds the layout of an unusual TIFF. It is undefined for others, and for those that Enlarger does not read. */
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
    const most = isLab ? mostLabBands : mostBands;
    if (!(isLab || isInPlanes) || !joined.includes(photometric) || bands > most) return undefined;
    if (isLab && bands < 3) return undefined;
    const depths = numbers(layoutTags.bits);
    const bits = depths[0];
    const [width = 0] = numbers(layoutTags.width);
    const [height = 0] = numbers(layoutTags.height);
    const isWhole = (bits === 8 || bits === 16) && depths.every((one) => one === bits);
    const isCounted = numbers(layoutTags.sampleFormat).every((kind) => kind === 1 || isLab);
    if (!isWhole || !isCounted || width < 1 || height < 1) return undefined;
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
/** Bits of NewSubfileType: a smaller version of another page, and a mask of another page. */
const reducedOrMask = 0b101;
/** Pages that are looked through for the picture. */
const maxPreviews = 32;

/**
 * Finds the page that holds the picture: the first that is not a smaller version or a mask of another (TIFF
 * 6.0, section 8), or the first of all.
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

/** Which samples of a pixel are colours, and which one is its transparency. */
export interface TiffChannels {
  /** The picture's page, counted from 0. */
  page: number;
  /** Samples of colour. */
  colours: number;
  /** The further samples, each by its kind in ExtraSamples: 0 anything, 1 and 2 transparency. */
  extras: number[];
}

/** ExtraSamples' kinds 1 and 2: transparency with which the colours are multiplied, or not. */
export const isTransparency = (kind: number): boolean => kind === 1 || kind === 2;

/** Samples of colour by photometric interpretation. */
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

/** Reads what a TIFF says of its samples. It is undefined for layouts that cannot be followed. */
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
    // libtiff takes a fourth sample for transparency where no ExtraSamples says what it is.
    const kinds = numbers(layoutTags.extraSamples);
    const isSaid = entries.some(({ tag }) => tag === layoutTags.extraSamples);
    const extras = Array.from({ length: Math.min(samples, mostBands) - colours }, (_, i) =>
      isSaid ? (kinds[i] ?? 0) : i === 0 ? 2 : 0,
    );
    return { page, colours, extras };
  });
}

/** Counting stops at so many pictures. */
const mostPages = 10_000;

function pagesOf(layout: TiffLayout): number {
  const seen = new Set<number>();
  for (let at = layout.firstDirectory; at > 0 && !seen.has(at) && seen.size < mostPages;) {
    const { entries, next } = readDirectory(layout, at);
    if (entries.length === 0) break;
    seen.add(at);
    at = next;
  }
  return Math.max(1, seen.size);
}

/** Reads the first numbers of a SHORT or LONG entry. The list is empty where the entry is missing. */
function numbersOf(layout: TiffLayout, entries: RawEntry[], wanted: number): number[] {
  const raw = entries.find(({ tag, type }) => tag === wanted && (type === 3 || type === 4));
  const entry = raw && readEntry(layout, raw);
  if (!entry) return [];
  const size = entry.type === 3 ? 2 : 4;
  return Array.from({ length: Math.min(entry.count, mostBands) }, (_, i) =>
    numberAt(entry.bytes, i * size, size, layout.littleEndian),
  );
}

/** This is the chromaticity of CIE's D50, which TIFF means where no white is named. */
const d50 = [0.3457, 0.3585] as const;

function whiteOf(layout: TiffLayout, entries: RawEntry[]): readonly [number, number] {
  const raw = entries.find(({ tag, type }) => tag === layoutTags.whitePoint && type === 5);
  const entry = raw && readEntry(layout, raw);
  if (!entry || entry.count < 2) return d50;
  const part = (i: number) => numberAt(entry.bytes, i * 4, 4, layout.littleEndian);
  const [x, y] = [part(0) / part(1), part(2) / part(3)];
  return x > 0 && y > 0 && x + y < 1 ? [x, y] : d50;
}
