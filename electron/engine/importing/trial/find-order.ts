/**
 * Finds a network's channel order: a coloured picture is reduced and enlarged in both orders, and BGR is
 * chosen if it comes distinctly closer to the picture. Most networks differ by less than `minDifference`
 * between the orders; those are RGB.
 */
import type { NetworkDescriptor } from '../../../../packages/contract/src/models/model.ts';
import { tensorStrides, type TensorLayout } from '../../tiles/tensor-pixels.ts';
import type { TrialOutput } from '../../inference/sessions/trial-session.ts';
import { refused } from '../../../../packages/onnx/src/index.ts';
import { photograph, sidesOf, type TrialPicture } from './sample.ts';

export type ChannelOrder = NetworkDescriptor['channels'];

export interface OrderTrial extends TensorLayout {
  scale: number;
  trimPx: number;
  range: NetworkDescriptor['range'];
  run(picture: TrialPicture, order: ChannelOrder): Promise<TrialOutput>;
}

/**
 * Ratio below which one distance is distinctly smaller than another. Those of real networks trained in one
 * order differ by a few hundredths.
 */
const distinctRatio = 0.8;
/** Share of the range below which the order has no effect. */
const minDifference = 2 / 255;

/** Finds the order. @throws EnlargerError MODEL_REFUSED if input and output orders differ */
export async function findOrder(trial: OrderTrial, sizePx: number): Promise<ChannelOrder> {
  const whole = coloured(sizePx * trial.scale);
  const small = reduced(whole, trial.scale);
  const plain = toRgb(trial, await trial.run(small, 'RGB'), 'RGB');
  const swapped = toRgb(trial, await trial.run(small, 'BGR'), 'BGR');
  const truth = inside(whole, trial.trimPx);
  const [own, other] = [distance(plain, truth), distance(swapped, truth)];
  const crossed = Math.min(
    distance(withSwappedColours(plain), truth),
    distance(withSwappedColours(swapped), truth),
  );
  if (crossed < distinctRatio * Math.min(own, other))
    throw refused(
      'The network takes red first and gives blue first, or the other way round. Export it with one order of colours.',
    );
  const matters = distance(plain, swapped) >= minDifference;
  return matters && other < distinctRatio * own ? 'BGR' : 'RGB';
}

/** Picture of all hues, more of them warm, with the texture of a photograph. */
function coloured(side: number): TrialPicture {
  const { colours } = photograph(side, side);
  for (let i = 0; i < side * side; i += 1) {
    const [x, y] = [(i % side) / side, Math.floor(i / side) / side];
    const hue = 2 * Math.PI * (x + 0.3 * Math.sin(5 * y));
    for (let band = 0; band < 3; band += 1) {
      const own = 0.5 + 0.35 * Math.cos(hue - (2 * Math.PI * band) / 3) + 0.1 * (1 - band);
      colours[i * 3 + band] = (colours[i * 3 + band] as number) * own;
    }
  }
  return { width: side, height: side, colours };
}

/** Reduces a picture to the means of squares of `scale` x `scale` pixels. */
function reduced({ width, colours }: TrialPicture, scale: number): TrialPicture {
  const side = width / scale;
  const small = new Float32Array(side * side * 3);
  for (let y = 0; y < width; y += 1)
    for (let x = 0; x < width; x += 1)
      for (let band = 0; band < 3; band += 1) {
        const to = (Math.floor(y / scale) * side + Math.floor(x / scale)) * 3 + band;
        small[to] = (small[to] as number) + (colours[(y * width + x) * 3 + band] as number);
      }
  return { width: side, height: side, colours: small.map((sum) => sum / scale ** 2) };
}

/** Converts an output to interleaved RGB, 0..1. */
function toRgb(trial: OrderTrial, { shape, data }: TrialOutput, order: ChannelOrder): Float32Array {
  const { width, height } = sidesOf(trial, shape);
  const { pixel, colour } = tensorStrides(trial, width * height);
  const [low, high] = trial.range;
  return Float32Array.from({ length: 3 * width * height }, (_, i) => {
    const band = order === 'RGB' ? i % 3 : 2 - (i % 3);
    const value = data[Math.floor(i / 3) * pixel + band * colour] as number;
    return Math.min(Math.max((value - low) / (high - low), 0), 1);
  });
}

function inside({ width, colours }: TrialPicture, trimPx: number): Float32Array {
  const side = width - 2 * trimPx;
  return Float32Array.from({ length: 3 * side * side }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % side, Math.floor(i / 3 / side)];
    return colours[((y + trimPx) * width + x + trimPx) * 3 + (i % 3)] as number;
  });
}

const withSwappedColours = (colours: Float32Array) =>
  colours.map((_, i) => colours[i - (i % 3) + 2 - (i % 3)] as number);

const distance = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] as number)), 0) / a.length;
