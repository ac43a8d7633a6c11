/**
 * Refines a network's soft mask to a picture with alpha: the edge is found along the photo's
 * own edges, and the colours of the matting band are decontaminated of the background. Memory
 * does not grow with the picture.
 */
import type { MaskTuning } from '../../../../contract/models/model.ts';
import type { Raster } from '../../../raster/raster-file.ts';
import type { Mask } from '../../../tiles/mask-tensor.ts';
import { createYield } from '../../../cancellation/yield.ts';
import { estimateEdgeColours } from './edge-colours.ts';
import { confidenceOf } from './mask-depth.ts';
import { settled } from './settle-mask.ts';
import { solveAlpha } from './solve-alpha.ts';
import { softPixels, trimapOf } from './trimap.ts';
import { factorFor, mostWorkingPixels, readWorkingCopy } from './working-copy.ts';
import { writeCutout } from './write-cutout.ts';
import type { StripOptions } from '../../../raster/strips.ts';

interface CutoutRasters {
  /** The source is upright, with 8 or 16 bits and 1-4 bands. Its own alpha multiplies into the result's. */
  source: Raster;
  /** The mask is stretched over the whole picture. */
  mask: Mask;
  /** The result is written to this path: a raster with the source's size, bits and colours, and alpha. */
  output: string;
  /** This is the tuning of the network that gave the mask. */
  tuning: MaskTuning;
  /** This percentage of the background's colour is taken out of the edge; undefined means all of it. */
  decontaminate?: number | undefined;
}

export interface RefineOptions extends StripOptions {
  /** A picture of at most this many pixels is solved as it is; a larger one is solved on a reduced copy. */
  workingPixels?: number;
}

/**
 * Writes `output`. Where the mask is sure, alpha is exactly 0 or full, and the colours are the source's own
 * samples. The function yields to the event loop at least every few tens of milliseconds. It rejects with the
 * signal's reason and throws STORAGE_FULL.
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
