/**
 * Converts between a raster's samples and a network's tensor. Both directions are plain loops over
 * preallocated buffers: they run for every pixel of every picture.
 */
import type { Size } from '../../../packages/contract/src/geometry.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { NetworkDescriptor } from '../../../packages/contract/src/models/model.ts';
import { colourBands, type Samples } from '../raster/raster-file.ts';

export type TensorLayout = Pick<NetworkDescriptor, 'layout'>;

type TensorFormat = Pick<NetworkDescriptor, 'layout' | 'channels' | 'range'>;

/** A rectangle of interleaved samples inside a buffer. */
export interface SampleView {
  samples: Samples;
  /** Index of the first sample. */
  offset: number;
  /** Samples from one row to the next. */
  stride: number;
  bands: number;
  bits: 8 | 16;
}

/** Tensor strides between pixels and between the colours of a pixel, for a picture of `pixels`. */
export const tensorStrides = ({ layout }: TensorLayout, pixels: number) =>
  layout === 'NCHW' ? { pixel: 1, colour: pixels } : { pixel: 3, colour: 1 };

/** Tensor stride between pixels, and the indices of the first pixel's red, green and blue. */
function colourStrides(layout: TensorFormat, pixels: number) {
  const { pixel, colour } = tensorStrides(layout, pixels);
  return {
    pixel,
    colours: layout.channels === 'RGB' ? [0, colour, 2 * colour] : [2 * colour, colour, 0],
  };
}

/** Shape of a tensor with a batch of `count` pictures. */
export const tensorShape = (
  { layout }: TensorLayout,
  { width, height }: Size,
  count = 1,
): number[] => (layout === 'NCHW' ? [count, 3, height, width] : [count, height, width, 3]);

/** Size of a network's output: `scale` times the input, less the cropped border on each side. */
export const outputSize = (
  { scale, trimPx = 0 }: Pick<NetworkDescriptor, 'scale' | 'trimPx'>,
  { width, height }: Size,
): Size => ({ width: width * scale - 2 * trimPx, height: height * scale - 2 * trimPx });

/** @throws EnlargerError INVALID_OUTPUT if the tensor is not a picture of this size in three colours */
export function assertSize(tensor: Float32Array, { width, height }: Size): void {
  if (tensor.length === 3 * width * height) return;
  throw new EnlargerError(
    'INVALID_OUTPUT',
    `The network was to give ${width} x ${height} pixels in three colours but gave ${tensor.length} values.`,
  );
}

const levelTables = new Map<string, Float32Array>();

/** Returns a cached lookup table from 8- or 16-bit samples to the network's range. */
function levelsOf(range: readonly [number, number], bits: 8 | 16): Float32Array {
  const key = `${bits} ${range[0]} ${range[1]}`;
  const known = levelTables.get(key);
  if (known) return known;
  const top = 2 ** bits - 1;
  const made = Float32Array.from(
    { length: top + 1 },
    (_, value) => range[0] + (value / top) * (range[1] - range[0]),
  );
  levelTables.set(key, made);
  return made;
}

/** Fills `tensor` (3 x width x height floats) from a view. Grey is repeated in all three colours. */
export function samplesToTensor(
  view: SampleView,
  width: number,
  height: number,
  layout: TensorFormat,
  tensor: Float32Array,
): void {
  const { samples, bands } = view;
  const level = levelsOf(layout.range, view.bits);
  const { pixel, colours } = colourStrides(layout, width * height);
  for (let colour = 0; colour < 3; colour += 1) {
    const band = colourBands(view) === 1 ? 0 : colour;
    let to = colours[colour] as number;
    for (let y = 0; y < height; y += 1) {
      let from = view.offset + y * view.stride + band;
      for (let x = 0; x < width; x += 1) {
        tensor[to] = level[samples[from] as number] as number;
        from += bands;
        to += pixel;
      }
    }
  }
}

/** A network's output of `width` x `height` pixels, read from (x, y) on. */
interface TensorWindow {
  tensor: Float32Array;
  width: number;
  height: number;
  x: number;
  y: number;
}

