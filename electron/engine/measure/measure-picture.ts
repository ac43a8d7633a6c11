/** What was done to a photo before it came here: measured on its raster, with what its file says. */
import type { Raster } from '../raster/raster-file.ts';
import type { YieldTurn } from '../yield.ts';
import { blockPx, blockSize } from './block-transform.ts';
import { addToGrid, createGridSums, gridOf, type BlockGrid } from './block-grid.ts';
import { qualityOfSteps, stepsOfQuality } from './jpeg-quality.ts';
import { addFlatBlocks, createFlatBlocks, noiseOf, type Noise } from './noise.ts';
import { addQuantisedBlocks, noiseBeforeJpeg, type QuantisedBlock } from './noise-before-jpeg.ts';
import { visitSample } from './picture-sample.ts';
import { addCoefficients, createCounts, qualityOfCoefficients } from './pixel-quality.ts';

/** What a file's head tells of its compression. */
export type FileCompression =
  /** A JPEG's steps of brightness, row by row. */
  | { kind: 'jpeg'; steps: readonly number[] }
  /** Another lossy format's strength, as the JPEG quality that looks alike. */
  | { kind: 'likened'; quality: number }
  /** Nothing: pixels must tell. */
  | { kind: 'unsaid' };

export interface Damage extends Noise {
  /** libjpeg's quality, 1-100; absent: no trace of lossy compression. */
  jpegQuality?: number;
  /** Who told the quality. */
  toldBy: 'tables' | 'header' | 'pixels' | 'nothing';
  /** How much larger steps across the borders of 8 x 8 blocks are than elsewhere: 0 alike, 1 twice. */
  blockiness: number;
}

type Pixels = Pick<Raster, 'shape' | 'readRect'>;

/** Reads at most 1.6 megapixels, three times (a small JPEG four times), whatever the picture's size. Rejects with the reason of what stops it. */
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
  /** A JPEG's, and where its first block lies. */
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
  // A file that was saved again keeps the traces of the stronger compression before.
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
  if (file.kind === 'likened') return { jpegQuality: file.quality, toldBy: 'header' };
  const { steps } = file;
  return { jpegQuality: qualityOfSteps(steps), toldBy: 'tables', steps };
}

/** Pixels are read less surely than tables and headers. */
const savedAgainBy = 8;
/** Levels a point of likened quality, of WebP and AVIF on photographs: they quantise all frequencies alike. */
const movedByQuality = 0.26;

/** How far the file's own quantiser moved each coefficient of what was compressed before, in levels. */
function movedBy(file: FileCompression): readonly number[] {
  if (file.kind === 'unsaid') return [];
  if (file.kind === 'jpeg') return file.steps.map((step) => step / Math.sqrt(12));
  return new Array<number>(blockSize).fill(movedByQuality * (100 - file.quality));
}

/** Of a photo that was saved again whole, whose later compression blurred where its blocks lie. */
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

/** Small pictures have too few blocks side by side: there they overlap. */
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

/** Among fewer blocks of a JPEG's grid there may be none without texture: what pixels still show bounds their noise. */
const manyBlocks = 2048;
/** JPEG leaves at least so much of a noise, or hides so much of its lowest frequencies' steps. */
const mostOfPixels = 1.5;
const mostHidden = 0.5;

function meanLowStep(steps: readonly number[]): number {
  const low = steps.filter((_, i) => i > 0 && (i % blockPx) + Math.floor(i / blockPx) <= 3);
  return low.reduce((sum, step) => sum + step, 0) / low.length;
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
