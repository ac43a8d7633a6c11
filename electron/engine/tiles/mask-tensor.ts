/** Converts a small picture to a mask network's floats, and its answer to a mask. It is pure. */
import type { MaskNetworkDescriptor, MaskSize } from '../../contract/models/model.ts';
import type { Size } from '../../contract/geometry.ts';
import { EnlargerError } from '../../contract/errors.ts';
import type { Plane } from '../raster/planes/plane.ts';

/** The values of a mask go from 0 (surroundings) to 1 (subject). */
export type Mask = Plane;

/** Answers the size at which the network sees a picture. */
export function sizeForNetwork(size: MaskSize, picture: Size): Size {
  if (size.kind === 'fixed') return { width: size.width, height: size.height };
  const factor = size.shortSidePx / Math.min(picture.width, picture.height);
  const side = (pixels: number) =>
    Math.max(1, Math.round((pixels * factor) / size.multiple)) * size.multiple;
  return { width: side(picture.width), height: side(picture.height) };
}

export type InputContract = Pick<
  MaskNetworkDescriptor,
  'layout' | 'channels' | 'range' | 'mean' | 'deviation' | 'brightest'
>;

/**
 * Makes the input tensor of a mask network.
 *
 * @param colours RGB of 0..1, interleaved
 */
export function tensorOf(colours: Float32Array, network: InputContract): Float32Array<ArrayBuffer> {
  const { layout, channels, range, mean, deviation } = network;
  const pixels = colours.length / 3;
  const tensor = new Float32Array(colours.length);
  const most = network.brightest === true ? brightestOf(colours) : 1;
  for (let colour = 0; colour < 3; colour += 1) {
    const place = channels === 'RGB' ? colour : 2 - colour;
    const step = layout === 'NCHW' ? 1 : 3;
    const start = layout === 'NCHW' ? place * pixels : place;
    const gain = (range[1] - range[0]) / (deviation[colour] as number) / most;
    const bias = (range[0] - (mean[colour] as number)) / (deviation[colour] as number);
    for (let i = 0; i < pixels; i += 1)
      tensor[start + i * step] = (colours[i * 3 + colour] as number) * gain + bias;
  }
  return tensor;
}

/** Answers the greatest value, or 1 for a black picture. */
function brightestOf(colours: Float32Array): number {
  const most = colours.reduce((found, value) => Math.max(found, value), 0);
  return most > 0 ? most : 1;
}

type OutputContract = Pick<MaskNetworkDescriptor, 'outputPlane' | 'activation' | 'stretched'>;

/**
 * Takes the mask's plane out of the answer, activated and, where the descriptor says so, stretched. It throws
 * INVALID_OUTPUT for another size.
 */
export function planeOf(
  answer: Float32Array,
  { outputPlane, activation, stretched }: OutputContract,
  { width, height }: Size,
): Float32Array {
  const pixels = width * height;
  const start = outputPlane * pixels;
  if (answer.length % pixels !== 0 || answer.length < start + pixels)
    throw invalid(
      `was to give ${outputPlane + 1} planes or more of ${width} x ${height} but gave ${answer.length} values`,
    );
  const plane = Float32Array.from(answer.subarray(start, start + pixels));
  const mask = activation === 'none' ? plane : plane.map(sigmoid);
  return stretched === true ? stretch(mask) : mask;
}

/** A mask whose greatest value is not above this shows nothing, and its noise is not stretched. */
const leastFound = 0.25;

/** Stretches a mask so that its least value becomes 0 and its greatest 1; a mask that shows nothing stays. */
function stretch(mask: Float32Array): Float32Array {
  let [least, most] = [Infinity, -Infinity];
  for (const value of mask) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (!(most > leastFound && most > least)) return mask;
  return mask.map((value) => (value - least) / (most - least));
}

export const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));

/** Logits are clamped to this absolute value, so that 0 and 1 have finite ones. */
const mostLogit = 11.5;

/** Inverts `sigmoid`; the logit is finite for 0 and 1, too. */
export function logitOf(value: number): number {
  const logit = Math.log(value / (1 - value));
  return Math.min(Math.max(logit, -mostLogit), mostLogit);
}

/** Rounding may bring a value this far out of 0..1; a value farther out is no mask's. */
const allowedBeyond = 0.01;

/**
 * Answers the mask of a network's answer, clamped to 0..1. It throws INVALID_OUTPUT for another size, for
 * values that are no numbers, and for values that cannot be a mask's.
 */
export function maskOf(answer: Float32Array, network: OutputContract, size: Size): Mask {
  const data = planeOf(answer, network, size);
  for (const [i, value] of data.entries()) {
    if (Number.isNaN(value)) throw invalid('gave values that are not numbers');
    if (value < -allowedBeyond || value > 1 + allowedBeyond)
      throw invalid(`was to give a mask of 0 to 1 but gave ${value.toFixed(3)}`);
    data[i] = Math.min(Math.max(value, 0), 1);
  }
  return { ...size, data };
}

const invalid = (what: string) => new EnlargerError('INVALID_OUTPUT', `The network ${what}.`);
