/**
 * Plans a result's format, bits and size, and refuses what cannot be made, before the network starts. The
 * code is pure except that it reads the size of the machine's memory.
 */
import type { Size } from '../../contract/geometry.ts';
import { EnlargerError } from '../../contract/errors.ts';
import type { Scale } from '../../contract/common.ts';
import {
  formats,
  isDeep,
  isLossy,
  labelOf,
  sameFormat,
  type OutputFormat,
} from '../../contract/formats.ts';
import type {
  ConvertJob,
  JobReport,
  Planned,
  PlannedFrame,
  SizeWish,
  SourceInspection,
} from '../protocol/messages.ts';
import { totalmem } from 'node:os';

type PictureSize = Pick<SourceInspection, 'format' | 'width' | 'height' | 'bitDepth'>;

export interface OutputPlan {
  format: OutputFormat;
  /** Bits of each colour in the raster that is encoded; AVIF makes 10 of 16. */
  bits: 8 | 16;
  width: number;
  height: number;
  /** The size that the networks make, which is larger than the result where a size was asked for. */
  enlarged: Size;
  notes: string[];
}

/** Gives the bits of each colour in the written file: AVIF keeps ten of a raster's 16. */
export const writtenBits = ({ format, bits }: Pick<OutputPlan, 'format' | 'bits'>): number =>
  Math.min(bits, formats[format].maxBits);

/** What a job makes, and what it takes of disk and time. */
export interface JobPlan {
  output: OutputPlan;
  /** The most disk that is taken at one time. */
  diskBytes: number;
  /** The seconds of the networks by measured speed; undefined while one of them was never measured. */
  seconds: number | undefined;
  /** The networks that run, in order. */
  networks: JobReport['ran'];
}

export interface OutputWish extends PlannedFrame {
  /** The result's size in pixels, at most what the passes make, which is then reduced to it. */
  size?: Size | undefined;
}

/** Explains what 16 bits mean where the photo has 8. */
export const computedDepthNote =
  'The photo has 8 bits for each colour; the finer steps in the 16 of the result are computed, not photographed.';

const lossyJxlNote =
  'JPEG XL with loss keeps colours as they look: programs may read them in another profile. Quality 100 keeps every number and the profile.';

/** Plans the output. It throws IMAGE_TOO_LARGE when the limits or a chosen format cannot hold the result. */
export function planOutput(source: PictureSize, scale: number, wish: OutputWish): OutputPlan {
  const enlarged = { width: source.width * scale, height: source.height * scale };
  const { width, height } = wish.size ?? enlarged;
  const { resultPixels } = wish.limits;
  if (enlarged.width * enlarged.height > resultPixels) {
    throw new EnlargerError(
      'IMAGE_TOO_LARGE',
      `The result would have ${enlarged.width} x ${enlarged.height} pixels; at most ${resultPixels / 1e6} megapixels are allowed. ${scaleThatFits(source, resultPixels)}`,
    );
  }
  const notes: string[] = [];
  const wanted = wish.bitDepth === 'same' ? (source.bitDepth > 8 ? 16 : 8) : wish.bitDepth;
  const wished = wish.format === 'same' ? sameFormat(source.format) : wish.format;
  const toHold = { width, height, bits: wanted, quality: wish.quality };
  const format = formatThatHolds(wished, toHold, wish, notes);
  const bits = isDeep(format) ? wanted : 8;
  const held = formats[format].maxBits;
  if (wish.bitDepth === 16 && bits === 16 && source.bitDepth <= 8) notes.push(computedDepthNote);
  if (held < wanted)
    notes.push(
      `${labelOf(format)} holds ${held} bits for each colour; ${wanted} were ${source.bitDepth > 8 ? 'there' : 'asked for'}.`,
    );
  if (format === 'jxl' && isLossy(format, wish.quality)) notes.push(lossyJxlNote);
  return { format, bits, width, height, enlarged, notes };
}

/** The list stands here again, because the contract's would bring its schemas into the engine. */
const scales: readonly Scale[] = [2, 4, 8, 16];

