/**
 * Finishes an enlarged raster: resizes it to its size, blends it with a plain enlargement, compares it with
 * its source, sharpens it, and adds grain.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangedPixels } from '../../../../packages/contract/src/task.ts';
import { chooseGrain, type GrainSpec } from '../../plan/choose-restoring.ts';
import type { Damage } from '../../protocol/damage.ts';
import type { OutputPlan } from '../../plan/output-plan.ts';
import type { FinishingOptions, JobFrame } from '../../protocol/messages.ts';
import { cubic, enlargePlain, lanczos3, type Kernel } from '../../raster/enlarge-plain.ts';
import { finishRaster } from '../../raster/finish-raster.ts';
import type { Plane } from '../../raster/planes/plane.ts';
import { consumeRaster, withRaster } from '../../raster/raster-file.ts';
import { viewChanges } from '../../views/views.ts';
import {
  loadStallMs,
  bytesWritten,
  awaitUncancellable,
} from '../../cancellation/uncancellable-work.ts';
import { encodeStallOf } from '../steps/write-result.ts';
import { timed, type JobContext } from '../steps/job-context.ts';
import type { EnlargedRaster } from './enlarge.ts';
import { stepsAfterComparison, type ReportedChange } from './fidelity/describe-change.ts';
import { matchColours } from './fidelity/match-colours.ts';
import { compareWithSource, projectOnSource } from './fidelity/back-projection.ts';
import { blendPlain } from './amount.ts';
import { addGrain } from './grain.ts';

export type FinishingJob = FinishingOptions &
  Pick<JobFrame, 'scratchDir' | 'views'> & {
    /** Whether the written file is compressed with loss. */
    isCompressed: boolean;
  };

export type SizedRaster = Pick<EnlargedRaster, 'rasterPath' | 'shape'>;

export interface FinishedRaster extends SizedRaster {
  change: ReportedChange;
  /** Undefined: none was added. */
  grain: GrainSpec | undefined;
}

/**
 * Finishes the enlarged raster. The source, the context's raster, is removed.
 *
 * @param area where the networks' result is used; undefined: everywhere
 */
export async function finishEnlarged(
  job: FinishingJob,
  enlarged: SizedRaster,
  plan: OutputPlan,
  damage: Damage | undefined,
  context: JobContext,
  area?: Plane,
): Promise<FinishedRaster> {
  const { timings, decodedScale = 1 } = context;
  const pathOf = (name: string) => join(job.scratchDir, `${name}.v`);
  const source = context.decoded.shape;
  // The compared raster has the result's size.
  const sized = await timed(timings, 'encodeMs', () =>
    resized(enlarged, { path: pathOf('sized'), kernel: lanczos3 }, plan, context),
  );
  const { amount = 100 } = job;
  if (amount < 100 || area)
    await timed(timings, 'composeMs', () => blend({ amount, area }, sized, context));
  const changed = await timed(timings, 'compareMs', () => compare(job, sized, context));
  const last = await timed(timings, 'encodeMs', () =>
    resized(sized, { path: pathOf('finished'), sharpen: job.sharpen }, plan, context),
  );
  const grain = chooseGrain(job.grain, damage, (decodedScale * plan.width) / source.width);
  if (grain) await timed(timings, 'encodeMs', () => applyGrain(last, grain, plan, context));
  const after = stepsAfterComparison(job, grain !== undefined);
  return { ...last, change: { changed, after }, grain };
}

async function blend(
  amount: Parameters<typeof blendPlain>[1],
  { rasterPath: path }: SizedRaster,
  { decoded, progress, signal }: JobContext,
): Promise<void> {
  const onProgress = () => progress.heartbeat(loadStallMs);
  onProgress();
  await blendPlain({ path, sourcePath: decoded.path }, amount, { signal, onProgress });
}

/** Compares a raster with the source, which is then removed, after applying `keep`. */
async function compare(
  { scratchDir, keep, views }: FinishingJob,
  { rasterPath }: SizedRaster,
  { decoded, progress, signal, beside }: JobContext,
): Promise<ChangedPixels> {
  const onProgress = () => progress.heartbeat(loadStallMs);
  const projection = { path: rasterPath, sourcePath: decoded.path, scratchDir };
  onProgress();
  if (keep === 'colours') await matchColours(projection, { signal, onProgress });
  const { changed, map } = await (keep === 'faithful' ? projectOnSource : compareWithSource)(
    projection,
    { signal, onProgress },
  );
  rmSync(decoded.path);
  const view = viewChanges(views, map);
  if (beside) beside(view);
  else await view;
  return changed;
}

/** Adds grain to the finished raster, in place. */
export async function applyGrain(
  { rasterPath, shape }: SizedRaster,
  grain: GrainSpec,
  { format }: OutputPlan,
  { progress, signal }: JobContext,
): Promise<void> {
  const stallMs = encodeStallOf({ format, shape });
  await withRaster(rasterPath, async (raster) => {
    progress.heartbeat(stallMs);
    await addGrain(raster, grain, { signal, onProgress: () => progress.heartbeat(stallMs) });
  });
}

interface ResizeOptions {
  path: string;
  sharpen?: number | undefined;
  /** For a larger result; absent: cubic. */
  kernel?: Kernel;
}

/** Resizes and sharpens a raster, which is then removed; returns the raster itself if nothing changes. */
export async function resized(
  raster: SizedRaster,
  { path, sharpen, kernel = cubic }: ResizeOptions,
  plan: OutputPlan,
  context: JobContext,
): Promise<SizedRaster> {
  const { format, width, height } = plan;
  const { progress, signal } = context;
  const { rasterPath, shape } = await enlargedPlain(
    raster,
    { path: `${path}.plain.v`, kernel },
    plan,
    context,
  );
  const isReduced = width !== shape.width || height !== shape.height;
  if (!isReduced && !sharpen) return { rasterPath, shape };
  const made = { ...shape, width, height };
  const stallMs = encodeStallOf({ format, shape: made });
  progress.enter('encode', stallMs);
  await awaitUncancellable(
    finishRaster(rasterPath, path, { width, height, sharpen }),
    () => bytesWritten(path),
    () => progress.heartbeat(stallMs),
    signal,
  );
  rmSync(rasterPath);
  return { rasterPath: path, shape: made };
}

/**
 * Enlarges a raster, which is then removed, by interpolation; returns the raster itself if the plan is no larger.
 * libvips would shift it by half a pixel.
 */
async function enlargedPlain(
  { rasterPath, shape }: SizedRaster,
  { path, kernel }: { path: string; kernel: Kernel },
  { format, width, height }: OutputPlan,
  { progress, signal }: JobContext,
): Promise<SizedRaster> {
  if (width <= shape.width && height <= shape.height) return { rasterPath, shape };
  const stallMs = encodeStallOf({ format, shape: { ...shape, width, height } });
  progress.enter('encode', stallMs);
  const onProgress = () => progress.heartbeat(stallMs);
  return consumeRaster(rasterPath, async (raster) => ({
    rasterPath: path,
    shape: await enlargePlain(raster, path, { width, height }, { signal, onProgress, kernel }),
  }));
}
