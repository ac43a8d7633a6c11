/**
 * Finishes an enlarged raster: it is reduced to its size, compared with its source, sharpened, and covered with
 * grain.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangedPixels } from '../../../contract/task.ts';
import { chooseGrain, type GrainSpec } from '../../plan/choose-restoring.ts';
import type { Damage } from '../../protocol/damage.ts';
import type { OutputPlan } from '../../plan/output-plan.ts';
import type { FinishingOptions, JobFrame } from '../../protocol/messages.ts';
import { finishRaster } from '../../raster/finish-raster.ts';
import { withRaster } from '../../raster/raster-file.ts';
import { viewChanges } from '../../views/views.ts';
import {
  loadStallMs,
  bytesWritten,
  awaitUncancellable,
} from '../../cancellation/uncancellable-work.ts';
import { silenceOf } from '../steps/write-result.ts';
import { timed, type WorkStep } from '../steps/work.ts';
import type { Enlarged } from './enlarge.ts';
import { whatFollows, type ReportedChange } from './fidelity/change-words.ts';
import { holdColours } from './fidelity/hold-colours.ts';
import { compareWithSource, projectOnSource } from './fidelity/keep-faithful.ts';
import { layGrain } from './grain.ts';

export type FinishingJob = FinishingOptions &
  Pick<JobFrame, 'scratchDir' | 'views'> & {
    /** True means that the written file is compressed with loss. */
    isCompressed: boolean;
  };

type Sized = Pick<Enlarged, 'rasterPath' | 'shape'>;

export interface Finished extends Sized {
  change: ReportedChange;
  /** The grain is undefined where none was laid. */
  grain: GrainSpec | undefined;
}

/** Finishes the enlarged raster. The source, which is the step's raster, is removed. */
export async function finishEnlarged(
  job: FinishingJob,
  enlarged: Sized,
  plan: OutputPlan,
  damage: Damage | undefined,
  step: WorkStep,
): Promise<Finished> {
  const { timings } = step;
  const pathOf = (name: string) => join(job.scratchDir, `${name}.v`);
  const source = step.decoded.shape;
  // The raster that is compared with the source has the result's size, unless the source is larger.
  const isSmaller = plan.width < source.width || plan.height < source.height;
  const sized = isSmaller
    ? enlarged
    : await timed(timings, 'encodeMs', () =>
        resized(enlarged, { path: pathOf('sized') }, plan, step),
      );
  const changed = await timed(timings, 'compareMs', () => compare(job, sized, step));
  const last = await timed(timings, 'encodeMs', () =>
    resized(sized, { path: pathOf('finished'), sharpen: job.sharpen }, plan, step),
  );
  const grain = chooseGrain(job.grain, damage, plan.width / source.width);
  if (grain) await timed(timings, 'encodeMs', () => lay(last, grain, plan, step));
  const after = whatFollows(job, { isSmaller, hasGrain: !!grain });
  return { ...last, change: { changed, after }, grain };
}

/** Compares a raster with the source, which is then removed. `keep` first brings the raster back to it. */
async function compare(
  { scratchDir, keep, views }: FinishingJob,
  { rasterPath }: Sized,
  { decoded, progress, signal }: WorkStep,
): Promise<ChangedPixels> {
  const onProgress = () => progress.stillAlive(loadStallMs);
  const projection = { path: rasterPath, sourcePath: decoded.path, scratchDir };
  onProgress();
  if (keep === 'colours') await holdColours(projection, { signal, onProgress });
  const { changed, map } = await (keep === 'faithful' ? projectOnSource : compareWithSource)(
    projection,
    { signal, onProgress },
  );
  rmSync(decoded.path);
  await viewChanges(views, map);
  return changed;
}

/** Lays grain over the finished raster, in place. */
async function lay(
  { rasterPath, shape }: Sized,
  grain: GrainSpec,
  { format }: OutputPlan,
  { progress, signal }: WorkStep,
): Promise<void> {
  const silenceMs = silenceOf({ format, shape });
  await withRaster(rasterPath, async (raster) => {
    progress.stillAlive(silenceMs);
    await layGrain(raster, grain, { signal, onProgress: () => progress.stillAlive(silenceMs) });
  });
}

/** Resizes and sharpens a raster, which is then removed. The answer is the raster itself if nothing changes. */
async function resized(
  { rasterPath, shape }: Sized,
  { path, sharpen }: { path: string; sharpen?: number | undefined },
  { format, width, height }: OutputPlan,
  { progress, signal }: WorkStep,
): Promise<Sized> {
  const isReduced = width !== shape.width || height !== shape.height;
  if (!isReduced && !sharpen) return { rasterPath, shape };
  const made = { ...shape, width, height };
  const silenceMs = silenceOf({ format, shape: made });
  progress.enter('encode', silenceMs);
  await awaitUncancellable(
    finishRaster(rasterPath, path, { width, height, sharpen }),
    () => bytesWritten(path),
    () => progress.stillAlive(silenceMs),
    signal,
  );
  rmSync(rasterPath);
  return { rasterPath: path, shape: made };
}
