/** What the formats and their encoders can hold of a picture. Pure but for the machine's memory. */
import { totalmem } from 'node:os';
import type { OutputFormat } from '../contract/common.ts';

const names: Partial<Record<OutputFormat, string>> = { webp: 'WebP', jxl: 'JPEG XL' };
/** As a person writes it. */
export const nameOf = (format: OutputFormat) => names[format] ?? format.toUpperCase();

export interface PictureToHold {
  width: number;
  height: number;
  bits: 8 | 16;
  quality?: number | undefined;
}

/**
 * Most pixels a side: of JPEG, WebP and AVIF by their formats. JPEG XL's encoder takes 2048 rows of a
 * picture at once, and its memory ends at 2 GB.
 */
const longestSide: Partial<Record<OutputFormat, number>> = {
  jpeg: 65_500,
  webp: 16_383,
  avif: 16_384,
  jxl: 32_768,
};

/**
 * Most pixels that its encoder writes with 4 bands, measured: with loss 24 million of 16 bits took 0.9 GB
 * and 48 million failed; without loss 96 million of 16 bits took 0.7 GB.
 */
const mostJxlPixels = { lossy: { 8: 48e6, 16: 24e6 }, lossless: { 8: 96e6, 16: 96e6 } };

/** From this quality on a JPEG XL file holds every number as it is. */
const losslessJxlQuality = 100;
export const isLosslessJxl = (quality: number | undefined) => quality === losslessJxlQuality;

/**
 * Encoders that hold the whole picture: bytes of memory for each pixel, measured with sharp 0.35 (lossless
 * WebP 36, AVIF in full colour 76).
 */
const bytesPerPixel: Partial<Record<OutputFormat, number>> = { webp: 40, avif: 80 };
/** The rest is for the system, other programs and what else the engine does. */
const memoryShare = 0.5;

/** Why the format cannot hold the picture, to be ended by a sentence; undefined when it can. */
export function whyNotHeld(
  format: OutputFormat,
  { width, height, bits, quality }: PictureToHold,
  memoryBytes: number = totalmem(),
): string | undefined {
  const name = nameOf(format);
  const size = `the result has ${width} x ${height}`;
  const longest = longestSide[format];
  if (longest && Math.max(width, height) > longest)
    return `${name} holds at most ${longest} pixels a side, and ${size}`;
  const most = mostPixels(format, bits, quality, memoryBytes);
  if (width * height <= most) return undefined;
  const millions = Math.floor(most / 1e6);
  const where = format === 'jxl' ? '' : " in this machine's memory";
  return `${name} can be written up to ${millions} megapixels${where}, and ${size} pixels`;
}

function mostPixels(
  format: OutputFormat,
  bits: 8 | 16,
  quality: number | undefined,
  memoryBytes: number,
): number {
  if (format === 'jxl') return mostJxlPixels[isLosslessJxl(quality) ? 'lossless' : 'lossy'][bits];
  const bytes = bytesPerPixel[format];
  return bytes ? (memoryBytes * memoryShare) / bytes : Infinity;
}