function scaleThatFits({ width, height }: PictureSize, resultPixels: number): string {
  const fitting = scales.findLast((scale) => width * height * scale ** 2 <= resultPixels);
  return fitting ? `Choose a scale of at most ${fitting}.` : 'No scale fits.';
}

function formatThatHolds(
  format: OutputFormat,
  picture: PictureToHold,
  wish: OutputWish,
  notes: string[],
): OutputFormat {
  const why = whyNotHeld(format, picture);
  if (!why) return format;
  if (wish.formatChosen) {
    throw new EnlargerError('IMAGE_TOO_LARGE', `${why}. Choose the format tiff.`);
  }
  notes.push(`${why}, so it was written as TIFF.`);
  return 'tiff';
}

/** Gives the size that a target means for a picture; each side has at least one pixel. */
export function sizeOfTarget({ kind, value }: SizeWish, { width, height }: Size): Size {
  const factors = {
    factor: value,
    width: value / width,
    height: value / height,
    longEdge: value / Math.max(width, height),
    megapixels: Math.sqrt((value * 1e6) / (width * height)),
  };
  const side = (pixels: number) => Math.max(1, Math.round(pixels * factors[kind]));
  return { width: side(width), height: side(height) };
}

/** Gives the size that a target means for a picture that is never made larger. */
export function sizeWithin(target: SizeWish, size: Size): Size {
  const wished = sizeOfTarget(target, size);
  const { width, height } = size;
  return wished.width < width || wished.height < height ? wished : { width, height };
}

/** Finds the smallest possible scale that reaches a size. It throws IMAGE_TOO_LARGE when none does. */
export function scaleFor(size: Size, source: Size, possible: readonly number[]): number {
  const found = possible.find(
    (scale) => source.width * scale >= size.width && source.height * scale >= size.height,
  );
  if (found !== undefined) return found;
  const most = Math.max(...possible);
  throw new EnlargerError(
    'IMAGE_TOO_LARGE',
    `${size.width} x ${size.height} pixels were asked for; this picture can have at most ${source.width * most} x ${source.height * most}, ${most} times its own.`,
  );
}

/** Gives the bits after a pass: between passes colours keep 16, so that nothing is rounded to 8 twice. */
export const bitsAfter = (pass: number, passes: number, bits: 8 | 16) =>
  pass === passes - 1 ? bits : 16;

/** Gives about the bytes of a raster file: its header and its pixels. */
const bytesOf = (width: number, height: number, channels: number, bits: number) =>
  64 + width * height * channels * Math.ceil(bits / 8);

/**
 * Gives the most disk that is taken at one time: the input and output of a pass, or the last raster with a
 * third of its size for the encoded file.
 */
export function scratchBytes(
  source: Pick<SourceInspection, 'width' | 'height' | 'bitDepth' | 'channels'>,
  passScales: readonly number[],
  plan: OutputPlan,
): number {
  const { width, height, channels } = source;
  let before = bytesOf(width, height, channels, source.bitDepth) * 2;
  let most = before;
  let scale = 1;
  for (const [i, one] of passScales.entries()) {
    scale *= one;
    const bits = bitsAfter(i, passScales.length, plan.bits);
    const after = bytesOf(width * scale, height * scale, channels, bits);
    most = Math.max(most, before + after);
    before = after;
  }
  const isReduced = plan.width !== plan.enlarged.width;
  const finished = isReduced ? bytesOf(plan.width, plan.height, channels, plan.bits) : 0;
  return Math.ceil(Math.max(most, before * 1.33 + finished));
}

/** Plans a result that is saved again in another format. It throws IMAGE_TOO_LARGE. */
export function planConvert(job: Planned<ConvertJob>, source: SourceInspection): JobPlan {
  const output = planOutput(source, 1, job);
  const diskBytes = scratchBytes(source, [1], output);
  return { output, diskBytes, seconds: undefined, networks: [] };
}

interface PictureToHold {
  width: number;
  height: number;
  bits: 8 | 16;
  quality?: number | undefined;
}

/** An encoder's share of memory; the rest is for the system, other programs and other work of the engine. */
const memoryShare = 0.5;

/** Says why a format cannot hold a picture, without the full stop; the answer is undefined when it can. */
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
