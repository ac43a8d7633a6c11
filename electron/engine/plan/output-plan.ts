/**
 * Plans a result's format, depth and size, and refuses what cannot be made, before the network starts. Pure
 * except that it reads the size of the machine's memory.
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
  PlannableJob,
  PlanningFields,
  SizeTarget,
  SourceInspection,
} from '../protocol/messages.ts';
import { totalmem } from 'node:os';

type PictureSize = Pick<SourceInspection, 'format' | 'width' | 'height' | 'bitDepth'>;

export interface OutputPlan {
  format: OutputFormat;
  /** Bits per sample of the raster that is encoded; AVIF keeps 10 of 16. */
  bits: 8 | 16;
  width: number;
  height: number;
  /** Size of the networks' output, larger than the result if a target size was requested. */
  enlarged: Size;
  notes: string[];
}

/** Bits per sample of the written file: AVIF keeps ten of a raster's 16. */
export const writtenBits = ({ format, bits }: Pick<OutputPlan, 'format' | 'bits'>): number =>
  Math.min(bits, formats[format].maxBits);

/** Result and cost of a job. */
export interface JobPlan {
  output: OutputPlan;
  /** Peak disk usage. */
  diskBytes: number;
  /** Time of the networks by measured speed; undefined while one of them was never measured. */
  seconds: number | undefined;
  /** The networks that run, in order. */
  networks: JobReport['ran'];
}

export interface OutputRequest extends PlanningFields {
  /** Result size in pixels, at most the passes' output, which is reduced to it. */
  size?: Size | undefined;
}

/** For a result of 16 bits from a photo of 8. */
export const computedDepthNote =
  'The photo has 8 bits for each colour; the finer steps in the 16 of the result are computed, not photographed.';

const lossyJxlNote =
  'JPEG XL with loss keeps colours as they look: programs may read them in another profile. Quality 100 keeps every number and the profile.';

/**
 * Plans the output.
 *
 * @throws EnlargerError IMAGE_TOO_LARGE if the limits or a chosen format cannot hold the result
 */
export function planOutput(source: PictureSize, scale: number, request: OutputRequest): OutputPlan {
  const enlarged = { width: source.width * scale, height: source.height * scale };
  const { width, height } = request.size ?? enlarged;
  const { resultPixels } = request.limits;
  if (enlarged.width * enlarged.height > resultPixels) {
    throw new EnlargerError(
      'IMAGE_TOO_LARGE',
      `The result would have ${enlarged.width} x ${enlarged.height} pixels; at most ${resultPixels / 1e6} megapixels are allowed. ${scaleThatFits(source, resultPixels)}`,
    );
  }
  const notes: string[] = [];
  const requestedBits =
    request.bitDepth === 'same' ? (source.bitDepth > 8 ? 16 : 8) : request.bitDepth;
  const requestedFormat = request.format === 'same' ? sameFormat(source.format) : request.format;
  const toHold = { width, height, bits: requestedBits, quality: request.quality };
  const format = formatThatHolds(requestedFormat, toHold, request, notes);
  const bits = isDeep(format) ? requestedBits : 8;
  const maxBits = formats[format].maxBits;
  if (request.bitDepth === 16 && bits === 16 && source.bitDepth <= 8) notes.push(computedDepthNote);
  if (maxBits < requestedBits)
    notes.push(
      `${labelOf(format)} holds ${maxBits} bits for each colour; ${requestedBits} were ${source.bitDepth > 8 ? 'there' : 'asked for'}.`,
    );
  if (format === 'jxl' && isLossy(format, request.quality)) notes.push(lossyJxlNote);
  return { format, bits, width, height, enlarged, notes };
}

/** Repeated here, because importing the contract's list would load its schemas into the engine. */
const scales: readonly Scale[] = [2, 4, 8, 16];

function scaleThatFits({ width, height }: PictureSize, resultPixels: number): string {
  const fitting = scales.findLast((scale) => width * height * scale ** 2 <= resultPixels);
  return fitting ? `Choose a scale of at most ${fitting}.` : 'No scale fits.';
}

