/**
 * Tells how large a result's file will be before a pixel of it is made: by how many bytes the source itself takes for
 * a pixel, and by what pieces of 55 photographs became, whose laws stand in the formats' rows. All of it is pure.
 */
import {
  detailLawOf,
  formats,
  isLossy,
  type OutputFormat,
  type SizeKnots,
  type SizeLaw,
} from '../../contract/formats.ts';
import type { OutputPlan } from './output-plan.ts';
import type { SourceInspection } from '../protocol/messages.ts';

/** The part of what is asked on which the size depends. */
interface SizeAsked {
  quality?: number | undefined;
  /** So much of the picture is left, 0-1; absent means all of it. */
  share?: number;
  /** The grain that is laid over it has this deviation in levels of 255; absent means none. */
  grain?: number | undefined;
}

const usualQuality = 92;
/** A cut-out keeps this share of its picture: the median of what is not cleared. */
export const subjectShare = 0.45;

/** Guesses a result's bytes. */
export function fileBytesOf(
  source: SourceInspection,
  plan: Pick<OutputPlan, 'format' | 'bits' | 'width' | 'height'>,
  { quality: asked, share = 1, grain = 0 }: SizeAsked = {},
): number {
  const quality = asked ?? usualQuality;
  const { format, bits, width, height } = plan;
  const pixels = width * height;
  const scale = Math.sqrt(pixels / (source.width * source.height));
  const { at, slope, step, slopeStep } = lawOf(format, quality);
  // From what was fitted at 2x and 4x on to the other scales.
  const doublings = Math.min(3, Math.max(-1, Math.log2(scale) - 1));
  const detail = Math.log(detailOf(source));
  const perPixel = Math.exp(at + step * doublings + (slope + slopeStep * doublings) * detail);
  // What the network computes below the eighth bit is as good as noise.
  const deep = bits > 8 && !isLossy(format, quality) ? source.channels : 0;
  const most = source.channels * (bits / 8) * 1.02;
  // Where no quality was asked for, a JPEG has its colour as its source has it.
  const isHalved = asked === undefined && format === 'jpeg' && source.halfColour === true;
  const colour = isHalved ? jpegShare(quality, true) / jpegShare(quality, false) : 1;
  const grains = grainBytes(format, quality, grain, scale);
  const whole = Math.min(most, perPixel * colour + deep + grains);
  return Math.round(headBytes + pixels * whole * share);
}

/**
 * Grain adds to a pixel's bytes as measured over eleven photographs at 1x, 2x and 4x: with loss in proportion to the
 * grain, and the less the coarser it is drawn; without loss ever less for each further level.
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
  if (exact === undefined) return between(lossy, quality);
  return lossy && isLossy(format, quality) ? between(lossy, quality) : exact;
}

/** Interpolates between the qualities that were fitted; beyond them a law goes as JPEG's sizes do. */
function between(knots: SizeKnots, quality: number): SizeLaw {
  const [[low, a], [high, b], part] = around(knots, quality);
  if (low === high) {
    const grown = jpegShare(quality, false) / jpegShare(low, false);
    return { ...a, at: a.at + Math.log(grown) };
  }
  const mix = (name: keyof SizeLaw) => a[name] + (b[name] - a[name]) * part;
  return { at: mix('at'), slope: mix('slope'), step: mix('step'), slopeStep: mix('slopeStep') };
}

/** Finds the rows beside a place, and how far from the lower to the upper it lies; past the ends both are the last. */
function around<Row extends readonly [number, ...unknown[]]>(
  rows: readonly [Row, ...Row[]],
  at: number,
): [low: Row, high: Row, part: number] {
  const low = rows.findLast(([place]) => place <= at) ?? rows[0];
  const high = rows.find(([place]) => place >= at) ?? low;
  return [low, high, high[0] > low[0] ? (at - low[0]) / (high[0] - low[0]) : 0];
}

/** The shares are medians of a JPEG's bytes over those at quality 85: with full colour, and with half of it. */
type Share = readonly [quality: number, fullColour: number, halfColour: number];
const jpegShares: readonly [Share, ...Share[]] = [
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
  const [low, high, part] = around(jpegShares, quality);
  return low[column] + (high[column] - low[column]) * part;
}

/** This is the median of 45 photographs, for one whose file tells nothing. */
const usualDetail = 0.2;

/** Answers the bytes a pixel that the source would take as a JPEG of quality 85 with full colour, within 0.005..2. */
function detailOf(source: SourceInspection): number {
  return Math.min(2, Math.max(0.005, knownDetail(source) ?? usualDetail));
}

/** The answer is undefined where the file's size tells nothing: its format has no law, or packs nothing here. */
function knownDetail(source: SourceInspection): number | undefined {
  const { format, width, height, sizeBytes, channels, bitDepth } = source;
  const perPixel = sizeBytes / (width * height);
  if (format === 'jpeg')
    return perPixel / jpegShare(source.jpegQuality ?? usualQuality, source.halfColour ?? true);
  const found = detailLawOf(format, source.lossless === true);
  if (found === undefined) return undefined;
  const [factor, exponent] = found.law;
  const unpacked = channels * Math.ceil(bitDepth / 8);
  if (found.mayBeUnpacked && perPixel > unpacked * 0.95) return undefined;
  const hasLowerBits = found.ofUpperBits && bitDepth > 8;
  const counted = hasLowerBits ? Math.max(perPixel - channels, perPixel / 3) : perPixel;
  return factor * counted ** exponent;
}
