/** Trial pictures: a photo-like one, and a subject in front of it. */
import type { NetworkDescriptor } from '../../../../packages/contract/src/models/model.ts';
import { samplePicture } from '../../inference/checks/sample-picture.ts';
import { tensorOf } from '../../tiles/mask-tensor.ts';
import type { TensorLayout } from '../../tiles/tensor-pixels.ts';

/** Interleaved RGB, 0..1. */
export interface TrialPicture {
  width: number;
  height: number;
  colours: Float32Array;
}

export function photograph(width: number, height: number): TrialPicture {
  const samples = samplePicture(width, height);
  const colours = new Float32Array(samples.length);
  for (let i = 0; i < colours.length; i += 1) colours[i] = (samples[i] as number) / 255;
  return { width, height, colours };
}

export function partOf(
  picture: TrialPicture,
  x: number,
  y: number,
  width: number,
  height: number,
): TrialPicture {
  const colours = new Float32Array(width * height * 3);
  for (let row = 0; row < height; row += 1) {
    const from = ((y + row) * picture.width + x) * 3;
    colours.set(picture.colours.subarray(from, from + width * 3), row * width * 3);
  }
  return { width, height, colours };
}

/**
 * Draws a bright ball on a photograph, darkened, which changes it. Its mask is the coverage of each pixel, 0..1.
 */
export function subject(picture: TrialPicture): TrialPicture & { mask: Float32Array } {
  const { width, height } = picture;
  const mask = new Float32Array(width * height);
  const [middleX, middleY, radius] = [width * 0.45, height * 0.55, Math.min(width, height) * 0.28];
  for (let i = 0; i < mask.length; i += 1) {
    const dx = (i % width) - middleX;
    const dy = Math.floor(i / width) - middleY;
    const distance = Math.hypot(dx, dy) / radius;
    mask[i] = Math.min(Math.max((1 - distance) * radius + 0.5, 0), 1);
    const light =
      0.55 + 0.4 * Math.max(0, 1 - Math.hypot(dx + radius / 3, dy + radius / 3) / radius);
    const ball = [light, light * 0.55, light * 0.3];
    for (let band = 0; band < 3; band += 1) {
      const ground = 0.15 + 0.2 * (picture.colours[i * 3 + band] as number);
      const own = ball[band] as number;
      picture.colours[i * 3 + band] = ground + (own - ground) * (mask[i] as number);
    }
  }
  return { ...picture, mask };
}

/** Tensor of a network with a range only, without mean and deviation. */
export const plainTensor = (
  { colours }: TrialPicture,
  { layout }: TensorLayout,
  range: NetworkDescriptor['range'] = [0, 1],
  channels: NetworkDescriptor['channels'] = 'RGB',
) =>
  tensorOf(colours, {
    layout,
    channels,
    range,
    mean: [0, 0, 0],
    deviation: [1, 1, 1],
  });

/** Channels, height and width in a shape of four dimensions. */
export const sidesOf = ({ layout }: TensorLayout, shape: readonly number[]) => {
  const [, a = 0, b = 0, c = 0] = shape;
  return layout === 'NCHW'
    ? { channels: a, height: b, width: c }
    : { channels: c, height: a, width: b };
};
