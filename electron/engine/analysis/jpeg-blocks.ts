/**
 * Reads what the noise network sees of a JPEG: the flattest of its blocks, where noise shows best, and others
 * that are spread over the ranking. `models/training/noise_blocks.py` reads the same.
 */
import { blockPx, blockSize, frequenciesBetween, transformBlock } from './block-transform.ts';
import type { BlockGrid } from './block-grid.ts';
import { headroomOf } from './clipped-noise.ts';
import { mean } from './noise.ts';
import { blindness, blocksIn, type PictureSample, type SampleWindow } from './picture-sample.ts';

/** Inputs of the noise network. */
export interface BlockReadings {
  count: number;
  /** Row-major, `blockInputs` a block. */
  blocks: Float32Array;
  /** What holds for all blocks. */
  shared: readonly number[];
}

interface Block {
  window: SampleWindow;
  offset: number;
}

interface RankedBlock extends Block {
  /** Luma coefficients, row-major. */
  values: Float32Array;
  /** Least distance in levels of a colour's mean from black or white. */
  headroom: number;
  energy: number;
  /** Position among all blocks by energy, 0..1. */
  rank: number;
}

const bands = [
  [1, 1],
  [2, 2],
  [3, 3],
  [4, 4],
  [5, 6],
  [7, 8],
  [9, 14],
].map(([from = 0, to = 0]) => frequenciesBetween(from, to));
const colourBands = [
  [1, 2],
  [3, 5],
  [6, 14],
].map(([from = 0, to = 0]) => frequenciesBetween(from, to));
const ranking = frequenciesBetween(1, 4);

/** Each coefficient but the first in two forms, the bands' energies, headroom, brightness and rank. */
export const blockInputs = 2 * (blockSize - 1) + bands.length + 2 * colourBands.length + 3;

const maxRanked = 2048;
/** Numbers of blocks: the flattest that are not clipped, the flattest of those far from it, and others. */
const flattest = [
  { count: 224, minHeadroom: 6 },
  { count: 96, minHeadroom: 40 },
];
const spreadCount = 192;

/** @param steps the quantiser's luminance steps, row-major */
export function readJpegBlocks(
  { windows }: PictureSample,
  grid: Pick<BlockGrid, 'x' | 'y'>,
  steps: readonly number[],
): BlockReadings {
  const positions = { ...grid, blindFrom: blindness.clear };
  const all = windows.flatMap((window) =>
    Array.from(blocksIn(window, positions), (offset): Block => ({ window, offset })),
  );
  const ranked = rank(evenly(all, maxRanked).map(transformed));
  const chosen = choose(ranked);
  const blocks = new Float32Array(chosen.length * blockInputs);
  for (const [n, block] of chosen.entries())
    writeInputs(block, steps, blocks.subarray(n * blockInputs, (n + 1) * blockInputs));
  const coarseness = bands.map((band) => Math.log(mean(band.map((i) => steps[i] as number))));
  return { count: chosen.length, blocks, shared: [...coarseness, Math.log(ranked.length) / 2] };
}

function evenly<T>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items];
  return Array.from({ length: most }, (_, n) => items[Math.floor((n * items.length) / most)] as T);
}

const coefficients = new Float64Array(blockSize);

function transformed({ window, offset }: Block): RankedBlock {
  const { luma, colours, width } = window;
  transformBlock(luma, offset, width, coefficients);
  const values = new Float32Array(coefficients);
  const headroom = Math.min(...colours.map((plane) => headroomOf(plane, offset, width)));
  return { window, offset, values, headroom, energy: energyOf(coefficients, ranking), rank: 0 };
}

function energyOf(values: Float64Array, band: readonly number[]): number {
  let sum = 0;
  for (const i of band) sum += (values[i] as number) ** 2;
  return sum;
}

/** Sorts blocks by flatness. */
function rank(blocks: readonly RankedBlock[]): RankedBlock[] {
  const sorted = blocks.toSorted((a, b) => a.energy - b.energy);
  for (const [n, block] of sorted.entries()) block.rank = n / sorted.length;
  return sorted;
}

function choose(ranked: readonly RankedBlock[]): RankedBlock[] {
  const chosen = new Set<RankedBlock>();
  for (const { count, minHeadroom } of flattest) {
    const some = ranked.filter((b) => b.headroom >= minHeadroom && !chosen.has(b));
    for (const block of some.slice(0, count)) chosen.add(block);
  }
  const others = ranked.filter((block) => !chosen.has(block));
  return [...chosen, ...evenly(others, spreadCount)];
}

/** Added to energies before their logarithm, in levels squared. */
const floor = 0.05;
const maxWhole = 255;
const maxHeadroom = 64;
/** Scale of all inputs but the coefficients. */
const otherScale = 0.3;

const logMean = (values: Float64Array, band: readonly number[]) =>
  Math.log(energyOf(values, band) / band.length + floor);

const quantised = new Float64Array(blockSize);

function writeInputs(
  { window, offset, values, headroom, rank: own }: RankedBlock,
  steps: readonly number[],
  into: Float32Array,
): void {
  for (let i = 1; i < blockSize; i += 1) {
    const step = steps[i] as number;
    const whole = Math.round(Math.abs(values[i] as number) / step);
    quantised[i] = whole * step;
    into[i - 1] = Math.log1p(Math.min(whole, maxWhole));
    into[blockSize - 2 + i] = Math.min(whole, 1);
  }
  const others = [
    ...bands.map((band) => logMean(quantised, band)),
    ...colourEnergies(window, offset),
    Math.min(headroom, maxHeadroom) / maxHeadroom,
    (values[0] as number) / blockPx / 255,
    own,
  ];
  into.set(
    others.map((value) => value * otherScale),
    2 * (blockSize - 1),
  );
}

/** Difference of a colour from luma to the chroma of a JPEG (BT.601). */
const chromaOf = [
  { colour: 2, factor: 0.564 },
  { colour: 0, factor: 0.713 },
];
const difference = new Float32Array(blockSize);

/** Energies of both chroma planes, by band. */
function colourEnergies({ colours, luma, width }: SampleWindow, offset: number): number[] {
  return chromaOf.flatMap(({ colour, factor }) => {
    const plane = colours[colour] ?? luma;
    for (let i = 0; i < blockSize; i += 1) {
      const at = offset + Math.floor(i / blockPx) * width + (i % blockPx);
      difference[i] = factor * ((plane[at] as number) - (luma[at] as number));
    }
    transformBlock(difference, 0, blockPx, coefficients);
    return colourBands.map((band) => logMean(coefficients, band));
  });
}
