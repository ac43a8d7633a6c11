/** Measures the damage of a photo's earlier processing, on its raster and from its file. */
import type { Raster } from '../raster/raster-file.ts';
import type { YieldTurn } from '../cancellation/yield.ts';
import { blockPx, blockSize } from './block-transform.ts';
import { addToGrid, createGridSums, gridOf, type BlockGrid } from './block-grid.ts';
import { qualityOfSteps, stepsOfQuality } from '../../../packages/file-records/src/index.ts';
import { addFlatBlocks, createFlatBlocks } from './flat-blocks.ts';
import type { FileCompression } from '../../../packages/photo-files/src/index.ts';
import type { Blur, Damage, Noise } from '../protocol/damage.ts';
import { readJpegBlocks } from './jpeg-blocks.ts';
import { noiseOf } from './noise.ts';
import { noiseBeforeJpeg } from './noise-before-jpeg.ts';
import { readSample, visitSample, type PictureSample } from './picture-sample.ts';
import { addCoefficients, createCounts, qualityOfCoefficients } from './pixel-quality.ts';

type SampledRaster = Pick<Raster, 'shape' | 'readRect'>;

/** Begins to measure the blur on another thread; undefined: it is not measured. */
type BeginBlur = (
  compression: Pick<Damage, 'jpegQuality'>,
) => Promise<{ blur: Promise<Blur> } | undefined>;

/**
 * Measures a picture's damage on a sample of at most 1.6 megapixels, whatever the picture's size.
 *
 * @param beginBlur called once the compression is known, so that blur is measured beside noise; absent: without blur
 * @throws the reason of the aborted signal, and what measuring the blur throws
 */
export async function measurePicture(
  raster: SampledRaster,
  file: FileCompression,
  yieldTurn: YieldTurn,
  beginBlur?: BeginBlur,
): Promise<Damage> {
  const sample = await readSample(raster, yieldTurn);
  const grid = await findGrid(sample, yieldTurn);
  const compression = await compressionOf(sample, file, grid, yieldTurn);
  const begun = await beginBlur?.(compression);
  const [blur, noise] = await Promise.all([
    begun?.blur,
    measureNoise(sample, compression, yieldTurn),
  ]);
  const { jpegQuality, toldBy } = compression;
  const { blockiness } = grid;
  return {
    ...noise,
    ...(jpegQuality !== undefined && { jpegQuality }),
    ...{ toldBy, blockiness },
    ...(blur && { blur }),
  };
}

async function findGrid(sample: PictureSample, yieldTurn: YieldTurn): Promise<BlockGrid> {
  const sums = createGridSums();
  await visitSample(sample, yieldTurn, (window) => {
    addToGrid(sums, window);
  });
  return gridOf(sums);
}

interface Compression extends Pick<Damage, 'jpegQuality' | 'toldBy'> {
  /** Luminance steps of a JPEG, and the offset of its first block. */
  steps?: readonly number[];
  grid: Grid;
}

type Grid = Pick<BlockGrid, 'x' | 'y'>;

async function compressionOf(
  sample: PictureSample,
  file: FileCompression,
  grid: BlockGrid,
  yieldTurn: YieldTurn,
): Promise<Compression> {
  const isAtCorner = grid.x === atCorner.x && grid.y === atCorner.y;
  const grids = file.kind === 'unsaid' || isAtCorner ? [grid] : [grid, atCorner];
  const inPixels = await qualityInPixels(sample, grids, requantisationDeviations(file), yieldTurn);
  const inFile = { ...compressionInFile(file), grid: inPixels?.grid ?? atCorner };
  // A file that was saved again keeps the traces of an earlier, stronger compression.
  if (!inPixels || inPixels.quality >= (inFile.jpegQuality ?? Infinity) - minQualityDrop)
    return inFile;
  const { quality } = inPixels;
  return {
    jpegQuality: quality,
    toldBy: 'pixels',
    steps: stepsOfQuality(quality),
    grid: inPixels.grid,
  };
}

function compressionInFile(file: FileCompression): Omit<Compression, 'grid'> {
  if (file.kind === 'unsaid') return { toldBy: 'nothing' };
  if (file.kind === 'equivalent') return { jpegQuality: file.quality, toldBy: 'header' };
  const { steps } = file;
  return { jpegQuality: qualityOfSteps(steps), toldBy: 'tables', steps };
}

/** Pixels are less certain than tables and headers, so their quality must be lower by this. */
const minQualityDrop = 8;
/**
 * Standard deviation in levels per point of equivalent quality below 100, measured with WebP and AVIF on
 * photographs: these formats quantise all frequencies alike.
 */
const deviationPerQuality = 0.26;

/**
 * How far the file's own quantiser moved the coefficients of an earlier compression, as standard deviations
 * in levels.
 */
function requantisationDeviations(file: FileCompression): readonly number[] {
  if (file.kind === 'unsaid') return [];
  if (file.kind === 'jpeg') return file.steps.map((step) => step / Math.sqrt(12));
  return new Array<number>(blockSize).fill(deviationPerQuality * (100 - file.quality));
}

/** Grid of an uncropped photo that was saved again: the later compression hides its blocks. */
const atCorner: Grid = { x: 0, y: 0 };

async function qualityInPixels(
  sample: PictureSample,
  grids: readonly Grid[],
  deviations: readonly number[],
  yieldTurn: YieldTurn,
): Promise<{ quality: number; grid: Grid } | undefined> {
  const counted = grids.map((grid) => ({ grid, counts: createCounts() }));
  await visitSample(sample, yieldTurn, (window) => {
    for (const { grid, counts } of counted) addCoefficients(counts, window, grid);
  });
  for (const { grid, counts } of counted) {
    const quality = qualityOfCoefficients(counts, deviations);
    if (quality !== undefined) return { quality, grid };
  }
  return undefined;
}

/** Smaller pictures have too few adjacent blocks, so blocks overlap. */
const overlapping = [
  { pixels: 128 * 128, everyPx: 2 },
  { pixels: 1024 * 1024, everyPx: 4 },
];

async function measureNoise(
  sample: PictureSample,
  { steps, grid }: Compression,
  yieldTurn: YieldTurn,
): Promise<Noise> {
  if (!steps) return noiseInPixels(sample, yieldTurn);
  await yieldTurn();
  return noiseBeforeJpeg(readJpegBlocks(sample, grid, steps));
}

async function noiseInPixels(sample: PictureSample, yieldTurn: YieldTurn): Promise<Noise> {
  const { width, height } = sample.shape;
  const overlap = overlapping.find(({ pixels }) => width * height < pixels);
  const flat = createFlatBlocks();
  await visitSample(sample, yieldTurn, (window) => {
    addFlatBlocks(flat, window, overlap?.everyPx ?? blockPx);
  });
  return noiseOf(flat);
}