function formatThatHolds(
  format: OutputFormat,
  picture: PictureToHold,
  request: OutputRequest,
  notes: string[],
): OutputFormat {
  const objection = formatObjection(format, picture);
  if (!objection) return format;
  if (request.formatChosen) {
    throw new EnlargerError('IMAGE_TOO_LARGE', `${objection}. Choose the format tiff.`);
  }
  notes.push(`${objection}, so it was written as TIFF.`);
  return 'tiff';
}

/** Converts a target to pixels; each side has at least one. */
export function sizeOfTarget({ kind, value }: SizeTarget, { width, height }: Size): Size {
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

/** As `sizeOfTarget`, but never larger than the picture. */
export function sizeWithin(target: SizeTarget, size: Size): Size {
  const requestedFormat = sizeOfTarget(target, size);
  const { width, height } = size;
  return requestedFormat.width < width || requestedFormat.height < height
    ? requestedFormat
    : { width, height };
}

/** Returns the smallest scale that reaches a size. @throws EnlargerError IMAGE_TOO_LARGE if none does */
export function scaleFor(size: Size, source: Size, possible: readonly number[]): number {
  const found = possible.find(
    (scale) => source.width * scale >= size.width && source.height * scale >= size.height,
  );
  if (found !== undefined) return found;
  const max = Math.max(...possible);
  throw new EnlargerError(
    'IMAGE_TOO_LARGE',
    `${size.width} x ${size.height} pixels were asked for; this picture can have at most ${source.width * max} x ${source.height * max}, ${max} times its own.`,
  );
}

/** Depth after a pass: 16 bits between passes, so that nothing is rounded to 8 twice. */
export const bitsAfter = (pass: number, passes: number, bits: 8 | 16) =>
  pass === passes - 1 ? bits : 16;

/** Size of a raster file: header and pixels. */
const bytesOf = (width: number, height: number, channels: number, bits: number) =>
  64 + width * height * channels * Math.ceil(bits / 8);

/**
 * Peak disk usage: input and output of a pass, or the last raster with a third of its size for the encoded
 * file.
 */
export function scratchBytes(
  source: Pick<SourceInspection, 'width' | 'height' | 'bitDepth' | 'channels'>,
  passScales: readonly number[],
  plan: OutputPlan,
): number {
  const { width, height, channels } = source;
  let before = bytesOf(width, height, channels, source.bitDepth) * 2;
  let peak = before;
  let scale = 1;
  for (const [i, one] of passScales.entries()) {
    scale *= one;
    const bits = bitsAfter(i, passScales.length, plan.bits);
    const after = bytesOf(width * scale, height * scale, channels, bits);
    peak = Math.max(peak, before + after);
    before = after;
  }
  const isReduced = plan.width !== plan.enlarged.width;
  const finished = isReduced ? bytesOf(plan.width, plan.height, channels, plan.bits) : 0;
  return Math.ceil(Math.max(peak, before * 1.33 + finished));
}

/** Plans a conversion. @throws EnlargerError IMAGE_TOO_LARGE */
export function planConvert(job: PlannableJob<ConvertJob>, source: SourceInspection): JobPlan {
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

/** An encoder's share of memory; the rest is for the system, other programs and the engine's other work. */
const memoryShare = 0.5;

/** Returns why a format cannot hold a picture, without a full stop; undefined if it can. */
export function formatObjection(
  format: OutputFormat,
  { width, height, bits, quality }: PictureToHold,
  memoryBytes: number = totalmem(),
): string | undefined {
  const name = labelOf(format);
  const size = `the result has ${width} x ${height}`;
  const longest = formats[format].maxSidePx;
  if (longest && Math.max(width, height) > longest)
    return `${name} holds at most ${longest} pixels a side, and ${size}`;
  const limit = maxPixels(format, bits, quality, memoryBytes);
  if (width * height <= limit) return undefined;
  const millions = Math.floor(limit / 1e6);
  const where = formats[format].maxPixels ? '' : " in this machine's memory";
  return `${name} can be written up to ${millions} megapixels${where}, and ${size} pixels`;
}

function maxPixels(
  format: OutputFormat,
  bits: 8 | 16,
  quality: number | undefined,
  memoryBytes: number,
): number {
  const { maxPixels: limits, encoderBytesPerPixel: bytes } = formats[format];
  if (limits) return limits[isLossy(format, quality) ? 'lossy' : 'lossless'][bits];
  return bytes ? (memoryBytes * memoryShare) / bytes : Infinity;
}
