/**
 * Refines a network's soft mask to a picture with alpha: the edge follows the photo's own edges, and the
 * colours of the matting band are decontaminated of the background. Memory does not grow with the picture.
 */
import type { Size } from '../../../../../packages/contract/src/geometry.ts';
import type { MaskTuning } from '../../../../../packages/contract/src/models/model.ts';
import type { Raster } from '../../../raster/raster-file.ts';
import { resampledTo } from '../../../raster/planes/resample.ts';
import type { Mask } from '../../../tiles/mask-tensor.ts';
import { createYield } from '../../../cancellation/yield.ts';
import { estimateEdgeColours } from './edge-colours.ts';
import { confidenceOf } from './mask-depth.ts';
import { cleanMask } from './clean-mask.ts';
import { solveAlpha } from './solve-alpha.ts';
import { softPixels, trimapOf } from './trimap.ts';
import { maxWorkingPixels, workingFactorOf } from '../../../plan/speeds.ts';
import { readWorkingCopy } from './working-copy.ts';
import { writeCutout } from './write-cutout.ts';
import type { StripOptions } from '../../../raster/strips.ts';

interface CutoutRasters {
  /** Upright, 8 or 16 bits, 1-4 bands. Its own alpha multiplies into the result's. */
  source: Raster;
  /** Stretched over the whole picture. */
  mask: Mask;
  /** Path of the result: the source's size, depth and colours, and alpha. */
  output: string;
  /** Tuning of the network that made the mask. */
  tuning: MaskTuning;
  /** Percentage of the background's colour to remove from the edge; undefined: 100. */
  decontaminate?: number | undefined;
}

export interface RefineOptions extends StripOptions {
  /** A picture of more pixels is solved on a reduced copy. */
  workingPixels?: number;
}

/** A mask of so many times a picture's pixels shows no more than one of the picture's size, and takes longer. */
const maxMaskShare = 2;

function reducedTo({ width, height }: Size, mask: Mask): Mask {
  const isFiner = mask.width > width && mask.height > height;
  if (!isFiner || mask.width * mask.height <= maxMaskShare * width * height) return mask;
  return resampledTo(mask, { width, height });
}

/**
 * Writes `output`. Where the mask is certain, alpha is exactly 0 or full, and the colours are the source's
 * own samples. Yields to the event loop at least every few tens of milliseconds.
 *
 * @throws the signal's reason, EnlargerError STORAGE_FULL
 */
export async function refineCutout(
  { source, mask, output, tuning, decontaminate = 100 }: CutoutRasters,
  {
    signal,
    onProgress = () => undefined,
    stripRows = 64,
    workingPixels = maxWorkingPixels,
  }: RefineOptions,
): Promise<void> {
  const yieldTurn = createYield(signal);
  const factor = workingFactorOf(source.shape, workingPixels);
  const copy = await readWorkingCopy(source, factor, signal);
  onProgress(0.15);
  const cleaned = cleanMask(reducedTo(source.shape, mask), tuning);
  const read = {
    mask: cleaned,
    soft: softPixels(cleaned, tuning),
    confidence: confidenceOf(cleaned, tuning),
    tuning,
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
