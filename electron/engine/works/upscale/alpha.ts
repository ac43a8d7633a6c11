/**
 * Transparency: alpha is enlarged by bicubic interpolation, and colours beside transparent pixels
 * are spread under them first, so that what no one sees does not darken the edge.
 */
import type { SampleView } from './tensor-pixels.ts';

/** How far colours are spread under transparent pixels, in input pixels. */
const spreadPx = 8;
/** Input pixels around a core that its alpha and colours depend on. */
export const alphaMarginPx = spreadPx + 2;

const unknown = 255;

/** Replaces the colours of fully transparent pixels within `spreadPx` of visible ones by their neighbours' mean. */
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

/** 0 where a pixel is visible; nothing when there is nothing to do. */
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

function spreadInto(
  view: SampleView,
  age: Uint8Array,
  width: number,
  height: number,
  x: number,
  y: number,
  round: number,
): void {
  const near: number[] = [];
  for (let v = Math.max(y - 1, 0); v <= Math.min(y + 1, height - 1); v += 1) {
    for (let u = Math.max(x - 1, 0); u <= Math.min(x + 1, width - 1); u += 1) {
      if ((age[v * width + u] as number) < round) near.push(v * view.stride + u * view.bands);
    }
  }
  if (near.length === 0) return;
  age[y * width + x] = round;
  const at = view.offset + y * view.stride + x * view.bands;
  for (let band = 0; band < view.bands - 1; band += 1) {
    let sum = 0;
    for (const from of near) sum += view.samples[view.offset + from + band] as number;
    view.samples[at + band] = Math.round(sum / near.length);
  }
}

/** Keys' cubic with a = -1/2. */
function keys(distance: number): number {
  const d = Math.abs(distance);
  if (d < 1) return 1.5 * d ** 3 - 2.5 * d ** 2 + 1;
  return d < 2 ? -0.5 * d ** 3 + 2.5 * d ** 2 - 4 * d + 2 : 0;
}

/** For each of `scale` phases: the first of four source pixels, relative, and their weights. */
function phasesOf(scale: number) {
  return Array.from({ length: scale }, (_, phase) => {
    const centre = (phase + 0.5) / scale - 0.5;
    const first = Math.floor(centre) - 1;
    return { first, weights: [0, 1, 2, 3].map((tap) => keys(centre - (first + tap))) };
  });
}

/**
 * Enlarges the alpha band of `width` x `height` pixels of `from`, which must have two more pixels
 * on each side, into the alpha band of `to`.
 */
export function enlargeAlpha(
  from: SampleView,
  to: SampleView,
  width: number,
  height: number,
  scale: number,
): void {
  const phases = phasesOf(scale);
  const gain = (2 ** to.bits - 1) / (2 ** from.bits - 1);
  const top = 2 ** to.bits - 1;
  const rows = new Float32Array(width * scale * (height + 4));
  const row = width * scale;
  for (let y = -2; y < height + 2; y += 1) {
    const source = from.offset + y * from.stride + from.bands - 1;
    for (let x = 0; x < row; x += 1) {
      const { first, weights } = phases[x % scale] as (typeof phases)[0];
      const at = source + (Math.floor(x / scale) + first) * from.bands;
      rows[(y + 2) * row + x] = weights.reduce(
        (sum, weight, tap) => sum + weight * (from.samples[at + tap * from.bands] as number),
        0,
      );
    }
  }
  for (let y = 0; y < height * scale; y += 1) {
    const { first, weights } = phases[y % scale] as (typeof phases)[0];
    const source = (Math.floor(y / scale) + first + 2) * row;
    const target = to.offset + y * to.stride + to.bands - 1;
    for (let x = 0; x < row; x += 1) {
      const value = weights.reduce(
        (sum, w, tap) => sum + w * (rows[source + tap * row + x] as number),
        0,
      );
      to.samples[target + x * to.bands] = Math.min(Math.max(Math.round(value * gain), 0), top);
    }
  }
}
