/** One band of a small picture as floats; three planes are its colours. Pure. */
import type { Rect, Size } from '../../../../packages/contract/src/geometry.ts';
import type { Colours, Plane } from '../../../../packages/painting/src/index.ts';

export type { Colours, Plane };

export const createPlane = (width: number, height: number): Plane => ({
  width,
  height,
  data: new Float32Array(width * height),
});

/** Splits interleaved RGB (0..1) into three planes. */
export function coloursOf({ width, height }: Size, data: Float32Array): Colours {
  const plane = (colour: number) => {
    const of = createPlane(width, height);
    for (let at = 0; at < of.data.length; at += 1) of.data[at] = data[at * 3 + colour] as number;
    return of;
  };
  return [plane(0), plane(1), plane(2)];
}

/** Copies a rectangle of a plane. */
export function planeIn({ width, data }: Plane, box: Rect): Plane {
  const part = createPlane(box.width, box.height);
  for (let y = 0; y < box.height; y += 1) {
    const start = (box.y + y) * width + box.x;
    part.data.set(data.subarray(start, start + box.width), y * box.width);
  }
  return part;
}

/** Halves the size, rounded up, with means of 2 x 2. An odd last row or column counts twice. */
export function halve(from: Plane): Plane {
  const to = createPlane(Math.ceil(from.width / 2), Math.ceil(from.height / 2));
  for (let y = 0; y < to.height; y += 1) {
    const upper = 2 * y * from.width;
    const lower = Math.min(2 * y + 1, from.height - 1) * from.width;
    for (let x = 0; x < to.width; x += 1) {
      const left = 2 * x;
      const right = Math.min(left + 1, from.width - 1);
      to.data[y * to.width + x] =
        ((from.data[upper + left] as number) +
          (from.data[upper + right] as number) +
          (from.data[lower + left] as number) +
          (from.data[lower + right] as number)) /
        4;
    }
  }
  return to;
}

/** Halves three planes. The identical planes of a grey picture stay identical. */
export function halveColours([red, green, blue]: Colours): Colours {
  const small = halve(red);
  return [small, green === red ? small : halve(green), blue === red ? small : halve(blue)];
}
