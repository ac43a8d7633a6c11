/**
 * Enlarges the seen part of a photo without a model, as the engine does: by the cubic kernel with a = -1/2
 * (Keys 1981), with pixel centres at half integers and the border repeated. Alpha is a band like the others, so it is
 * for opaque photos. Pure.
 */
import type { Rect, Size } from '../../../packages/contract/src/geometry.ts';
import type { Point } from './viewport.svelte.ts';

/** Four bytes a pixel, as of a canvas. */
interface Pixels extends Size {
  readonly data: Uint8ClampedArray<ArrayBuffer>;
}

export interface PlainPart {
  /** What is seen, in pixels of the enlarged photo, or of one that is a whole number of times smaller. */
  part: Rect;
  /** Size of such a pixel in pixels of the photo. */
  pixel: Point;
  /** Pixels of the photo on which the part depends. */
  from: Rect;
}

const bands = 4;

/**
 * Plans the part that is seen.
 *
 * @param seen in fractions of the photo's width and height
 * @param zoom screen pixels for each pixel of the enlarged photo
 * @returns undefined where the screen has no more pixels than the photo
 */
export function planPart(
  seen: Rect,
  photo: Size,
  enlarged: Size,
  zoom: number,
): PlainPart | undefined {
  const step = Math.max(1, Math.floor(1 / zoom));
  const pixel = {
    x: (step * photo.width) / enlarged.width,
    y: (step * photo.height) / enlarged.height,
  };
  if (Math.max(pixel.x, pixel.y) >= 1 || Math.min(seen.width, seen.height) <= 0) return undefined;
  const [x, width, fromX, fromWidth] = spanOf(seen.x, seen.width, photo.width, pixel.x);
  const [y, height, fromY, fromHeight] = spanOf(seen.y, seen.height, photo.height, pixel.y);
  return {
    pixel,
    part: { x, y, width, height },
    from: { x: fromX, y: fromY, width: fromWidth, height: fromHeight },
  };
}

function spanOf(seenFrom: number, seen: number, length: number, pixel: number) {
  const count = length / pixel;
  const start = Math.floor(seenFrom * count);
  const end = Math.ceil(Math.min(seenFrom + seen, 1) * count);
  const first = Math.max(0, Math.floor(centreOf(start, pixel)) - 1);
  const last = Math.min(length - 1, Math.floor(centreOf(end - 1, pixel)) + 2);
  return [start, end - start, first, last - first + 1] as const;
}

/** Centre of an enlarged pixel in pixels of the photo. */
const centreOf = (at: number, pixel: number) => (at + 0.5) * pixel - 0.5;

/** Computes the planned part. @param photo its pixels in `from` */
export function enlargePart(photo: Pixels, { part, pixel, from }: PlainPart): Pixels {
  const { width, height } = part;
  const wide = resampled(
    photo.data,
    { lines: from.height, fromLine: from.width * bands, toLine: width * bands, step: bands },
    { count: width, start: part.x, pixel: pixel.x, from: from.x, length: from.width },
  );
  const tall = resampled(
    wide,
    { lines: width, fromLine: bands, toLine: bands, step: width * bands },
    { count: height, start: part.y, pixel: pixel.y, from: from.y, length: from.height },
  );
  return { width, height, data: new Uint8ClampedArray(tall) };
}

/** Lines along an axis: their distances in both arrays, and that of a line's pixels. */
interface Lines {
  lines: number;
  fromLine: number;
  toLine: number;
  step: number;
}

/** Pixels along an axis: how many, the first one, their size, and the pixels of the photo that are there. */
interface Axis {
  count: number;
  start: number;
  pixel: number;
  from: number;
  length: number;
}

function resampled(
  values: Float32Array | Uint8ClampedArray,
  { lines, fromLine, toLine, step }: Lines,
  { count, start, pixel, from, length }: Axis,
): Float32Array {
  const made = new Float32Array(lines * count * bands);
  for (let at = 0; at < count; at += 1) {
    const centre = centreOf(start + at, pixel);
    const first = Math.floor(centre) - 1;
    for (const [tap, weight] of weightsAt(centre - first - 1).entries()) {
      const position = Math.min(Math.max(first + tap - from, 0), length - 1);
      let own = position * step;
      let to = at * step;
      for (let line = 0; line < lines; line += 1, own += fromLine, to += toLine)
        for (let band = 0; band < bands; band += 1)
          made[to + band] = (made[to + band] as number) + weight * (values[own + band] as number);
    }
  }
  return made;
}

/** Weights of the four pixels around a place, which lies so far beyond the second one. */
const weightsAt = (x: number): number[] => [
  ((1 - x / 2) * x - 0.5) * x,
  (1.5 * x - 2.5) * x * x + 1,
  ((2 - 1.5 * x) * x + 0.5) * x,
  ((x - 1) * x * x) / 2,
];
