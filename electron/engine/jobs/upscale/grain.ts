/**
 * Adds synthetic grain to a finished raster: white noise softened to a photo's own coarseness. The noise is a
 * function of each pixel's position, so strips meet without a seam and every run gives the same result. All
 * colours of a pixel get the same noise, as film and cameras have it in brightness.
 */
import type { Rect } from '../../../../packages/contract/src/geometry.ts';
import { colourBands, type Raster, type Samples } from '../../raster/raster-file.ts';
import { rewriteStrips, type StripOptions } from '../../raster/strips.ts';
import type { GrainSpec } from '../../plan/choose-restoring.ts';

/** Pixels per strip; each takes some bytes of grain beside its samples. */
const stripPixels = 2 ** 19;
/** Grain fades within this many levels of black and white, where it could only go one way. */
const fadeLevels = 12;

/** Adds grain to the raster in place, strip by strip. @throws the signal's reason */
export const addGrain = (raster: Raster, grain: GrainSpec, options: StripOptions): Promise<void> =>
  rewriteStrips(raster, { ...options, stripRows: rowsOf(raster) }, ({ samples, y, rows }) => {
    const strip = { x: 0, y, width: raster.shape.width, height: rows };
    addToStrip(samples, grainAt(strip, grain), raster);
  });

const rowsOf = ({ shape }: Raster) => Math.max(1, Math.floor(stripPixels / shape.width));

function addToStrip(samples: Samples, grain: Float32Array, { shape }: Raster): void {
  const { bands, bits } = shape;
  const colours = colourBands(shape);
  const top = 2 ** bits - 1;
  const level = top / 255;
  const fade = fadeLevels * level;
  for (const [i, value] of grain.entries()) {
    for (let c = 0; c < colours; c += 1) {
      const at = i * bands + c;
      const sample = samples[at] as number;
      const headroom = Math.min(sample, top - sample, fade) / fade;
      samples[at] = Math.min(Math.max(Math.round(sample + value * level * headroom), 0), top);
    }
  }
}

/** Grain of the given deviation for each pixel of a rectangle, in levels of 255, row-major. */
export function grainAt(
  { x, y, width, height }: Rect,
  { deviation, softnessPx }: GrainSpec,
): Float32Array {
  const taps = kernelOf(softnessPx);
  const radius = (taps.length - 1) / 2;
  const wide = width + 2 * radius;
  const white = new Float32Array(wide * (height + 2 * radius));
  for (let row = 0; row < height + 2 * radius; row += 1)
    for (let column = 0; column < wide; column += 1)
      white[row * wide + column] = normalAt(x + column - radius, y + row - radius);
  if (radius === 0) return white.map((value) => value * deviation);
  const across = new Float32Array(width * (height + 2 * radius));
  for (let row = 0; row < height + 2 * radius; row += 1)
    for (let column = 0; column < width; column += 1) {
      let sum = 0;
      for (const [k, tap] of taps.entries())
        sum += tap * (white[row * wide + column + k] as number);
      across[row * width + column] = sum;
    }
  const grain = new Float32Array(width * height);
  for (let at = 0; at < grain.length; at += 1) {
    let sum = 0;
    for (const [k, tap] of taps.entries()) sum += tap * (across[at + k * width] as number);
    grain[at] = sum * deviation;
  }
  return grain;
}

/** Gaussian kernel whose squares sum to 1, so that softened noise keeps its deviation. */
function kernelOf(softnessPx: number): number[] {
  const radius = softnessPx < 0.2 ? 0 : Math.ceil(2.5 * softnessPx);
  const taps = Array.from({ length: 2 * radius + 1 }, (_, k) =>
    radius === 0 ? 1 : Math.exp(-0.5 * ((k - radius) / softnessPx) ** 2),
  );
  const power = Math.sqrt(taps.reduce((sum, tap) => sum + tap ** 2, 0));
  return taps.map((tap) => tap / power);
}

/** Standard deviation of the sum of four uniform 32-bit integers. */
const deviationOfSum = 2 ** 32 / Math.sqrt(12) / Math.sqrt(0.25);

/**
 * Approximately normal value of deviation 1: the sum of four uniform values, each hashed from the position
 * and a seed of its own.
 */
function normalAt(x: number, y: number): number {
  let sum = 0;
  for (let seed = 1; seed <= 4; seed += 1) sum += hashOf(x, y, seed) - 2 ** 31;
  return sum / deviationOfSum;
}

/** Hashes a position and a seed to 0..2^32 - 1 (finaliser of MurmurHash3). */
function hashOf(x: number, y: number, seed: number): number {
  let h = Math.imul(x, 0x85ebca6b) ^ Math.imul(y, 0xc2b2ae35) ^ Math.imul(seed, 0x27d4eb2f);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
