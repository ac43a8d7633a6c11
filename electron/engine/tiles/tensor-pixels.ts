/**
 * Converts a raster's samples to a network's floats and back. Both directions are plain loops over
 * preallocated buffers, for they run for every pixel of every picture.
 */
import type { Size } from '../../contract/geometry.ts';
import type { NetworkDescriptor } from '../../contract/models/model.ts';
import { colourBands, type Samples } from '../raster/raster-file.ts';

type TensorLayout = Pick<NetworkDescriptor, 'layout' | 'channels' | 'range'>;

/** A view is a rectangle of interleaved samples inside a buffer. */
export interface SampleView {
  samples: Samples;
  /** This is the index of the first sample. */
  offset: number;
  /** This is the distance in samples from one row to the next. */
  stride: number;
  bands: number;
  bits: 8 | 16;
}

/** Answers the strides between pixels and between the colours of a pixel, in a picture of `pixels`. */
export const stepsIn = ({ layout }: Pick<TensorLayout, 'layout'>, pixels: number) =>
  layout === 'NCHW' ? { pixel: 1, colour: pixels } : { pixel: 3, colour: 1 };

/** Answers the stride between pixels, and the places of the first pixel's red, green and blue. */
function strides(layout: TensorLayout, pixels: number) {
  const { pixel, colour } = stepsIn(layout, pixels);
  return {
    pixel,
    colours: layout.channels === 'RGB' ? [0, colour, 2 * colour] : [2 * colour, colour, 0],
  };
}

/** Answers the shape of a tensor with a batch of `count` pictures. */
export const tensorShape = (
  { layout }: Pick<TensorLayout, 'layout'>,
  { width, height }: Size,
  count = 1,
): number[] => (layout === 'NCHW' ? [count, 3, height, width] : [count, height, width, 3]);

/** Answers the size of a network's answer: `scale` times the picture's, less what it trims at each side. */
export const answerSize = (
  { scale, trimPx = 0 }: Pick<NetworkDescriptor, 'scale' | 'trimPx'>,
  { width, height }: Size,
): Size => ({ width: width * scale - 2 * trimPx, height: height * scale - 2 * trimPx });

const levels = new Map<string, Float32Array>();

/** Answers a cached table of what each 8- or 16-bit sample value is in the network's range. */
function levelsOf(range: readonly [number, number], bits: 8 | 16): Float32Array {
  const key = `${bits} ${range[0]} ${range[1]}`;
  const known = levels.get(key);
  if (known) return known;
  const top = 2 ** bits - 1;
  const made = Float32Array.from(
    { length: top + 1 },
    (_, value) => range[0] + (value / top) * (range[1] - range[0]),
  );
  levels.set(key, made);
  return made;
}

/** Fills `tensor` (3 x width x height floats) from a view; a grey sample goes to all three colours. */
export function samplesToTensor(
  view: SampleView,
  width: number,
  height: number,
  layout: TensorLayout,
  tensor: Float32Array,
): void {
  const { samples, bands } = view;
  const level = levelsOf(layout.range, view.bits);
  const { pixel, colours } = strides(layout, width * height);
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

/** The tensor is a network's answer of `width` x `height` pixels; pixels are taken from (x, y) on. */
interface TensorWindow {
  tensor: Float32Array;
  width: number;
  height: number;
  x: number;
  y: number;
}

/**
 * Writes `width` x `height` pixels of the answer into a view, rounded and clamped to the sample
 * range. A grey sample is the pixel's luma (BT.601). The alpha band is left as it is. The answer is
 * whether every value was finite.
 */
export function tensorToSamples(
  window: TensorWindow,
  layout: TensorLayout,
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

/** Views 8-bit samples as a Uint8ClampedArray, which rounds and clamps by itself; 16-bit loops do so by hand. */
const clamped = (samples: Samples) =>
  samples instanceof Uint8Array
    ? new Uint8ClampedArray(samples.buffer, samples.byteOffset, samples.length)
    : samples;

function coloursToSamples(
  window: TensorWindow,
  layout: TensorLayout,
  view: SampleView,
  width: number,
  height: number,
  factor: number,
  bias: number,
): boolean {
  const { tensor } = window;
  const { pixel, colours } = strides(layout, window.width * window.height);
  const samples = clamped(view.samples);
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
 * Writes one colour of a row in 8 bits, and answers the sum of its values, which is finite only if all of
 * them are. The loops of 8 and of 16 bits stay apart for speed.
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

/** Does the same as `row8` in 16 bits, clamped and rounded by hand. */
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
    const wanted = value * factor + bias;
    to[t] = wanted < 0 ? 0 : wanted > 65535 ? 65535 : wanted + 0.5;
  }
  return sum;
}

function greyToSamples(
  window: TensorWindow,
  layout: TensorLayout,
  view: SampleView,
  width: number,
  height: number,
  factor: number,
  bias: number,
): boolean {
  const { tensor } = window;
  const { pixel, colours } = strides(layout, window.width * window.height);
  const [red = 0, green = 0, blue = 0] = colours;
  const samples = clamped(view.samples);
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
