/** A small picture as three planes of colours. Pure. */
import type { Rect } from '../../../raster/raster-file.ts';
import type { Plane } from '../refine/plane.ts';

/** Of 0..1, of one size. */
export type Colours = [red: Plane, green: Plane, blue: Plane];

/** A picture as it was shown to a network. */
export interface SeenPicture {
  width: number;
  height: number;
  /** RGB of 0..1, interleaved. */
  data: Float32Array;
}

export function coloursOf({ width, height, data }: SeenPicture): Colours {
  const plane = (colour: number) => {
    const valueAt = (_: unknown, at: number) => data[at * 3 + colour] as number;
    return { width, height, data: Float32Array.from({ length: width * height }, valueAt) };
  };
  return [plane(0), plane(1), plane(2)];
}

/** A part of a plane. */
export function planeIn({ width, data }: Plane, box: Rect): Plane {
  const part = new Float32Array(box.width * box.height);
  for (let y = 0; y < box.height; y += 1) {
    const start = (box.y + y) * width + box.x;
    part.set(data.subarray(start, start + box.width), y * box.width);
  }
  return { width: box.width, height: box.height, data: part };
}
