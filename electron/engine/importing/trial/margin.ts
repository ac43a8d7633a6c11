/**
 * Finds how many pixels around a tile its core depends on: the same part of a picture is run within a larger
 * and a smaller window, and the results are compared by their distance from the window's border.
 */
import type { NetworkDescriptor } from '../../../../packages/contract/src/models/model.ts';
import { tensorStrides, type TensorLayout } from '../../tiles/tensor-pixels.ts';
import type { TrialOutput } from '../../inference/sessions/trial-session.ts';
import { partOf, photograph, sidesOf, type TrialPicture } from './sample.ts';

interface MarginTrial extends TensorLayout {
  scale: number;
  trimPx: number;
  multiple: number;
  range: NetworkDescriptor['range'];
  fixedPx: number | undefined;
  /** Number of weights, roughly the multiplications per pixel. */
  weights: number;
  run(picture: TrialPicture): Promise<TrialOutput>;
}

type Margin = Pick<NetworkDescriptor, 'marginPx' | 'tileExact'>;

/** Difference of two runs by rounding alone, as a share of the range. */
const roundingTolerance = 1e-5;
/** Half a level of 255 as a share of the range, which blending hides. */
const blendTolerance = 1 / 510;
/** Limits of the margin of blended tiles, in pixels. */
const [minBlendedPx, maxBlendedPx] = [8, 48];
/** A margin is accepted only if the profile extends this many pixels beyond it. */
const minCorePx = 8;
const largestPx = 192;
const smallestPx = 48;

/** Two overlapping windows of one picture, whose common part is compared. Positions in input pixels. */
interface WindowPair {
  one: { x: number; y: number; sizePx: number };
  other: { x: number; y: number; sizePx: number };
}

/**
 * Measures the margin. A network too expensive for that gets the default.
 *
 * @param minPx smallest side of a window
 */
export async function measureMargin(trial: MarginTrial, minPx: number): Promise<Margin> {
  const fallback = { marginPx: Math.max(trimmed(trial), 32), tileExact: false };
  const size = wholeSize(trial, minPx);
  if (size === undefined) return fitting(trial, fallback);
  const pairs = pairsFor(trial, size, minPx);
  const first = pairs[0] as WindowPair;
  const largest = Math.max(...pairs.flatMap(({ one, other }) => [end(one), end(other)]));
  const picture = photograph(largest, largest);
  const outputOf = ({ x, y, sizePx }: WindowPair['one']) =>
    trial.run(partOf(picture, x, y, sizePx, sizePx));
  const whole = await outputOf(first.one);
  let profile: number[] = [];
  for (const pair of pairs)
    profile = larger(profile, profileOf(trial, pair, whole, await outputOf(pair.other)));
  return fitting(trial, marginFrom(trial, profile));
}

const end = ({ x, sizePx }: WindowPair['one']) => x + sizePx;
const trimmed = ({ trimPx, scale }: MarginTrial) => Math.ceil(trimPx / scale);
const larger = (a: number[], b: number[]) =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, i) => Math.max(a[i] ?? 0, b[i] ?? 0));

/** Limits the margin of a network of fixed size, so that at least half of a tile's side remains. */
function fitting({ fixedPx }: MarginTrial, margin: Margin): Margin {
  if (fixedPx === undefined || 4 * margin.marginPx <= fixedPx) return margin;
  return { marginPx: Math.floor(fixedPx / 8), tileExact: false };
}

/** Multiplications for finding the margin: a second or two on two cores. */
const budget = 6e10;

/**
 * Side of the larger window, as large as the budget allows, so that it is the same on every machine;
 * undefined if the window would be too small.
 */
function wholeSize(trial: MarginTrial, minPx: number): number | undefined {
  const { weights, multiple, fixedPx } = trial;
  if (fixedPx !== undefined) return fixedPx ** 2 * weights <= 2 * budget ? fixedPx : undefined;
  // 2.2: the whole window, and two with three quarters of its side.
  const side = Math.min(largestPx, Math.sqrt(budget / (weights * 2.2)));
  const size = Math.floor(side / multiple) * multiple;
  return size >= Math.max(smallestPx, minPx + 3 * multiple) ? size : undefined;
}

function pairsFor({ multiple, fixedPx }: MarginTrial, size: number, minPx: number): WindowPair[] {
  const whole = { x: 0, y: 0, sizePx: size };
  if (fixedPx !== undefined) {
    const shift = Math.round(size / 16) + 1;
    return [{ one: whole, other: { x: shift, y: shift, sizePx: size } }];
  }
  const inside = Math.max(Math.floor((0.75 * size) / multiple) * multiple, minPx);
  const slackSteps = (size - inside) / multiple;
  return [Math.ceil(slackSteps / 2), Math.max(1, Math.floor(slackSteps / 3))].map((steps) => ({
    one: whole,
    other: { x: steps * multiple, y: steps * multiple, sizePx: inside },
  }));
}

/** Largest difference (share of the range) at each distance (input pixels) from a border. */
function profileOf(
  trial: MarginTrial,
  { one, other }: WindowPair,
  a: TrialOutput,
  b: TrialOutput,
): number[] {
  const { scale, trimPx } = trial;
  const sizes = { a: sidesOf(trial, a.shape), b: sidesOf(trial, b.shape) };
  const steps = {
    a: tensorStrides(trial, sizes.a.width * sizes.a.height),
    b: tensorStrides(trial, sizes.b.width * sizes.b.height),
  };
  const from = other.x * scale + trimPx;
  const to = Math.min(end(one), end(other)) * scale - trimPx;
  const span = trial.range[1] - trial.range[0];
  const profile = Array.from({ length: Math.ceil(other.sizePx / 2) }, () => 0);
  for (let y = from; y < to; y += 1) {
    for (let x = from; x < to; x += 1) {
      const distance = distanceIn(trial, one, other, x, y);
      const atA = (y - trimPx) * sizes.a.width + (x - trimPx);
      const atB = (y - from) * sizes.b.width + (x - from);
      for (let band = 0; band < 3; band += 1) {
        const difference =
          Math.abs(
            (a.data[atA * steps.a.pixel + band * steps.a.colour] as number) -
              (b.data[atB * steps.b.pixel + band * steps.b.colour] as number),
          ) / span;
        if (!(difference <= (profile[distance] ?? 0))) profile[distance] = difference;
      }
    }
  }
  return profile;
}

/**
 * Input pixels from an output pixel to the nearest border of the smaller window, or of either window for a
 * network of fixed size.
 */
function distanceIn(
  { scale, fixedPx }: MarginTrial,
  one: WindowPair['one'],
  other: WindowPair['other'],
  x: number,
  y: number,
): number {
  const within = ({ x: start, sizePx }: WindowPair['one'], at: number) =>
    Math.min(at - start * scale, (start + sizePx) * scale - 1 - at);
  const inOther = Math.min(within(other, x), within(other, y));
  if (fixedPx === undefined) return Math.floor(inOther / scale);
  return Math.floor(Math.min(inOther, within(one, x), within(one, y)) / scale);
}

function marginFrom(trial: MarginTrial, profile: readonly number[]): Margin {
  const beyond = (allowed: number) => {
    const last = profile.findLastIndex((difference) => !(difference <= allowed));
    return last + 1;
  };
  const exact = Math.max(beyond(roundingTolerance), trimmed(trial));
  if (exact <= profile.length - minCorePx) return { marginPx: exact, tileExact: true };
  const near = Math.min(Math.max(beyond(blendTolerance), minBlendedPx), maxBlendedPx);
  return { marginPx: Math.max(near, trimmed(trial)), tileExact: false };
}
