/** Converts a reduced picture to a mask network's input tensor, and the network's output to a mask. Pure. */
import type {
  MaskNetworkDescriptor,
  MaskSize,
} from '../../../packages/contract/src/models/model.ts';
import type { Size } from '../../../packages/contract/src/geometry.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { Plane } from '../raster/planes/plane.ts';

/** Values from 0 (background) to 1 (subject). */
export type Mask = Plane;

/** An output of one network that is an input of another. */
export interface FeatureTensor {
  dims: readonly number[];
  data: Float32Array;
}

/** Returns the size of the network's input for a picture. */
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

/** Builds the input tensor of a mask network. @param colours RGB, 0..1, interleaved */
export function tensorOf(colours: Float32Array, network: InputContract): Float32Array<ArrayBuffer> {
  const { layout, channels, range, mean, deviation } = network;
  const pixels = colours.length / 3;
  const tensor = new Float32Array(colours.length);
  const peak = network.brightest === true ? brightestOf(colours) : 1;
  for (let colour = 0; colour < 3; colour += 1) {
    const plane = channels === 'RGB' ? colour : 2 - colour;
    const step = layout === 'NCHW' ? 1 : 3;
    const start = layout === 'NCHW' ? plane * pixels : plane;
    const gain = (range[1] - range[0]) / (deviation[colour] as number) / peak;
    const bias = (range[0] - (mean[colour] as number)) / (deviation[colour] as number);
    for (let i = 0; i < pixels; i += 1)
      tensor[start + i * step] = (colours[i * 3 + colour] as number) * gain + bias;
  }
  return tensor;
}

/** Returns the greatest value; 1 for a black picture. */
function brightestOf(colours: Float32Array): number {
  const peak = colours.reduce((found, value) => Math.max(found, value), 0);
  return peak > 0 ? peak : 1;
}

type OutputContract = Pick<MaskNetworkDescriptor, 'outputPlane' | 'activation' | 'stretched'>;

/**
 * Extracts the mask's plane from the network's output, applies the activation and, if the descriptor asks for
 * it, the contrast stretch.
 *
 * @throws EnlargerError INVALID_OUTPUT if the output has another size
 */
export function planeOf(
  output: Float32Array,
  { outputPlane, activation, stretched }: OutputContract,
  { width, height }: Size,
): Float32Array {
  const pixels = width * height;
  const start = outputPlane * pixels;
  if (output.length % pixels !== 0 || output.length < start + pixels)
    throw invalid(
      `was to give ${outputPlane + 1} planes or more of ${width} x ${height} but gave ${output.length} values`,
    );
  const plane = Float32Array.from(output.subarray(start, start + pixels));
  const mask = activation === 'none' ? plane : plane.map(sigmoid);
  return stretched === true ? stretch(mask) : mask;
}

/** Peak up to which a mask counts as empty; stretching it would amplify noise. */
const minPeak = 0.25;

/** Stretches a mask linearly to 0..1; returns an empty mask unchanged. */
function stretch(mask: Float32Array): Float32Array {
  let [min, max] = [Infinity, -Infinity];
  for (const value of mask) {
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  if (!(max > minPeak && max > min)) return mask;
  return mask.map((value) => (value - min) / (max - min));
}

export const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit));

/** Absolute limit of a logit, so that 0 and 1 have finite ones. */
const maxLogit = 11.5;

/** Inverse of `sigmoid`, clamped to +-`maxLogit`. */
export function logitOf(value: number): number {
  const logit = Math.log(value / (1 - value));
  return Math.min(Math.max(logit, -maxLogit), maxLogit);
}

/** Tolerance beyond 0..1 for rounding errors. */
const rangeTolerance = 0.01;

/**
 * Converts the network's output to a mask, clamped to 0..1.
 *
 * @throws EnlargerError INVALID_OUTPUT for another size, for NaN, and for values beyond the tolerance
 */
export function maskOf(output: Float32Array, network: OutputContract, size: Size): Mask {
  const data = planeOf(output, network, size);
  for (const [i, value] of data.entries()) {
    if (Number.isNaN(value)) throw invalid('gave values that are not numbers');
    if (value < -rangeTolerance || value > 1 + rangeTolerance)
      throw invalid(`was to give a mask of 0 to 1 but gave ${value.toFixed(3)}`);
    data[i] = Math.min(Math.max(value, 0), 1);
  }
  return { ...size, data };
}

const invalid = (what: string) => new EnlargerError('INVALID_OUTPUT', `The network ${what}.`);
