/** Measures what was done to a photo before it came here, on its raster and with what its file tells. */
import type { Raster } from '../raster/raster-file.ts';
import type { YieldTurn } from '../cancellation/yield.ts';
import { blockPx, blockSize, frequenciesBetween } from './block-transform.ts';
import { addToGrid, createGridSums, gridOf, type BlockGrid } from './block-grid.ts';
import { qualityOfSteps, stepsOfQuality } from '../raster/jpeg-quality.ts';
import { addFlatBlocks, createFlatBlocks } from './flat-blocks.ts';
import type { Damage, Noise } from '../protocol/damage.ts';
import { mean, noiseOf } from './noise.ts';
import { addQuantisedBlocks, noiseBeforeJpeg, type QuantisedBlock } from './noise-before-jpeg.ts';
import { visitSample } from './picture-sample.ts';
import { addCoefficients, createCounts, qualityOfCoefficients } from './pixel-quality.ts';

/** What the head of a file tells of its compression. */
export type FileCompression =
  /** The file has a JPEG's steps of brightness, row by row. */
  | { kind: 'jpeg'; steps: readonly number[] }
  /** The file has another lossy format, whose strength is given as the JPEG quality that looks alike. */
  | { kind: 'equivalent'; quality: number }
  /** The file tells nothing, so pixels must tell. */
  | { kind: 'unsaid' };

type Pixels = Pick<Raster, 'shape' | 'readRect'>;

/**
 * Measures a picture's damage. It reads at most 1.6 megapixels, three times (of a small JPEG four times),
 * whatever the picture's size. It rejects with the reason of the signal that stops it.
 */
export async function measurePicture(
  raster: Pixels,
  file: FileCompression,
  yieldTurn: YieldTurn,
): Promise<Damage> {
  const grid = await findGrid(raster, yieldTurn);
  const compression = await compressionOf(raster, file, grid, yieldTurn);
  const noise = await measureNoise(raster, compression, yieldTurn);
  const { jpegQuality, toldBy } = compression;
  const { blockiness } = grid;
  return { ...noise, ...(jpegQuality !== undefined && { jpegQuality }), toldBy, blockiness };
}

async function findGrid(raster: Pixels, yieldTurn: YieldTurn): Promise<BlockGrid> {
  const sums = createGridSums();
  await visitSample(raster, yieldTurn, (window) => {
    addToGrid(sums, window);
  });
  return gridOf(sums);
}

interface Compression extends Pick<Damage, 'jpegQuality' | 'toldBy'> {
  /** A JPEG's steps of brightness, and where its first block lies. */
  steps?: readonly number[];
  grid: Grid;
}

type Grid = Pick<BlockGrid, 'x' | 'y'>;

async function compressionOf(
  raster: Pixels,
  file: FileCompression,
  grid: BlockGrid,
  yieldTurn: YieldTurn,
): Promise<Compression> {
  const grids = file.kind === 'unsaid' ? [grid] : [grid, atCorner];
  const seen = await qualityInPixels(raster, grids, movedBy(file), yieldTurn);
  const told = { ...whatFileTells(file), grid: seen?.grid ?? atCorner };
  // A file that was saved again keeps the traces of a stronger compression before.
  if (!seen || seen.quality >= (told.jpegQuality ?? Infinity) - savedAgainBy) return told;
  const { quality } = seen;
  return {
    jpegQuality: quality,
    toldBy: 'pixels',
    steps: stepsOfQuality(quality),
    grid: seen.grid,
  };
}

function whatFileTells(file: FileCompression): Omit<Compression, 'grid'> {
  if (file.kind === 'unsaid') return { toldBy: 'nothing' };
  if (file.kind === 'equivalent') return { jpegQuality: file.quality, toldBy: 'header' };
  const { steps } = file;
  return { jpegQuality: qualityOfSteps(steps), toldBy: 'tables', steps };
}

/** Pixels must tell a quality lower by this, because they are less certain than tables and headers. */
const savedAgainBy = 8;
/**
 * Levels of deviation for each point of equivalent quality below 100, measured with WebP and AVIF on
 * photographs: these formats quantise all frequencies alike.
 */
const movedByQuality = 0.26;

/** Gives how far the file's own quantiser moved the coefficients of an earlier compression, in levels. */
function movedBy(file: FileCompression): readonly number[] {
  if (file.kind === 'unsaid') return [];
  if (file.kind === 'jpeg') return file.steps.map((step) => step / Math.sqrt(12));
  return new Array<number>(blockSize).fill(movedByQuality * (100 - file.quality));
}

/** The grid of a photo that was saved again uncropped, whose later compression hides where its blocks lie. */
const atCorner: Grid = { x: 0, y: 0 };

async function qualityInPixels(
  raster: Pixels,
  grids: readonly Grid[],
  moved: readonly number[],
  yieldTurn: YieldTurn,
): Promise<{ quality: number; grid: Grid } | undefined> {
  const counted = grids.map((grid) => ({ grid, counts: createCounts() }));
  await visitSample(raster, yieldTurn, (window) => {
    for (const { grid, counts } of counted) addCoefficients(counts, window, grid);
  });
  for (const { grid, counts } of counted) {
    const quality = qualityOfCoefficients(counts, moved);
    if (quality !== undefined) return { quality, grid };
  }
  return undefined;
}

/** A picture of fewer pixels has too few blocks side by side, so a block begins at every few pixels. */
const overlapping = [
  { pixels: 128 * 128, everyPx: 2 },
  { pixels: 1024 * 1024, everyPx: 4 },
];

async function measureNoise(
  raster: Pixels,
  { steps, grid }: Compression,
  yieldTurn: YieldTurn,
): Promise<Noise> {
  if (!steps) return noiseInPixels(raster, yieldTurn);
  const blocks: QuantisedBlock[] = [];
  await visitSample(raster, yieldTurn, (window) => {
    addQuantisedBlocks(blocks, window, grid);
  });
  const before = noiseBeforeJpeg(blocks, steps);
  if (blocks.length >= manyBlocks || before.deviation === 0) return before;
  const left = await noiseInPixels(raster, yieldTurn);
  const most = mostOfPixels * left.deviation + mostHidden * meanLowStep(steps);
  return { ...before, deviation: Math.min(before.deviation, most) };
}

/** Fewer blocks of a JPEG's grid may all have texture, so what pixels still show bounds their noise. */
const manyBlocks = 2048;
/** The bound is this many times the pixels' noise, plus this part of the lowest frequencies' mean step. */
const mostOfPixels = 1.5;
const mostHidden = 0.5;

function meanLowStep(steps: readonly number[]): number {
  return mean(frequenciesBetween(1, 3).map((i) => steps[i] as number));
}

async function noiseInPixels(raster: Pixels, yieldTurn: YieldTurn): Promise<Noise> {
  const { width, height } = raster.shape;
  const overlap = overlapping.find(({ pixels }) => width * height < pixels);
  const flat = createFlatBlocks();
  await visitSample(raster, yieldTurn, (window) => {
    addFlatBlocks(flat, window, overlap?.everyPx ?? blockPx);
  });
  return noiseOf(flat);
}
