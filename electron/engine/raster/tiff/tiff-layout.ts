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

/** This is the layout of the file's first picture, the only one that is read. */
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
/** Four inks with transparency have the most bands. */
export const mostBands = 5;
const mostLabBands = 4;
const separate = 2;

/** Finds the layout of an unusual TIFF. It is undefined for others, and for those that Enlarger does not read. */
export function findUnusualTiff(path: string): UnusualTiff | undefined {
  return withFileBytes(path, (bytes) => {
    const layout = openLayout(bytes);
    if (!layout) return undefined;
    const raw = readDirectory(layout, layout.firstDirectory).entries;
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
