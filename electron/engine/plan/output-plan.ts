/**
 * Plans a result's format, depth and size, and refuses what cannot be made, before the network starts. Pure
 * except that it reads the size of the machine's memory.
 */
import { note, part } from '../../../packages/contract/src/notes/notes.ts';
import type { Size } from '../../../packages/contract/src/geometry.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { Scale } from '../../../packages/contract/src/common.ts';
import { encodeSeconds, type SpeedOf } from './speeds.ts';
import {
  formats,
  isDeep,
  isLossy,
  labelOf,
  sameFormat,
  type OutputFormat,
} from '../../../packages/contract/src/formats.ts';
import type {
  ConvertJob,
  JobReport,
  PlannableJob,
  PlanningFields,
  SizeTarget,
  SourceInspection,
} from '../protocol/messages.ts';
import { totalmem } from 'node:os';
import { bytesOfFrames, planFrames } from './plan-animation.ts';

type PictureSize = Pick<SourceInspection, 'format' | 'width' | 'height' | 'bitDepth'> & {
  /** Undefined: a still picture, or only the first frame is wanted. */
  frames?: number | undefined;
};

export interface OutputPlan {
  format: OutputFormat;
  /** Bits per sample of the raster that is encoded; AVIF keeps 10 of 16. */
  bits: 8 | 16;
  width: number;
  height: number;
  /** Size of the networks' output. It is resized to the result if a target size was requested. */
  enlarged: Size;
  /** Frames of an animation; 1 for a still picture. */
  frames: number;
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
  /** Time of the whole job by measured speeds; undefined while one of its networks was never measured. */
  seconds: number | undefined;
  /** The networks that run, in order. */
  networks: JobReport['ran'];
}

export interface OutputRequest extends PlanningFields {
  /** Result size in pixels, to which the passes' output is resized. */
  size?: Size | undefined;
}

/** For a result of 16 bits from a photo of 8. */
export const computedDepthNote = note('DEPTH_COMPUTED');

/**
 * Plans the output.
 *
 * @param source what the passes run on
 * @throws EnlargerError IMAGE_TOO_LARGE if the limits or a chosen format cannot hold the result
 */
export function planOutput(source: PictureSize, scale: number, request: OutputRequest): OutputPlan {
  const enlarged = { width: source.width * scale, height: source.height * scale };
  const { width, height } = request.size ?? enlarged;
  const { resultPixels } = request.limits;
  const largest = width > enlarged.width ? { width, height } : enlarged;
  if (largest.width * largest.height > resultPixels) {
    throw new EnlargerError(
      'IMAGE_TOO_LARGE',
      `The result would have ${largest.width} x ${largest.height} pixels; at most ${resultPixels / 1e6} megapixels are allowed. ${scaleThatFits(source, resultPixels)}`,
    );
  }
  const notes: string[] = [];
  const requestedBits =
    request.bitDepth === 'same' ? (source.bitDepth > 8 ? 16 : 8) : request.bitDepth;
  const requestedFormat =
    request.format === 'same'
      ? sameFormat(source.format, source.frames !== undefined)
      : request.format;
  const toHold = { width, height, bits: requestedBits, quality: request.quality };
  const format = formatThatHolds(requestedFormat, toHold, request, notes);
  const bits = isDeep(format) ? requestedBits : 8;
  const maxBits = formats[format].maxBits;
  if (request.bitDepth === 16 && bits === 16 && source.bitDepth <= 8) notes.push(computedDepthNote);
  const givenBits = source.bitDepth > 8 ? Math.min(requestedBits, source.bitDepth) : requestedBits;
  if (maxBits < givenBits)
    notes.push(
      note(source.bitDepth > 8 ? 'DEPTH_REDUCED' : 'DEPTH_NOT_HELD', {
        ...{ format: labelOf(format), max: maxBits, bits: givenBits },
      }),
    );
  if (format === 'jxl' && isLossy(format, request.quality)) notes.push(note('JXL_COLOURS'));
  if (format === 'gif') notes.push(note('GIF_COLOURS'));
  const moving = planFrames(source.frames, format, { width, height }, request.limits);
  notes.push(...moving.notes);
  return { format, bits, width, height, enlarged, frames: moving.frames, notes };
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
  notes.push(note('TIFF_INSTEAD', { objection }));
  return 'tiff';
}

/** Converts a target to pixels; each side has at least one. */
export function sizeOfTarget({ kind, value }: SizeTarget, { width, height }: Size): Size {
  const factors = {
    factor: value,
    width: value / width,
    height: value / height,
    longEdge: value / Math.max(width, height),
    shortEdge: value / Math.min(width, height),
    megapixels: Math.sqrt((value * 1e6) / (width * height)),
  };
  const side = (pixels: number) => Math.max(1, Math.round(pixels * factors[kind]));
  return { width: side(width), height: side(height) };
}