/**
 * Writes `width` x `height` pixels of the tensor into a view, rounded and clamped to the sample range; grey
 * is BT.601 luma. The alpha band is not touched.
 *
 * @returns whether every value was finite
 */
export function tensorToSamples(
  window: TensorWindow,
  layout: TensorFormat,
  view: SampleView,
  width: number,
  height: number,
): boolean {
  const top = 2 ** view.bits - 1;
  const factor = top / (layout.range[1] - layout.range[0]);
  const bias = -layout.range[0] * factor;
  return view.bands < 3
    ? greyToSamples(window, layout, view, width, height, factor, bias)
    : coloursToSamples(window, layout, view, width, height, factor, bias);
}

/** Views 8-bit samples as a Uint8ClampedArray, which rounds and clamps by itself. */
const asClamped = (samples: Samples) =>
  samples instanceof Uint8Array
    ? new Uint8ClampedArray(samples.buffer, samples.byteOffset, samples.length)
    : samples;

function coloursToSamples(
  window: TensorWindow,
  layout: TensorFormat,
  view: SampleView,
  width: number,
  height: number,
  factor: number,
  bias: number,
): boolean {
  const { tensor } = window;
  const { pixel, colours } = colourStrides(layout, window.width * window.height);
  const samples = asClamped(view.samples);
  const fill = view.bits === 8 ? row8 : row16;
  let sum = 0;
  for (let colour = 0; colour < 3; colour += 1) {
    for (let y = 0; y < height; y += 1) {
      const from = (colours[colour] as number) + ((window.y + y) * window.width + window.x) * pixel;
      const to = view.offset + y * view.stride + colour;
      sum += fill(tensor, from, pixel, samples, to, view.bands, width, factor, bias);
    }
  }
  return Number.isFinite(sum);
}

/**
 * Writes one colour of a row in 8 bits. The loops of 8 and 16 bits are separate for speed.
 *
 * @returns the sum of the values, which is finite only if all of them are
 */
function row8(
  tensor: Float32Array,
  from: number,
  pixel: number,
  to: Uint8ClampedArray | Uint16Array,
  at: number,
  bands: number,
  width: number,
  factor: number,
  bias: number,
): number {
  let sum = 0;
  for (let x = 0, f = from, t = at; x < width; x += 1, f += pixel, t += bands) {
    const value = tensor[f] as number;
    sum += value;
    to[t] = value * factor + bias;
  }
  return sum;
}

/** As `row8`, in 16 bits, with explicit rounding and clamping. */
function row16(
  tensor: Float32Array,
  from: number,
  pixel: number,
  to: Uint8ClampedArray | Uint16Array,
  at: number,
  bands: number,
  width: number,
  factor: number,
  bias: number,
): number {
  let sum = 0;
  for (let x = 0, f = from, t = at; x < width; x += 1, f += pixel, t += bands) {
    const value = tensor[f] as number;
    sum += value;
    const scaled = value * factor + bias;
    to[t] = scaled < 0 ? 0 : scaled > 65535 ? 65535 : scaled + 0.5;
  }
  return sum;
}

function greyToSamples(
  window: TensorWindow,
  layout: TensorFormat,
  view: SampleView,
  width: number,
  height: number,
  factor: number,
  bias: number,
): boolean {
  const { tensor } = window;
  const { pixel, colours } = colourStrides(layout, window.width * window.height);
  const [red = 0, green = 0, blue = 0] = colours;
  const samples = asClamped(view.samples);
  const half = view.bits === 8 ? 0 : 0.5;
  const top = 2 ** view.bits - 1;
  let sum = 0;
  for (let y = 0; y < height; y += 1) {
    let from = ((window.y + y) * window.width + window.x) * pixel;
    let to = view.offset + y * view.stride;
    for (let x = 0; x < width; x += 1) {
      const value =
        0.299 * (tensor[from + red] as number) +
        0.587 * (tensor[from + green] as number) +
        0.114 * (tensor[from + blue] as number);
      sum += value;
      samples[to] = Math.min(Math.max(value * factor + bias, 0), top) + half;
      from += pixel;
      to += view.bands;
    }
  }
  return Number.isFinite(sum);
}
