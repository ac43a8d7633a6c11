/**
 * Refines a mask at full size: its edge is solved (or, for true alpha, only enlarged), feathered, and
 * overpainted with hard strokes.
 */
import { join } from 'node:path';
import type { CutoutJob } from '../../../protocol/messages.ts';
import { convertRaster } from '../../../raster/convert-raster.ts';
import { type Raster, consumeRaster, withRaster } from '../../../raster/raster-file.ts';
import { viewMask } from '../../../views/views.ts';
import type { FoundMask } from '../mask/find-mask.ts';
import { isHard, paintHard } from '../strokes/hard-strokes.ts';
import { tuningOf } from '../tuning.ts';
import { writeFeathered } from './feather.ts';
import { applyPlainMask, overlayAlpha } from './plain-mask.ts';
import { refineCutout } from './refine-cutout.ts';

export interface CutoutHooks {
  signal: AbortSignal;
  onProgress: (fraction: number) => void;
}

/** A mask, and where it is alpha already. */
export type RefinedMask = Pick<FoundMask, 'mask' | 'alphaWhere'>;

type RefineJob = Pick<
  CutoutJob,
  'network' | 'scratchDir' | 'maskOnly' | 'strokes' | 'feather' | 'decontaminate' | 'views'
>;

/**
 * Writes the source's colours, decontaminated of the background, and alpha to a raster in the job's scratch
 * folder. The raster has the source's depth, or 16 bits for a mask of 16 bits.
 *
 * @returns its path
 */
export async function refineMask(
  job: RefineJob,
  bits: 8 | 16,
  source: Raster,
  found: RefinedMask,
  hooks: CutoutHooks,
): Promise<string> {
  const isDeeper = job.maskOnly && bits > source.shape.bits;
  if (!isDeeper) return refineOver(job, source, found, hooks);
  const path = join(job.scratchDir, 'deep.v');
  await convertRaster(source, path, { bits }, { signal: hooks.signal });
  return consumeRaster(path, (deep) => refineOver(job, deep, found, hooks));
}

async function refineOver(
  job: RefineJob,
  source: Raster,
  { mask, alphaWhere }: RefinedMask,
  hooks: CutoutHooks,
): Promise<string> {
  const { network, scratchDir, strokes, decontaminate } = job;
  const refined = join(scratchDir, 'subject.v');
  const tuning = tuningOf(network);
  if (network.matting) await applyPlainMask(source, mask, refined, hooks);
  else await refineCutout({ source, mask, output: refined, tuning, decontaminate }, hooks);
  if (alphaWhere && !network.matting)
    await withRaster(refined, (subject) => overlayAlpha(source, subject, mask, alphaWhere, hooks));
  const output = await feathered(job, refined, hooks.signal);
  await withRaster(output, async (subject) => {
    // Hard strokes come after everything that softens the edge, so that they cover exactly what was painted.
    if (strokes.some(isHard)) await paintHard(source, subject, strokes, hooks.signal);
    await viewMask(job.views, subject, hooks.signal);
  });
  return output;
}

async function feathered(
  { feather, scratchDir }: RefineJob,
  refined: string,
  signal: AbortSignal,
): Promise<string> {
  if (feather === undefined) return refined;
  const output = join(scratchDir, 'feathered.v');
  await consumeRaster(refined, (subject) => writeFeathered(subject, output, feather, signal));
  return output;
}
