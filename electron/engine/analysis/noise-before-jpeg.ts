/**
 * Estimates the noise of a photo before its JPEG compression by a small network: two layers for each block,
 * means over the blocks weighted by what they tell (attention pooling, Ilse et al. 2018), and two layers more
 * that give the chance of each level. Trained by `models/training/noise.py`.
 */
import type { Noise } from '../protocol/damage.ts';
import { blockInputs, type BlockReadings } from './jpeg-blocks.ts';
import { noiseLayers } from './noise-network.ts';

/** A layer's weights: column-major, so that inputs of 0, which are most, cost nothing. */
interface Layer {
  columns: Float32Array;
  constants: Float32Array;
}

type LayerName = keyof typeof noiseLayers;
let layers: Record<LayerName, Layer> | undefined;

const binLevels = 0.25;
const maxSoftnessPx = 0.6;
/** Levels by which an estimate may be off. */
const tolerance = 1.5;
/** Levels whose chance is this near to the best are as good. */
const nearChance = 0.01;
/** Texture lost is worse than noise left, so the chance of these lowest levels counts more. */
const clean = { bins: 3, gain: Math.log(3) };
const minBlocks = 4;

/** Returns 0 for fewer than four blocks. */
export function noiseBeforeJpeg(readings: BlockReadings): Noise {
  if (readings.count < minBlocks) return { deviation: 0, softnessPx: 0 };
  layers ??= {
    first: unpacked(noiseLayers.first),
    second: unpacked(noiseLayers.second),
    weigh: unpacked(noiseLayers.weigh),
    pooled: unpacked(noiseLayers.pooled),
    last: unpacked(noiseLayers.last),
    out: unpacked(noiseLayers.out),
  };
  const { pooled, last, out } = layers;
  const shared = Float32Array.from(readings.shared);
  const seen = joined(poolBlocks(readings, shared, layers), shared);
  const found = apply(out, positive(apply(last, positive(apply(pooled, seen)))));
  const deviation = likeliestLevel(chances(favourClean(found.subarray(0, -1))));
  const softness = Math.max(found.at(-1) as number, 0);
  return { deviation, softnessPx: deviation === 0 ? 0 : softness * maxSoftnessPx };
}

function unpacked({ inputs, rows, steps }: (typeof noiseLayers)[LayerName]): Layer {
  const whole = new Int8Array(Buffer.from(rows, 'base64'));
  const stepBytes = Buffer.from(steps, 'base64');
  const outputs = stepBytes.length / 4;
  const columns = new Float32Array(inputs * outputs);
  const constants = new Float32Array(outputs);
  for (let o = 0; o < outputs; o += 1) {
    const step = stepBytes.readFloatLE(4 * o);
    const at = o * (inputs + 1);
    for (let i = 0; i < inputs; i += 1) columns[i * outputs + o] = step * (whole[at + i] as number);
    constants[o] = step * (whole[at + inputs] as number);
  }
  return { columns, constants };
}

function apply({ columns, constants }: Layer, input: Float32Array): Float32Array {
  const output = constants.slice();
  addTo(output, columns, input);
  return output;
}

function addTo(output: Float32Array, columns: Float32Array, input: Float32Array): void {
  const outputs = output.length;
  for (let i = 0; i < input.length; i += 1) {
    const value = input[i] as number;
    if (value === 0) continue;
    const at = i * outputs;
    for (let o = 0; o < outputs; o += 1)
      output[o] = (output[o] as number) + value * (columns[at + o] as number);
  }
}

function positive(values: Float32Array): Float32Array {
  for (let i = 0; i < values.length; i += 1) values[i] = Math.max(values[i] as number, 0);
  return values;
}

function joined(a: Float32Array, b: Float32Array): Float32Array {
  const both = new Float32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Returns the weighted means of the blocks' features, one for each of the weights. */
function poolBlocks(
  { count, blocks }: BlockReadings,
  shared: Float32Array,
  { first, second, weigh }: Record<LayerName, Layer>,
): Float32Array {
  const start = first.constants.slice();
  addTo(start, first.columns.subarray(blockInputs * start.length), shared);
  const features = Array.from({ length: count }, (_, n) => {
    const input = blocks.subarray(n * blockInputs, (n + 1) * blockInputs);
    const hidden = apply({ columns: first.columns, constants: start }, input);
    return positive(apply(second, positive(hidden)));
  });
  const weights = features.map((own) => apply(weigh, own));
  const heads = Array.from(weigh.constants, (_, head) => {
    const shares = chances(Float32Array.from(weights, (own) => own[head] as number));
    return weightedMean(features, shares);
  });
  return heads.reduce(joined);
}

function weightedMean(features: readonly Float32Array[], shares: Float32Array): Float32Array {
  const sum = new Float32Array(features[0]?.length ?? 0);
  for (const [n, own] of features.entries()) {
    const share = shares[n] as number;
    for (let i = 0; i < sum.length; i += 1)
      sum[i] = (sum[i] as number) + share * (own[i] as number);
  }
  return sum;
}

const favourClean = (logits: Float32Array) =>
  logits.map((value, n) => (n < clean.bins ? value + clean.gain : value));

/** Softmax. */
function chances(logits: Float32Array): Float32Array {
  const highest = logits.reduce((a, b) => Math.max(a, b));
  const powers = logits.map((value) => Math.exp(value - highest));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

/** Returns the level with the greatest chance of the truth within `tolerance`. */
function likeliestLevel(bins: Float32Array): number {
  const reach = tolerance / binLevels;
  const within = (n: number) => {
    let sum = 0;
    for (let by = -reach; by <= reach; by += 1)
      sum += (bins[n + by] ?? 0) * (Math.abs(by) === reach ? 0.5 : 1);
    return sum;
  };
  const near = Array.from(bins, (_, n) => within(n));
  const best = Math.max(...near);
  const centre = near.indexOf(best);
  const mean = meanLevel(bins, centre - reach, centre + reach);
  const good = near.flatMap((chance, n) => (chance >= best - nearChance ? [n * binLevels] : []));
  const nearest = good.reduce((a, b) => (Math.abs(b - mean) < Math.abs(a - mean) ? b : a));
  return Math.abs(nearest - mean) > binLevels / 2 ? nearest : mean;
}

function meanLevel(bins: Float32Array, from: number, to: number): number {
  let sum = 0;
  let whole = 0;
  for (let n = Math.max(from, 0); n <= Math.min(to, bins.length - 1); n += 1) {
    sum += (bins[n] as number) * n * binLevels;
    whole += bins[n] as number;
  }
  return sum / whole;
}
