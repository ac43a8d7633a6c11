/** One channel of a picture as floats, and the filters that the perceptual measures share. */
import { lumaOf } from '../../bench/quality-measures.ts';
import type { Pixels } from '../images.ts';

export interface Plane {
  data: Float32Array;
  width: number;
  height: number;
}

export function planeOf(
  { width, height }: Omit<Plane, 'data'>,
  at: (x: number, y: number) => number,
): Plane {
  const data = new Float32Array(width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) data[y * width + x] = at(x, y);
  return { data, width, height };
}

/** The top left of a picture in another's size, with the channels that it has. */
export function croppedTo(
  { data, width, channels }: Pixels,
  size: Pick<Pixels, 'width' | 'height'>,
): Pixels {
  const rows = Array.from({ length: size.height }, (_, y) => {
    const from = y * width * channels;
    return data.subarray(from, from + size.width * channels);
  });
  const out = Uint8Array.from({ length: size.width * size.height * channels }, (_, i) => {
    const row = Math.floor(i / (size.width * channels));
    return rows[row]?.[i % (size.width * channels)] ?? 0;
  });
  return { data: out, width: size.width, height: size.height, channels };
}

/** BT.601 luma, 16..235. */
export const lumaPlane = (picture: Pixels): Plane =>
  planeOf(picture, (x, y) => lumaOf(picture, y * picture.width + x));

/** The place of `at` in a line of `size` samples that is mirrored at its ends. */
export function mirroredIndex(at: number, size: number): number {
  const folded = ((at % (2 * size)) + 2 * size) % (2 * size);
  return folded < size ? folded : 2 * size - 1 - folded;
}

/** Convolves rows and columns with one odd, symmetric kernel; borders are mirrored. */
export function convolved(plane: Plane, kernel: readonly number[]): Plane {
  const radius = (kernel.length - 1) / 2;
  const { width, height } = plane;
  const columns = Int32Array.from({ length: width + 2 * radius }, (_, x) =>
    mirroredIndex(x - radius, width),
  );
  const rows = planeOf(plane, (x, y) => {
    let sum = 0;
    for (let k = 0; k < kernel.length; k += 1)
      sum += kernel[k]! * plane.data[y * width + columns[x + k]!]!;
    return sum;
  });
  const lines = Int32Array.from({ length: height + 2 * radius }, (_, y) =>
    mirroredIndex(y - radius, height),
  );
  return planeOf(plane, (x, y) => {
    let sum = 0;
    for (let k = 0; k < kernel.length; k += 1)
      sum += kernel[k]! * rows.data[lines[y + k]! * width + x]!;
    return sum;
  });
}

/** Means of 2 x 2 samples; an odd last row or column is dropped. */
export function halved({ data, width, height }: Plane): Plane {
  const size = { width: Math.floor(width / 2), height: Math.floor(height / 2) };
  return planeOf(size, (x, y) => {
    const at = 2 * y * width + 2 * x;
    return (data[at]! + data[at + 1]! + data[at + width]! + data[at + width + 1]!) / 4;
  });
}

export const meanOf = (values: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += values[i]!;
  return sum / values.length;
};
