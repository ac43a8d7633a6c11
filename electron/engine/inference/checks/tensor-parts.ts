/** Parts of a network's pictures, as floats in its own layout: one picture, three colours. Pure. */
import type { Rect, Size } from '../../../contract/geometry.ts';
import type { NetworkDescriptor } from '../../../contract/model.ts';

export interface TensorPicture {
  tensor: Float32Array;
  width: number;
  height: number;
}

type Layout = Pick<NetworkDescriptor, 'layout'>;

/** Distance between neighbouring pixels and between the colours of one pixel. */
export const stepsIn = ({ layout }: Layout, { width, height }: Size) =>
  layout === 'NCHW' ? { pixel: 1, colour: width * height } : { pixel: 3, colour: 1 };

/** A copy of a rectangle that lies inside the picture. */
export function partOf(from: TensorPicture, { x, y, width, height }: Rect, layout: Layout) {
  const tensor = new Float32Array(3 * width * height);
  const source = stepsIn(layout, from);
  const target = stepsIn(layout, { width, height });
  for (let colour = 0; colour < 3; colour += 1) {
    for (let row = 0; row < height; row += 1) {
      let at = colour * source.colour + ((y + row) * from.width + x) * source.pixel;
      let to = colour * target.colour + row * width * target.pixel;
      for (let i = 0; i < width; i += 1, at += source.pixel, to += target.pixel)
        tensor[to] = from.tensor[at] as number;
    }
  }
  return { tensor, width, height };
}
