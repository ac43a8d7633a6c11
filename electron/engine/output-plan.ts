/**
 * What the result will be: format, bits, size; and what cannot be, before the network starts. Pure but for the machine's
 * memory.
 */
import type { Size } from '../contract/geometry.ts';
import { EnlargerError } from '../contract/errors.ts';
import type { Scale } from '../contract/common.ts';
import {
  formats,
  isDeep,
  isLossy,
  labelOf,
  sameFormat,
  type OutputFormat,
} from '../contract/formats.ts';
import type {
  ConvertJob,
  JobReport,
  Planned,
  PlannedFrame,
  SizeWish,
  SourceInspection,
} from './protocol.ts';
import { totalmem } from 'node:os';

type PictureSize = Pick<SourceInspection, 'format' | 'width' | 'height' | 'bitDepth'>;

export interface OutputPlan {
  format: OutputFormat;
  /** Bits of the raster that is encoded; AVIF makes 10 of 16. */
  bits: 8 | 16;
  width: number;
  height: number;
  /** What the networks make; larger than the result where a size was asked for. */
  enlarged: Size;
  notes: string[];
}

/** Bits of each colour in the written file: AVIF keeps ten of a 16-bit raster's. */
export const writtenBits = ({ format, bits }: Pick<OutputPlan, 'format' | 'bits'>): number =>
  Math.min(bits, formats[format].maxBits);

/** What a job makes and takes. */
export interface JobPlan {
  output: OutputPlan;
  /** Most disk that is taken at one time. */
  diskBytes: number;
  /** Of the networks, by measured speed; undefined while one was never measured. */
  seconds: number | undefined;
  /** The networks that run, in order. */
  networks: JobReport['ran'];
}

export interface OutputWish extends PlannedFrame {
  /** Pixels of the result, at most what the passes make; it is reduced to them. */
  size?: Size | undefined;
}

/** What 16 bits of a photo with 8 are. */
export const computedDepthNote =
  'The photo has 8 bits for each colour; the finer steps in the 16 of the result are computed, not photographed.';

const lossyJxlNote =
  'JPEG XL with loss keeps colours as they look: programs may read them in another profile. Quality 100 keeps every number and the profile.';

/** Throws IMAGE_TOO_LARGE when the limits or a chosen format cannot hold the result. */
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

/** The contract's list would bring its schemas into the engine. */
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

/** The size that a target means for a picture; each side at least a pixel. */
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

/** The same for a picture that is never made larger. */
export function sizeWithin(target: SizeWish, size: Size): Size {
  const wished = sizeOfTarget(target, size);
  const { width, height } = size;
  return wished.width < width || wished.height < height ? wished : { width, height };
}

/** The smallest of the scales that reaches a size. Throws IMAGE_TOO_LARGE when none does. */
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

/** Between passes colours are kept in 16 bits, so that nothing is rounded twice. */
export const bitsAfter = (pass: number, passes: number, bits: 8 | 16) =>
  pass === passes - 1 ? bits : 16;

/** Header and pixels, about. */
const bytesOf = (width: number, height: number, channels: number, bits: number) =>
  64 + width * height * channels * Math.ceil(bits / 8);

/** Most disk that is taken at one time: a pass's input and output, and a third for the encoded file. */
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

/** Of a result that is saved again. Throws IMAGE_TOO_LARGE. */
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
