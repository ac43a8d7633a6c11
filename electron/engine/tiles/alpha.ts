/**
 * Transparency in a pass: alpha is enlarged bicubically. Colours are first spread under neighbouring
 * transparent pixels, because their hidden colours would darken the edge.
 */
import type { SampleView } from './tensor-pixels.ts';

/** Distance, in input pixels, to which colours are spread under transparent pixels. */
const spreadPx = 8;
/** Input pixels around a core on which its alpha and its colours depend. */
export const alphaMarginPx = spreadPx + 2;

/** Age of a pixel that has no colour yet. */
const unknown = 255;

/**
 * Replaces the colour of fully transparent pixels within `spreadPx` of visible ones by the mean of their
 * neighbours.
 */
export function spreadColours(view: SampleView, width: number, height: number): void {
  const age = agesOf(view, width, height);
  if (!age) return;
  for (let round = 1; round <= spreadPx; round += 1) {
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        if (age[y * width + x] === unknown) spreadInto(view, age, width, height, x, y, round);
      }
    }
  }
}

/**
 * Returns for each pixel the round in which its colour becomes known: 0 if it is visible, else `unknown`.
 * Returns undefined if all pixels are visible or none is, because nothing can be spread then.
 */
function agesOf(view: SampleView, width: number, height: number): Uint8Array | undefined {
  const age = new Uint8Array(width * height);
  let hidden = 0;
  for (let y = 0; y < height; y += 1) {
    let at = view.offset + y * view.stride + view.bands - 1;
    for (let x = 0; x < width; x += 1, at += view.bands) {
      if (view.samples[at] !== 0) continue;
      age[y * width + x] = unknown;
      hidden += 1;
    }
  }
  return hidden > 0 && hidden < age.length ? age : undefined;
}

/** Sets a pixel to the mean colour of the neighbours known before this round; leaves it if there are none. */
function spreadInto(
  view: SampleView,
  age: Uint8Array,
  width: number,
  height: number,
  x: number,
  y: number,
  round: number,
): void {
  let count = 0;
  let [first, second, third] = [0, 0, 0];
  const [top, bottom] = [Math.max(y - 1, 0), Math.min(y + 1, height - 1)];
  const [left, right] = [Math.max(x - 1, 0), Math.min(x + 1, width - 1)];
  for (let v = top; v <= bottom; v += 1) {
    for (let u = left; u <= right; u += 1) {
      if ((age[v * width + u] as number) >= round) continue;
      const from = view.offset + v * view.stride + u * view.bands;
      count += 1;
      first += view.samples[from] as number;
      if (view.bands < 4) continue;
      second += view.samples[from + 1] as number;
      third += view.samples[from + 2] as number;
    }
  }
  if (count === 0) return;
  age[y * width + x] = round;
  const at = view.offset + y * view.stride + x * view.bands;
  view.samples[at] = Math.round(first / count);
  if (view.bands < 4) return;
  view.samples[at + 1] = Math.round(second / count);
  view.samples[at + 2] = Math.round(third / count);
}

/** Cubic convolution kernel with a = -1/2 (Keys 1981). */
function cubicKernel(distance: number): number {
  const d = Math.abs(distance);
  if (d < 1) return 1.5 * d ** 3 - 2.5 * d ** 2 + 1;
  return d < 2 ? -0.5 * d ** 3 + 2.5 * d ** 2 - 4 * d + 2 : 0;
}

/** Filter taps shared by all output pixels at one offset within an input pixel. */
interface FilterPhase {
  /** Offset of the first of the four input pixels from the one in which the output pixel lies. */
  first: number;
  weights: readonly [number, number, number, number];
}

function filterPhases(scale: number): FilterPhase[] {
  return Array.from({ length: scale }, (_, phase) => {
    const centre = (phase + 0.5) / scale - 0.5;
    const first = Math.floor(centre) - 1;
    const weightOf = (tap: number) => cubicKernel(centre - (first + tap));
    return { first, weights: [weightOf(0), weightOf(1), weightOf(2), weightOf(3)] };
  });
}

/**
 * Enlarges the alpha band of `from` into that of `to`.
 *
 * @param from view of `width` x `height` pixels; two more pixels must be readable on each side
 */
export function enlargeAlpha(
  from: SampleView,
  to: SampleView,
  width: number,
  height: number,
  scale: number,
): void {
  const phases = filterPhases(scale);
  const gain = (2 ** to.bits - 1) / (2 ** from.bits - 1);
  const top = 2 ** to.bits - 1;
  const rows = new Float32Array(width * scale * (height + 4));
  const row = width * scale;
  const { bands, samples } = from;
  for (let y = -2; y < height + 2; y += 1) {
    const source = from.offset + y * from.stride + bands - 1;
    for (let phase = 0; phase < scale; phase += 1) {
      const { first, weights } = phases[phase] as FilterPhase;
      const [a, b, c, d] = weights;
      let at = source + first * bands;
      for (let x = phase; x < row; x += scale, at += bands) {
        rows[(y + 2) * row + x] =
          a * (samples[at] as number) +
          b * (samples[at + bands] as number) +
          c * (samples[at + 2 * bands] as number) +
          d * (samples[at + 3 * bands] as number);
      }
    }
  }
  for (let y = 0; y < height * scale; y += 1) {
    const { first, weights } = phases[y % scale] as FilterPhase;
    const [a, b, c, d] = weights;
    let at = (Math.floor(y / scale) + first + 2) * row;
    let target = to.offset + y * to.stride + to.bands - 1;
    for (let x = 0; x < row; x += 1, at += 1, target += to.bands) {
      const value =
        a * (rows[at] as number) +
        b * (rows[at + row] as number) +
        c * (rows[at + 2 * row] as number) +
        d * (rows[at + 3 * row] as number);
      to.samples[target] = Math.min(Math.max(Math.round(value * gain), 0), top);
    }
  }
}