const isSmaller = (one: Size, other: Size) => one.width < other.width || one.height < other.height;

/** The smaller one of two sizes of equal proportions. */
export function smallerOf(one: Size, { width, height }: Size): Size {
  return isSmaller(one, { width, height }) ? one : { width, height };
}

/** As `sizeOfTarget`, but never larger than the picture. */
export const sizeWithin = (target: SizeTarget, size: Size): Size =>
  smallerOf(sizeOfTarget(target, size), size);

/**
 * Returns the scale whose ratio to `factor` is nearest to 1, of two equally near ones the larger. Scale 1, which
 * draws no detail, is no step of an enlargement.
 *
 * @param possible at least one as large as `factor`
 */
export function nearestScale(possible: readonly number[], factor: number): number {
  const steps = factor > 1 ? possible.filter((scale) => scale > 1) : possible;
  const distanceOf = (scale: number) => Math.abs(Math.log(scale / factor));
  return steps.reduce((best, one) => (distanceOf(one) <= distanceOf(best) ? one : best));
}

/**
 * Returns the scale nearest to a size, by ratio: 2 for 2.5 times, 4 for 3 times.
 *
 * @throws EnlargerError IMAGE_TOO_LARGE if the size is above the largest scale
 */
export function scaleFor(size: Size, source: Size, possible: readonly number[]): number {
  const max = Math.max(...possible);
  if (size.width > source.width * max || size.height > source.height * max)
    throw new EnlargerError(
      'IMAGE_TOO_LARGE',
      `${size.width} x ${size.height} pixels were asked for; this picture can have at most ${source.width * max} x ${source.height * max}, ${max} times its own.`,
    );
  return nearestScale(possible, Math.max(size.width / source.width, size.height / source.height));
}

/** Depth after a pass: 16 bits between passes, so that nothing is rounded to 8 twice. */
export const bitsAfter = (pass: number, passes: number, bits: 8 | 16) =>
  pass === passes - 1 ? bits : 16;

/** Size of a raster file: header and pixels. */
const bytesOf = (width: number, height: number, channels: number, bits: number) =>
  64 + width * height * channels * Math.ceil(bits / 8);

/**
 * Peak disk usage: input and output of a pass, the last raster before and after resizing, or the finished one with
 * a third of its size for the encoded file.
 */
export function scratchBytes(
  source: Pick<SourceInspection, 'width' | 'height' | 'bitDepth' | 'channels'>,
  passScales: readonly number[],
  plan: OutputPlan,
): number {
  const { channels } = source;
  const own = bytesOf(source.width, source.height, channels, source.bitDepth);
  const { width, height } = sizeBefore(plan.enlarged, passScales);
  let before = 2 * own;
  let peak = before;
  let scale = 1;
  for (const [i, one] of passScales.entries()) {
    scale *= one;
    const bits = bitsAfter(i, passScales.length, plan.bits);
    const after = bytesOf(width * scale, height * scale, channels, bits);
    peak = Math.max(peak, before + after);
    before = after;
  }
  const isResized = plan.width !== plan.enlarged.width;
  const finished = isResized ? bytesOf(plan.width, plan.height, channels, plan.bits) : 0;
  return Math.ceil(Math.max(peak, before * 1.33 + finished, finished * 1.33 + own));
}

/** Size of what the passes run on. */
function sizeBefore({ width, height }: Size, passScales: readonly number[]): Size {
  const scale = passScales.reduce((product, one) => product * one, 1);
  return { width: width / scale, height: height / scale };
}

/** Plans a conversion. @throws EnlargerError IMAGE_TOO_LARGE */
export function planConvert(
  job: PlannableJob<ConvertJob>,
  source: SourceInspection,
  speedOf: SpeedOf,
): JobPlan {
  const output = planOutput(source, 1, job);
  const diskBytes = scratchBytes(source, [1], output) + bytesOfFrames(source, output);
  const seconds = encodeSeconds(output, job.quality, speedOf);
  return { output, diskBytes, seconds, networks: [] };
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
  const result = { format: labelOf(format), width, height };
  const longest = formats[format].maxSidePx;
  if (longest && Math.max(width, height) > longest)
    return part('SIDE_TOO_LONG', { ...result, max: longest });
  const limit = maxPixels(format, bits, quality, memoryBytes);
  if (width * height <= limit) return undefined;
  const max = Math.floor(limit / 1e6);
  return part(formats[format].maxPixels ? 'PIXELS_TOO_MANY' : 'MEMORY_TOO_SMALL', {
    ...result,
    max,
  });
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
