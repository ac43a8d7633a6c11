/**
 * Predicts a result's file size before a pixel is computed: from the source's bytes per pixel, by laws fitted
 * to crops of 55 photographs (contract/formats). Pure.
 */
import {
  detailLawOf,
  formats,
  isLossy,
  type OutputFormat,
  type SizeKnots,
  type SizeLaw,
} from '../../../packages/contract/src/formats.ts';
import type { OutputPlan } from './output-plan.ts';
import type { SourceInspection } from '../protocol/messages.ts';

/** Options on which the size depends. */
interface SizeOptions {
  quality?: number | undefined;
  /** Share of the picture that is not cleared, 0-1; absent: 1. */
  share?: number;
  /** Standard deviation of the added grain in levels of 255; absent: none. */
  grain?: number | undefined;
}

const defaultQuality = 92;
/** Median share of a picture that a cut-out keeps. */
export const subjectShare = 0.45;

/** @returns the predicted size in bytes */
export function fileBytesOf(
  source: SourceInspection,
  plan: Pick<OutputPlan, 'format' | 'bits' | 'width' | 'height'>,
  { quality: requestedQuality, share = 1, grain = 0 }: SizeOptions = {},
): number {
  const quality = requestedQuality ?? defaultQuality;
  const { format, bits, width, height } = plan;
  const pixels = width * height;
  const scale = Math.sqrt(pixels / (source.width * source.height));
  const { at, slope, step, slopeStep } = lawOf(format, quality);
  // The laws were fitted at 2x and 4x; other scales are extrapolated.
  const doublings = Math.min(3, Math.max(-1, Math.log2(scale) - 1));
  const detail = Math.log(detailOf(source));
  const perPixel = Math.exp(at + step * doublings + (slope + slopeStep * doublings) * detail);
  // Bits that the network computes below the eighth are incompressible.
  const deep = bits > 8 && !isLossy(format, quality) ? source.channels : 0;
  const maxPerPixel = source.channels * (bits / 8) * 1.02;
  // Without a requested quality a JPEG keeps its source's chroma subsampling.
  const isHalved =
    requestedQuality === undefined && format === 'jpeg' && source.halfColour === true;
  const colour = isHalved ? jpegShare(quality, true) / jpegShare(quality, false) : 1;
  const grains = grainBytes(format, quality, grain, scale);
  const whole = Math.min(maxPerPixel, perPixel * colour + deep + grains);
  return Math.round(headBytes + pixels * whole * share);
}

/**
 * Bytes that grain adds per pixel, measured on eleven photographs at 1x, 2x and 4x: in lossy formats
 * proportional to the grain, and less the coarser it is; in lossless ones sublinear.
 */
function grainBytes(
  format: OutputFormat,
  quality: number,
  deviation: number,
  scale: number,
): number {
  if (deviation === 0) return 0;
  const { exact, lossy } = formats[format].size.grain;
  if (!isLossy(format, quality)) return exact[0] * deviation ** exact[1];
  return lossy * jpegShare(quality, false) * deviation * Math.min(1, 2 / scale) ** 0.65;
}

const headBytes = 500;

function lawOf(format: OutputFormat, quality: number): SizeLaw {
  const { lossy, exact } = formats[format].size;
  if (exact === undefined) return interpolate(lossy, quality);
  return lossy && isLossy(format, quality) ? interpolate(lossy, quality) : exact;
}

/** Interpolates between the fitted qualities; beyond them sizes scale as JPEG's do. */
function interpolate(knots: SizeKnots, quality: number): SizeLaw {
  const [[low, a], [high, b], part] = bracket(knots, quality);
  if (low === high) {
    const grown = jpegShare(quality, false) / jpegShare(low, false);
    return { ...a, at: a.at + Math.log(grown) };
  }
  const mix = (name: keyof SizeLaw) => a[name] + (b[name] - a[name]) * part;
  return { at: mix('at'), slope: mix('slope'), step: mix('step'), slopeStep: mix('slopeStep') };
}

/**
 * Returns the rows on both sides of a value and its position between them, 0..1; beyond the ends both are the
 * last row.
 */
function bracket<Row extends readonly [number, ...unknown[]]>(
  rows: readonly [Row, ...Row[]],
  at: number,
): [low: Row, high: Row, part: number] {
  const low = rows.findLast(([key]) => key <= at) ?? rows[0];
  const high = rows.find(([key]) => key >= at) ?? low;
  return [low, high, high[0] > low[0] ? (at - low[0]) / (high[0] - low[0]) : 0];
}

/** Median size of a JPEG relative to quality 85, with 4:4:4 and with 4:2:0 chroma. */
type SizeRatio = readonly [quality: number, fullColour: number, halfColour: number];
const jpegShares: readonly [SizeRatio, ...SizeRatio[]] = [
  [1, 0.12, 0.1],
  [40, 0.4, 0.33],
  [60, 0.54, 0.44],
  [75, 0.72, 0.59],
  [85, 1, 0.79],
  [90, 1.28, 1.01],
  [95, 1.88, 1.45],
  [97, 2.46, 1.81],
  [98, 2.84, 2.07],
  [99, 3.6, 2.54],
  [100, 4.48, 2.85],
];

function jpegShare(quality: number, halfColour: boolean): number {
  const column = halfColour ? 2 : 1;
  const [low, high, part] = bracket(jpegShares, quality);
  return low[column] + (high[column] - low[column]) * part;
}

/** Median of 45 photographs, for a source whose file size tells nothing. */
const typicalDetail = 0.2;

/** Bytes per pixel of the source as a JPEG of quality 85 with 4:4:4 chroma, clamped to 0.005..2. */
function detailOf(source: SourceInspection): number {
  return Math.min(2, Math.max(0.005, knownDetail(source) ?? typicalDetail));
}

/**
 * Returns undefined if the file's size tells nothing: its format has no law, or does not compress this file.
 */
function knownDetail(source: SourceInspection): number | undefined {
  const { format, width, height, sizeBytes, channels, bitDepth } = source;
  const perPixel = sizeBytes / (width * height);
  if (format === 'jpeg')
    return perPixel / jpegShare(source.jpegQuality ?? defaultQuality, source.halfColour ?? true);
  const found = detailLawOf(format, source.lossless === true);
  if (found === undefined) return undefined;
  const [factor, exponent] = found.law;
  const unpacked = channels * Math.ceil(bitDepth / 8);
  if (found.mayBeUnpacked && perPixel > unpacked * 0.95) return undefined;
  const hasLowerBits = found.ofUpperBits && bitDepth > 8;
  const counted = hasLowerBits ? Math.max(perPixel - channels, perPixel / 3) : perPixel;
  return factor * counted ** exponent;
}
