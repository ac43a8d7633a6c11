/**
 * Predicts seconds from measured speeds of networks and encoders. The engine measures them
 * (device-registry.ts); its host passes them to the service.
 */
import { isLossy, type OutputFormat } from '../../../packages/contract/src/formats.ts';
import type { Size } from '../../../packages/contract/src/geometry.ts';
import type { Timings } from '../../../packages/contract/src/task.ts';
import type { JobReport, SpeedMeasurement } from '../protocol/messages.ts';

type NetworkRun = JobReport['ran'][number];
/** A network's speed in input megapixels per second; undefined: never measured. */
export type SpeedOf = (pass: NetworkRun) => number | undefined;

/** Exponential moving average with weight 1/2. */
export const averagedSpeed = (known: number | undefined, now: number): number =>
  known === undefined ? now : (known + now) / 2;

/** Whether no other programs took the processors while a speed was measured. */
export const isCalm = (
  speed: Pick<SpeedMeasurement, 'isDoubtful' | 'isBusy'> | undefined,
): boolean => speed !== undefined && !speed.isDoubtful && !speed.isBusy;

/** Measured speeds, without doubtful ones. @param speeds all measured speeds, the latest last */
export const measuredAmong =
  (speeds: readonly SpeedMeasurement[]): SpeedOf =>
  ({ modelId, scale }) => {
    const latest = speeds.findLast((speed) => speed.modelId === modelId && speed.scale === scale);
    return latest?.isDoubtful === true ? undefined : latest?.megapixelsPerSecond;
  };

/**
 * Time per input pixel grows with this power of the scale: a model's networks compute at the size of the photo, and
 * differ in the pixels that they write. 12 megapixels take 1.31 times as long at 4x as at 2x (docs/measured.md).
 */
const scaleExponent = Math.log2(39.4 / 30.2);

/** Shipped models whose networks of a scale compute alike: a tile takes them equally long (models/natural.md). */
const alikeModels = ['natural', 'detail', 'faithful'];

const areAlike = (one: string, other: string): boolean =>
  one === other || (alikeModels.includes(one) && alikeModels.includes(other));

/**
 * Speeds for estimates: measured ones, else by that of an enlarging network of a model alike at the same scale, else
 * by that of another scale.
 */
export const speedAmong = (speeds: readonly SpeedMeasurement[]): SpeedOf => {
  const measured = measuredAmong(speeds);
  return (pass) => {
    const own = measured(pass);
    if (own !== undefined || pass.scale === 1) return own;
    const siblings = speeds.filter(
      (speed) =>
        areAlike(speed.modelId, pass.modelId) && speed.scale !== 1 && measured(speed) !== undefined,
    );
    const isOfScale = ({ scale }: SpeedMeasurement) => scale === pass.scale;
    const sibling = siblings.findLast(isOfScale) ?? siblings.at(-1);
    return sibling && sibling.megapixelsPerSecond * (sibling.scale / pass.scale) ** scaleExponent;
  };
};

/** A pass over fewer megapixels, margins included, is short: loading the network counts in it. */
const minRecordedMegapixels = 0.2;
/** The same where a calm speed is known already. */
const minComparedMegapixels = 1;
/** A short pass that takes longer tells a rough speed all the same. */
const minShortSeconds = 1;

interface PassRun {
  /** Input megapixels, and those computed with margins. */
  megapixels: number;
  computed: number;
  seconds: number;
  /** Other programs took much of the processors. */
  isBusy: boolean;
}

/**
 * The speed that a pass of a photo tells; undefined if it tells none.
 * @param isKnown a calm speed of its network is known
 */
export function passSpeed(
  { megapixels, computed, seconds, isBusy }: PassRun,
  isKnown: boolean,
): Pick<SpeedMeasurement, 'megapixelsPerSecond' | 'isBusy'> | undefined {
  const isShort = computed <= minRecordedMegapixels;
  if (isKnown && computed <= minComparedMegapixels) return undefined;
  if (seconds <= (isShort ? minShortSeconds : 0.1)) return undefined;
  return {
    megapixelsPerSecond: megapixels / seconds,
    ...((isBusy || isShort) && { isBusy: true as const }),
  };
}

/** Input megapixels of each pass, in order. */
export function passMegapixels(passes: readonly NetworkRun[], { width, height }: Size): number[] {
  let megapixels = (width * height) / 1e6;
  return passes.map(({ scale }) => {
    const own = megapixels;
    megapixels *= scale ** 2;
    return own;
  });
}

/** Seconds of each pass; undefined: its network was never measured. */
export function secondsOfPasses(
  passes: readonly NetworkRun[],
  size: Size,
  speedOf: SpeedOf,
): (number | undefined)[] {
  const megapixels = passMegapixels(passes, size);
  return passes.map((pass, i) => {
    const speed = speedOf(pass);
    return speed === undefined ? undefined : (megapixels[i] as number) / speed;
  });
}

