/** What the formats and their encoders can hold of a picture. Pure but for the machine's memory. */
import { totalmem } from 'node:os';
import { formats, isLossy, labelOf, type OutputFormat } from '../contract/formats.ts';

export interface PictureToHold {
  width: number;
  height: number;
  bits: 8 | 16;
  quality?: number | undefined;
}

/** The rest is for the system, other programs and what else the engine does. */
const memoryShare = 0.5;

/** Why the format cannot hold the picture, to be ended by a sentence; undefined when it can. */
export function whyNotHeld(
  format: OutputFormat,
  { width, height, bits, quality }: PictureToHold,
  memoryBytes: number = totalmem(),
): string | undefined {
  const name = labelOf(format);
  const size = `the result has ${width} x ${height}`;
  const longest = formats[format].longestSidePx;
  if (longest && Math.max(width, height) > longest)
    return `${name} holds at most ${longest} pixels a side, and ${size}`;
  const most = mostPixels(format, bits, quality, memoryBytes);
  if (width * height <= most) return undefined;
  const millions = Math.floor(most / 1e6);
  const where = formats[format].mostPixels ? '' : " in this machine's memory";
  return `${name} can be written up to ${millions} megapixels${where}, and ${size} pixels`;
}

function mostPixels(
  format: OutputFormat,
  bits: 8 | 16,
  quality: number | undefined,
  memoryBytes: number,
): number {
  const { mostPixels: most, encoderBytesPerPixel: bytes } = formats[format];
  if (most) return most[isLossy(format, quality) ? 'lossy' : 'lossless'][bits];
  return bytes ? (memoryBytes * memoryShare) / bytes : Infinity;
}
