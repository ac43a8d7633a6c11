/**
 * From a network's soft mask to a picture with alpha: the edge found along the photo's own, and
 * the colours of the matting band decontaminated of the background. Memory does not grow with the picture.
 */
import type { MaskTuning } from '../../../../contract/model.ts';
import type { Raster } from '../../../raster/raster-file.ts';
import { createYield } from '../../../yield.ts';
import { estimateEdgeColours } from './edge-colours.ts';
import { confidenceOf } from './mask-depth.ts';
import { settled } from './settle-mask.ts';
import { solveAlpha } from './solve-alpha.ts';
import { softPixels, trimapOf } from './trimap.ts';
import { factorFor, mostWorkingPixels, readWorkingCopy } from './working-copy.ts';
import { writeCutout } from './write-cutout.ts';
import type { StripOptions } from '../../../raster/strips.ts';

interface CutoutRasters {
  /** Upright, 8 or 16 bit, 1-4 bands. Its own alpha multiplies into the result's. */
  source: Raster;
  /** The network's answer stretched over the whole picture, 0..1. */
  mask: { width: number; height: number; data: Float32Array };
  /** Path of the raster to write: the source's size, depth and colours, and alpha. */
  output: string;
  /** What was found for the network whose mask it is. */
  tuning: MaskTuning;
  scratchDir: string;
  /** How much of the surroundings' colour is taken out of the edge, in percent; all of it when undefined. */
  decontaminate?: number | undefined;
}

export interface RefineOptions extends StripOptions {
  /** The largest picture that is solved as it is, in pixels; larger ones on a reduced copy. */
  workingPixels?: number;
}

/**
 * Writes `output`. Where the mask is sure alpha is exactly 0 or full and the colours are the
 * source's own samples. Gives the event loop a turn at least every few tens of milliseconds.
 * Rejects with the signal's reason; throws STORAGE_FULL.
 */
export async function refineCutout(
  { source, mask, output, tuning, decontaminate = 100 }: CutoutRasters,
  {
    signal,
    onProgress = () => undefined,
    stripRows = 64,
    workingPixels = mostWorkingPixels,
  }: RefineOptions,
): Promise<void> {
  const yieldTurn = createYield(signal);
  const { width, height } = source.shape;
  const copy = await readWorkingCopy(source, factorFor(width, height, workingPixels), signal);
  onProgress(0.15);
  const believed = settled(mask, tuning);
  const read = {
    mask: believed,
    soft: softPixels(believed, tuning),
    confidence: confidenceOf(believed, tuning),
    belief: tuning,
  };
  const trimap = trimapOf(read.mask, read.soft, copy.width, copy.height);
  const { alpha, coefficients } = await solveAlpha(copy, trimap, read, yieldTurn);
  onProgress(0.5);
  const colours = await estimateEdgeColours(copy.colours, alpha, trimap.unknown, yieldTurn);
  onProgress(0.7);
  const solution = {
    factor: copy.factor,
    trimap,
    alpha,
    coefficients,
    colours,
    decontamination: decontaminate / 100,
  };
  await writeCutout(source, output, solution, {
    stripRows,
    signal,
    onProgress: (done) => onProgress(0.7 + 0.3 * done),
  });
}
