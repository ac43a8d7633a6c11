/** What was done to a photo before it came here: measured on its raster, with what its file says. */
import type { Raster } from '../raster/raster-file.ts';
import type { YieldTurn } from '../yield.ts';
import { blockPx } from './block-transform.ts';
import { addToGrid, createGridSums, gridOf, type BlockGrid } from './block-grid.ts';
import { qualityOfSteps, stepsOfQuality } from './jpeg-quality.ts';
import { addFlatBlocks, createFlatBlocks, noiseOf, type BlockPlaces, type Noise } from './noise.ts';
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

/** Reads at most 1.6 megapixels, three times, whatever the picture's size. Rejects with the reason of what stops it. */
export async function measurePicture(
  raster: Pixels,
  file: FileCompression,
  yieldTurn: YieldTurn,
): Promise<Damage> {
  const grid = await findGrid(raster, yieldTurn);
  const compression = await compressionOf(raster, file, grid, yieldTurn);
  const noise = await measureNoise(raster, compression.steps, grid, yieldTurn);
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
  steps?: readonly number[];
}

async function compressionOf(
  raster: Pixels,
  file: FileCompression,
  grid: BlockGrid,
  yieldTurn: YieldTurn,
): Promise<Compression> {
  if (file.kind === 'likened') return { jpegQuality: file.quality, toldBy: 'header' };
  const told = file.kind === 'jpeg' ? qualityOfSteps(file.steps) : undefined;
  const seen = await qualityInPixels(raster, grid, yieldTurn);
  // A file that was saved again keeps the traces of the stronger compression before.
  if (seen !== undefined && (told === undefined || seen < told - savedAgainBy))
    return { jpegQuality: seen, toldBy: 'pixels', steps: stepsOfQuality(seen) };
  if (file.kind === 'unsaid' || told === undefined) return { toldBy: 'nothing' };
  return { jpegQuality: told, toldBy: 'tables', steps: file.steps };
}

/** Pixels are read less surely than tables. */
const savedAgainBy = 8;

async function qualityInPixels(
  raster: Pixels,
  grid: BlockGrid,
  yieldTurn: YieldTurn,
): Promise<number | undefined> {
  const counts = createCounts();
  await visitSample(raster, yieldTurn, (window) => {
    addCoefficients(counts, window, grid);
  });
  return qualityOfCoefficients(counts);
}

/** Deviation of brightness over that of each colour: 0.67 of white noise, 1 of what is alike in all three. */
const lumaShare = 0.7;
/** Small pictures have too few blocks side by side: there they overlap. */
const overlapping = [
  { pixels: 128 * 128, everyPx: 2 },
  { pixels: 1024 * 1024, everyPx: 4 },
];

async function measureNoise(
  raster: Pixels,
  steps: readonly number[] | undefined,
  grid: BlockGrid,
  yieldTurn: YieldTurn,
): Promise<Noise> {
  const { width, height, bands } = raster.shape;
  const overlap = steps ? undefined : overlapping.find(({ pixels }) => width * height < pixels);
  const everyPx = overlap?.everyPx ?? blockPx;
  const places: BlockPlaces = { x: grid.x, y: grid.y, everyPx, ofLuma: steps !== undefined };
  const flat = createFlatBlocks();
  await visitSample(raster, yieldTurn, (window) => {
    addFlatBlocks(flat, window, places);
  });
  const noise = noiseOf(flat, steps);
  const isHidden = steps !== undefined && bands >= 3;
  return isHidden ? { ...noise, deviation: noise.deviation / lumaShare } : noise;
}
