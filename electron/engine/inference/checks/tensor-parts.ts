/** Crops a network's pictures: floats in its own layout, one picture, three colours. Pure. */
import type { Rect } from '../../../../packages/contract/src/geometry.ts';
import { tensorStrides, type TensorLayout } from '../../tiles/tensor-pixels.ts';

export interface TensorPicture {
  tensor: Float32Array;
  width: number;
  height: number;
}

/** Copies a rectangle inside the picture. */
export function cropTensor(
  from: TensorPicture,
  { x, y, width, height }: Rect,
  layout: TensorLayout,
) {
  const tensor = new Float32Array(3 * width * height);
  const source = tensorStrides(layout, from.width * from.height);
  const target = tensorStrides(layout, width * height);
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