/** Seconds of all passes together; undefined while one of the networks was never measured. */
export function secondsOf(
  passes: readonly NetworkRun[],
  size: Size,
  speedOf: SpeedOf,
): number | undefined {
  return secondsOfPasses(passes, size, speedOf).reduce(
    (sum, one) => (sum === undefined || one === undefined ? undefined : sum + one),
    0,
  );
}

/** Median of at least one speed; the mean of the two in the middle for an even count. */
export function medianSpeed(speeds: readonly number[]): number {
  const sorted = [...speeds].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] as number;
  return sorted.length % 2 === 1
    ? upper
    : (upper + (sorted[(sorted.length >> 1) - 1] as number)) / 2;
}

/** The edge of a cut-out is solved on a copy of at most so many pixels. */
export const maxWorkingPixels = 2_000_000;

/** Source pixels per pixel of that copy along a side. */
export const workingFactorOf = ({ width, height }: Size, limit = maxWorkingPixels): number =>
  Math.ceil(Math.sqrt((width * height) / limit));

/** The speed of a cut-out's network refers to a photo of this size. */
const referencePhoto = { width: 4000, height: 3000 };
/** Cost of a pixel of the copy on which the edge is solved, in pixels of the photo. */
const workingCost = 8;
/** Constant cost of a cut-out in megapixels: its network sees copies of one size. */
const constantMegapixels = 4;

function cutoutCost(size: Size): number {
  const megapixels = (size.width * size.height) / 1e6;
  return megapixels + (workingCost * megapixels) / workingFactorOf(size) ** 2 + constantMegapixels;
}

/** Converts a cut-out's size to the megapixels of a reference photo of the same cost. */
export const cutoutMegapixels = (size: Size): number =>
  (((referencePhoto.width * referencePhoto.height) / 1e6) * cutoutCost(size)) /
  cutoutCost(referencePhoto);

/** Seconds of a cut-out from decoding to its last raster; undefined while its network was never measured. */
export function secondsOfCutout(modelId: string, size: Size, speedOf: SpeedOf): number | undefined {
  const speed = speedOf({ modelId, scale: 1 });
  return speed && cutoutMegapixels(size) / speed;
}

/** What is written: the frames of an animation are encoded together. */
interface Written extends Size {
  format: OutputFormat;
  frames: number;
}

/** Output megapixels per second of comparing and encoding, until a job has shown this machine's. */
const assumedEncodeSpeeds: Record<OutputFormat, number> = {
  jpeg: 35,
  png: 17,
  tiff: 10,
  webp: 5,
  jxl: 5,
  gif: 5,
  avif: 0.8,
};

/** Seconds of a cut-out in which the photo is handed over, inspected and published. */
export const handoverSeconds = 0.1;

/** Seconds for decoding and measuring a photo, which take about the same for small and large ones. */
export const preparingSeconds = 0.35;

const megapixelsOf = ({ width, height, frames }: Omit<Written, 'format'>) =>
  (width * height * frames) / 1e6;

/** Results of at least this many pixels get their tiles beside the encoder. */
export const minTiledPixels = 16e6;

const isTiled = ({ width, height }: Size) => width * height >= minTiledPixels;

/** Megapixels per second by which tiles slow an encoder down, until a job has shown it. */
const assumedTilingSpeed = 40;

/**
 * Under an id that no model can have, so that encoders' speeds are stored with those of the networks: one for small
 * results, and one for those with tiles.
 */
function encoderOf(
  format: OutputFormat,
  quality: number | undefined,
  beside: 'alone' | 'tiles',
): NetworkRun {
  const encoder = isLossy(format, quality) ? `encode:${format}` : `encode:${format}:lossless`;
  return { modelId: beside === 'tiles' ? `${encoder}:tiled` : encoder, scale: 1 };
}

/** Seconds of comparing and encoding a result. */
export function encodeSeconds(
  written: Written,
  quality: number | undefined,
  speedOf: SpeedOf,
): number {
  const { format } = written;
  const megapixels = megapixelsOf(written);
  const tiledSpeed = isTiled(written) ? speedOf(encoderOf(format, quality, 'tiles')) : undefined;
  if (tiledSpeed !== undefined) return megapixels / tiledSpeed;
  const speed = speedOf(encoderOf(format, quality, 'alone')) ?? assumedEncodeSpeeds[format];
  return megapixels / speed + (isTiled(written) ? megapixels / assumedTilingSpeed : 0);
}

/** Smaller results tell more of a cold start than of the encoder. */
const minEncodedMegapixels = 1;

/** Speed of a job's encoder with everything that follows the networks; undefined if the result is too small. */
export function encodeSpeed(
  written: Written,
  quality: number | undefined,
  { compareMs = 0, composeMs = 0, encodeMs = 0 }: Timings,
): SpeedMeasurement | undefined {
  const megapixels = megapixelsOf(written);
  const seconds = (compareMs + composeMs + encodeMs) / 1000;
  if (megapixels < minEncodedMegapixels || seconds === 0) return undefined;
  return {
    ...encoderOf(written.format, quality, isTiled(written) ? 'tiles' : 'alone'),
    ...{ provider: 'cpu', precision: 'fp32', megapixelsPerSecond: megapixels / seconds },
  };
}
