/** Finishes a photo that needs no network: it is resized, sharpened, and gets grain. */
import { note } from '../../../../packages/contract/src/notes/notes.ts';
import { join } from 'node:path';
import type { OutputPlan } from '../../plan/output-plan.ts';
import { chooseGrain, noRestoring, recordOfDamage } from '../../plan/choose-restoring.ts';
import type { Damage } from '../../protocol/damage.ts';
import { convertRaster } from '../../raster/convert-raster.ts';
import { consumeRaster } from '../../raster/raster-file.ts';
import { loadStallMs } from '../../cancellation/uncancellable-work.ts';
import { timed, type JobContext, type JobOutput } from '../steps/job-context.ts';
import type { ProgressPlan } from '../steps/progress.ts';
import { applyGrain, resized, type FinishingJob, type SizedRaster } from './finish-enlarged.ts';

export const progressWithoutNetwork: ProgressPlan = {
  shares: [
    ['decode', 0.5],
    ['encode', 0.5],
  ],
  secondsLeft: () => undefined,
};

/** Makes the last raster from the decoded one, which is removed. @param damage for grain like the photo's own */
export async function finishWithoutNetwork(
  job: FinishingJob,
  plan: OutputPlan,
  damage: Damage | undefined,
  context: JobContext,
): Promise<JobOutput> {
  const { decoded, timings } = context;
  const source = decoded.shape;
  const finished = await timed(timings, 'encodeMs', async () => {
    const deep = await withDepth(job, plan.bits, context);
    const path = join(job.scratchDir, 'finished.v');
    return resized(deep, { path, sharpen: job.sharpen }, plan, context);
  });
  const scale = plan.width / source.width;
  const grain = chooseGrain(job.grain, damage, scale);
  if (grain) await timed(timings, 'encodeMs', () => applyGrain(finished, grain, plan, context));
  const isReduced = plan.width < source.width || plan.height < source.height;
  const isLarger = plan.width > source.width || plan.height > source.height;
  return {
    ...finished,
    scale,
    converted: decoded.converted,
    made: `${isReduced ? 'reduced' : isLarger ? 'enlarged' : 'finished'} without a network`,
    ...(damage && { measured: recordOfDamage(damage, 0, noRestoring, grain) }),
    notes: [note(isReduced ? 'REDUCED_PLAINLY' : isLarger ? 'ENLARGED_PLAINLY' : 'NO_NETWORK_RAN')],
  };
}

/** Converts the decoded raster to the result's depth. */
async function withDepth(
  { scratchDir }: FinishingJob,
  bits: 8 | 16,
  { decoded: { path, shape }, progress, signal }: JobContext,
): Promise<SizedRaster> {
  if (shape.bits === bits) return { rasterPath: path, shape };
  const rasterPath = join(scratchDir, 'deep.v');
  return consumeRaster(path, async (raster) => {
    const onProgress = () => progress.heartbeat(loadStallMs);
    const made = await convertRaster(raster, rasterPath, { bits }, { signal, onProgress });
    return { rasterPath, shape: made };
  });
}
