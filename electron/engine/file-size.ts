/**
 * How large a result's file will be, before a pixel of it is made: by how many bytes the source itself takes for a
 * pixel, and by what pieces of 55 photographs became. `npm run bench:sizes` measures how true it is. Pure.
 */
import { isLossy, type OutputFormat } from '../contract/formats.ts';
import type { OutputPlan } from './output-plan.ts';
import type { SourceInspection } from './protocol.ts';

/** Of what is asked, that which the size depends on. */
interface SizeAsked {
  quality?: number | undefined;
  /** What is left of the picture, 0-1; absent: all of it. */
  share?: number;
  /** Deviation of the grain that is laid over it, in levels of 255; absent: none. */
  grain?: number | undefined;
}

const usualQuality = 92;
/** Of a cut-out: the median of what is not cleared. */
export const subjectShare = 0.45;

/** A result's bytes; a guess. */
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
 * What grain adds to a pixel's bytes, as measured over eleven photographs at 1x, 2x and 4x: with loss in proportion to
 * it, and the less the coarser it is drawn; without loss ever less for each further level.
 */
function grainBytes(
  format: OutputFormat,
  quality: number,
  deviation: number,
  scale: number,
): number {
  if (deviation === 0) return 0;
  const { exact, lossy } = grainLaws[format];
  if (!isLossy(format, quality)) return exact[0] * deviation ** exact[1];
  return lossy * jpegShare(quality, false) * deviation * Math.min(1, 2 / scale) ** 0.65;
}

const exactly = [0.19, 0.57] as const;
const grainLaws: Record<OutputFormat, { lossy: number; exact: readonly [number, number] }> = {
  jpeg: { lossy: 0.013, exact: exactly },
  webp: { lossy: 0.013, exact: exactly },
  avif: { lossy: 0.018, exact: exactly },
  jxl: { lossy: 0.018, exact: exactly },
  png: { lossy: 0, exact: exactly },
  tiff: { lossy: 0, exact: [0.15, 0.67] },
};

const headBytes = 500;

/** ln(bytes a pixel) = at + slope ln(detail), at 2x; `step`s for each doubling beyond it. */
interface Law {
  at: number;
  slope: number;
  step: number;
  slopeStep: number;
}

type Knots = readonly [Knot, ...Knot[]];
/** With loss by the quality, without loss one law; one that is lossless at 100 alone has both. */
type Laws = { lossy: Knots; exact?: undefined } | { exact: Law; lossy?: Knots };

function lawOf(format: OutputFormat, quality: number): Law {
  const { lossy, exact } = laws[format];
  if (exact === undefined) return between(lossy, quality);
  return lossy && isLossy(format, quality) ? between(lossy, quality) : exact;
}

const law = (at: number, slope: number, step: number, slopeStep: number): Law => ({
  at,
  slope,
  step,
  slopeStep,
});

/** Least squares over pieces of 352 x 256 pixels, enlarged with Natural. */
const fitted: Record<'jpeg' | 'webp' | 'avif', Knots> = {
  jpeg: [
    [80, law(-0.68, 1.12, -0.46, -0.02)],
    [92, law(-0.18, 1, -0.43, -0.09)],
    [97, law(0.13, 0.82, -0.45, -0.15)],
  ],
  webp: [
    [80, law(-0.83, 1.38, -0.71, -0.1)],
    [92, law(-0.29, 1.31, -0.62, -0.07)],
  ],
  avif: [
    [60, law(-1.16, 1.33, -0.65, -0.1)],
    [92, law(-0.17, 1.25, -0.6, -0.1)],
  ],
};
const laws: Record<OutputFormat, Laws> = {
  jpeg: { lossy: fitted.jpeg },
  webp: { lossy: fitted.webp },
  avif: { lossy: fitted.avif },
  png: { exact: law(1.59, 0.75, -0.11, -0.02) },
  tiff: { exact: law(1.17, 0.72, -0.35, -0.12) },
  jxl: { exact: law(1.25, 0.75, -0.11, -0.02), lossy: fitted.avif },
};

type Knot = readonly [quality: number, law: Law];

/** Between the qualities that were fitted; beyond them it goes as JPEG's sizes do. */
function between(knots: Knots, quality: number): Law {
  const [[low, a], [high, b], part] = around(knots, quality);
  if (low === high) {
    const grown = jpegShare(quality, false) / jpegShare(low, false);
    return { ...a, at: a.at + Math.log(grown) };
  }
  const mix = (name: keyof Law) => a[name] + (b[name] - a[name]) * part;
  return law(mix('at'), mix('slope'), mix('step'), mix('slopeStep'));
}

/** The rows at or beside a place, and how far from the lower to the upper one it is; at the ends the last one twice. */
function around<Row extends readonly [number, ...unknown[]]>(
  rows: readonly [Row, ...Row[]],
  at: number,
): [low: Row, high: Row, part: number] {
  const low = rows.findLast(([place]) => place <= at) ?? rows[0];
  const high = rows.find(([place]) => place >= at) ?? low;
  return [low, high, high[0] > low[0] ? (at - low[0]) / (high[0] - low[0]) : 0];
}

/** Bytes of a JPEG over those at quality 85, medians: with full colour, and with half of it. */
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

/** Of a photograph that tells nothing: the median of 45. */
const usualDetail = 0.2;

/** Bytes for each pixel that the source would take as a JPEG of quality 85 with full colour. */
function detailOf(source: SourceInspection): number {
  const { format, width, height, sizeBytes, channels, bitDepth } = source;
  const perPixel = sizeBytes / (width * height);
  const whole = channels * Math.ceil(bitDepth / 8);
  // Of 16 bits the lower ones are noise, which every file holds as it is.
  const upper = bitDepth > 8 ? Math.max(perPixel - channels, perPixel / 3) : perPixel;
  const known: Record<string, () => number> = {
    jpeg: () => perPixel / jpegShare(source.jpegQuality ?? usualQuality, source.halfColour ?? true),
    png: () => 0.137 * upper ** 0.88,
    tiff: () => (perPixel > whole * 0.95 ? usualDetail : 0.141 * upper ** 1.12),
    webp: () => (source.lossless ? 0.236 * perPixel ** 1.08 : 1.053 * perPixel ** 0.68),
    avif: () => 1.58 * perPixel ** 0.78,
    heic: () => 1.58 * perPixel ** 0.78,
    jxl: () => (source.lossless ? 0.25 * perPixel ** 1.08 : 1.4 * perPixel ** 0.78),
  };
  return Math.min(2, Math.max(0.005, known[format]?.() ?? usualDetail));
}
