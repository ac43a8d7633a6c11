/** Runs every frame of an animation through a job's plan, one after the other, and joins them on disk. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Timings } from '../../../../packages/contract/src/task.ts';
import { loadStallMs } from '../../cancellation/uncancellable-work.ts';
import type { Job } from '../../protocol/messages.ts';
import {
  type Animation,
  sliceFrame,
  type DecodedFrames,
  type DecodedPicture,
  type InspectedPicture,
} from '../../../../packages/photo-files/src/index.ts';
import {
  createRaster,
  withRaster,
  type Raster,
  type RasterShape,
} from '../../raster/raster-file.ts';
import { eachStrip } from '../../raster/strips.ts';
import type { JobOutput, RunnablePlan } from '../steps/job-context.ts';
import { createProgress, type ProgressPlan, type ProgressReporter } from '../steps/progress.ts';

interface AnimationJob {
  job: Job;
  inspected: InspectedPicture;
  decoded: DecodedFrames;
  /** Plans the work on one frame; all frames share what was measured of the first. */
  planFrame: (job: Job) => RunnablePlan;
  /** Called with the first frame, before it runs. */
  onFirst: (frame: DecodedPicture) => Promise<void>;
}

interface FramesContext {
  icc: Buffer | undefined;
  timings: Timings;
  progress: ProgressReporter;
  signal: AbortSignal;
}

/** The output of the first frame, and the animation of all. */
type FramesOutput = JobOutput & { animation: Animation };

/** Runs the frames; the decoded ones are removed. @throws EnlargerError, the signal's reason */
export async function runFrames(
  { job, inspected, decoded, planFrame, onFirst }: AnimationJob,
  context: FramesContext,
): Promise<FramesOutput> {
  const { progress, signal } = context;
  const { frames, delaysMs, plays } = decoded;
  const path = join(job.scratchDir, 'animation.v');
  let first: JobOutput | undefined;
  let joined: Raster | undefined;
  progress.enter('network', loadStallMs);
  try {
    for (let i = 0; i < frames; i += 1) {
      signal.throwIfAborted();
      const scratchDir = join(job.scratchDir, `frame-${i}`);
      mkdirSync(scratchDir);
      const frame = await sliceFrame(decoded, i, inspected, scratchDir);
      if (i === 0) await onFirst(frame);
      const plan = planFrame({ ...withoutViews(job, i > 0), scratchDir });
      const output = await plan.run({
        ...context,
        decoded: frame,
        progress: progressOfFrame(plan.progress, progress, i, frames),
      });
      joined ??= createRaster(path, stackedShape(output.shape, frames));
      await appendFrame(output, joined, i, signal);
      if (i > 0) rmSync(scratchDir, { recursive: true });
      first ??= output;
      progress.part((i + 1) / frames, loadStallMs);
    }
  } finally {
    joined?.close();
  }
  rmSync(decoded.path);
  if (!first) throw new Error('An animation without frames');
  return { ...first, animation: { path, frames, delaysMs, plays } };
}

/** Views show the first frame. */
function withoutViews(job: Job, isFurther: boolean): Job {
  if (!isFurther) return job;
  const further = { ...job };
  delete further.views;
  return further;
}

const stackedShape = (shape: RasterShape, frames: number): RasterShape => ({
  ...shape,
  height: shape.height * frames,
});

/** Copies a frame's raster below those before it. */
async function appendFrame(
  { rasterPath, shape }: JobOutput,
  joined: Raster,
  index: number,
  signal: AbortSignal,
): Promise<void> {
  const { width, height } = shape;
  await withRaster(rasterPath, (raster) =>
    eachStrip(raster, { signal }, ({ samples, y, rows, stride }) => {
      const rect = { x: 0, y: index * height + y, width, height: rows };
      joined.writeRect(rect, samples, 0, stride);
    }),
  );
}

/** Reports a frame's own progress as its part of the whole. */
const progressOfFrame = (
  plan: ProgressPlan,
  whole: Pick<ProgressReporter, 'part'>,
  index: number,
  frames: number,
): ProgressReporter =>
  createProgress(plan, ({ percent }, stallLimitMs) =>
    whole.part((index + percent / 100) / frames, stallLimitMs),
  );

/** Progress of all frames; the time left is that of the frames so far, for the rest. */
export function progressOfFrames(seconds: number | undefined): ProgressPlan {
  const startMs = performance.now();
  return {
    shares: [
      ['decode', 0.04],
      ['network', 0.86],
      ['encode', 0.1],
    ],
    secondsLeft(done) {
      const spent = (performance.now() - startMs) / 1000;
      if (done < measuredShare) return seconds && seconds * (1 - done);
      return (spent / done) * (1 - done);
    },
  };
}

/** From this share of the whole on the job's own pace counts. */
const measuredShare = 0.1;
