/** Cuts out a subject: the network finds it, its mask is refined, and a background is put behind it. */
import type { Stroke } from '../../../../packages/contract/src/options/strokes.ts';
import type { Size } from '../../../../packages/contract/src/geometry.ts';
import type { Timings } from '../../../../packages/contract/src/task.ts';
import type { InferenceThread } from '../../inference/thread.ts';
import type { ProgressPlan } from '../steps/progress.ts';
import type { CutoutJob } from '../../protocol/messages.ts';
import type { InspectedPicture } from '../../../../packages/photo-files/src/index.ts';
import { type Raster, withRaster, consumeRaster } from '../../raster/raster-file.ts';
import { cutoutMegapixels, speedAmong } from '../../plan/speeds.ts';
import { loadStallMs, tileStallMs } from '../../cancellation/uncancellable-work.ts';
import {
  withInferenceLock,
  timed,
  type JobTools,
  type MaskCalls,
  type JobOutput,
  type RunnablePlan,
  type JobContext,
} from '../steps/job-context.ts';
import { composeCutout, type ComposedCutout } from './compose/compose-cutout.ts';
import { findMask, type FoundMask } from './mask/find-mask.ts';
import { assertSeparate, assertLargeEnough, assertSubject, gradeOf } from './mask/find-subject.ts';
import { preemptingMasks } from './mask/preempting-masks.ts';
import { refineMask } from './refine/refine-mask.ts';
import { isHard } from './strokes/hard-strokes.ts';
import { tuningOf } from './tuning.ts';
import { planCutoutJob } from '../../plan/plan-cutout.ts';

/** Plans a cut-out without enlargement. @throws EnlargerError IMAGE_TOO_LARGE */
export function planCutoutRun(
  job: CutoutJob,
  { info }: InspectedPicture,
  tools: JobTools<MaskCalls | 'noteSpeed' | 'known'>,
): RunnablePlan {
  const plan = planCutoutJob(job, info, speedAmong(tools.inference.known().speeds));
  const { bits } = plan.output;
  return {
    ...plan,
    ...(!job.preempts && { first: job.network }),
    progress: progressOf(plan.seconds),
    async run(context) {
      const { found, composed } = await cutOut({ job, bits, tools }, context);
      const onWritten = () => recordCutoutSpeed(tools.inference, job, found, info, context.timings);
      return { ...outputOf(job, found, composed, context), onWritten };
    },
  };
}

/** Measured shares of the steps. */
const shares = [
  ['decode', 0.1],
  ['wait', 0],
  ['network', 0.1],
  ['refine', 0.5],
  ['encode', 0.3],
] as const;

const progressOf = (seconds: number | undefined): ProgressPlan => ({
  shares,
  secondsLeft: (done) => (seconds === undefined ? undefined : seconds * (1 - done)),
});

export interface CutoutOrder {
  job: CutoutJob;
  /** Depth of the output raster. */
  bits: 8 | 16;
  tools: JobTools<MaskCalls | 'noteSpeed' | 'known'>;
  /** Crops are aligned to multiples of this; absent: 1. */
  gridPx?: number;
}

export interface CutResult {
  found: FoundMask;
  composed: ComposedCutout;
}

/** A hard stroke that keeps something makes it a subject, whatever the network finds. */
const isHardKeep = (stroke: Stroke) => stroke.kind === 'keep' && isHard(stroke);

/** A person who points at the subject, or boxes it, is right about its being one. */
const isSelectingKeep = (stroke: Stroke) => stroke.kind === 'keep' && stroke.selects !== undefined;
const selected = { leastSubject: 1e-9, subjectCertainty: 0 };

/** Cuts the subject out of the context's raster, which is removed. @throws EnlargerError NO_SUBJECT */
export async function cutOut(order: CutoutOrder, context: JobContext): Promise<CutResult> {
  const found = await findIn(order, context);
  return { found, composed: await cutAlong(order, found, context) };
}

/** Finds the subject's mask in the context's raster, which stays. @throws EnlargerError NO_SUBJECT */
export async function findIn(order: CutoutOrder, context: JobContext): Promise<FoundMask> {
  return withRaster(context.decoded.path, async (source) => {
    assertLargeEnough(source.shape);
    const found = await (order.job.preempts
      ? timed(context.timings, 'networkMs', () => find(order, source, context))
      : withInferenceLock(order.tools, context, () => find(order, source, context)));
    context.signal.throwIfAborted();
    const { network, strokes } = order.job;
    const tuning = tuningOf(network);
    if (!strokes.some(isHardKeep))
      assertSubject(
        found.mask,
        strokes.some(isSelectingKeep) ? { ...tuning, ...selected } : tuning,
      );
    // Strokes define what the subject is.
    if (strokes.length === 0) assertSeparate(found, tuning);
    return found;
  });
}

/** Cuts the context's raster, which is removed, along a mask of the whole picture. */
export async function cutAlong(
  order: CutoutOrder,
  found: FoundMask,
  context: JobContext,
): Promise<ComposedCutout> {
  const { path } = context.decoded;
  await context.viewed;
  return consumeRaster(path, (source) => makeCutout(order, source, found, context));
}

function find(
  { job, tools }: CutoutOrder,
  raster: Raster,
  { icc, progress, signal }: JobContext,
): Promise<FoundMask> {
  progress.enter('network', loadStallMs);
  const onProgress = () => progress.part(1, loadStallMs);
  const inference = job.preempts ? preemptingMasks(tools.inference) : tools.inference;
  return findMask(job, { raster, icc }, inference, { signal, onProgress });
}

/** Share of refining in the refine step; composing takes the rest. */
const refineShare = 0.9;

async function makeCutout(
  { job, bits, gridPx }: CutoutOrder,
  source: Raster,
  found: FoundMask,
  { icc, timings, progress, signal }: JobContext,
): Promise<ComposedCutout> {
  const stallMs = tileStallMs(0);
  progress.enter('refine', stallMs);
  const hooksFrom = (start: number, share: number) => ({
    signal,
    onProgress: (part: number) => progress.part(start + part * share, stallMs),
  });
  const refined = await timed(timings, 'refineMs', () =>
    refineMask(job, bits, source, found, hooksFrom(0, refineShare)),
  );
  return timed(timings, 'composeMs', () =>
    composeCutout(
      { ...job, bits, icc, gridPx },
      source,
      refined,
      hooksFrom(refineShare, 1 - refineShare),
    ),
  );
}

/** Converts a cut-out to the job's output. */
export function outputOf(
  { network, strokes }: CutoutJob,
  { sizePx, device, notes, rawMask }: FoundMask,
  composed: ComposedCutout,
  { decoded }: JobContext,
): JobOutput {
  return {
    ...composed,
    converted: decoded.converted || composed.converted,
    made: `background removed with ${network.modelId}`,
    // No grade if strokes were painted, or if the network gives true alpha: values between 0 and 1 are no
    // uncertainty there.
    ...(strokes.length === 0 && !network.matting && { grade: gradeOf(rawMask, tuningOf(network)) }),
    ran: { device, notes, tiles: { count: 1, sizePx, computedPerCore: 1 } },
  };
}

/** From this size on a picture shows the speed of the job; smaller ones show the network's. */
const minSpeedMegapixels = 1;

/** Records the speed of all but the encoder, because the network alone takes the same time for every picture. */
export function recordCutoutSpeed(
  inference: Pick<InferenceThread, 'noteSpeed'>,
  { network, preempts }: Pick<CutoutJob, 'network' | 'preempts'>,
  { device, provider }: FoundMask,
  size: Size,
  { decodeMs = 0, networkMs = 0, refineMs = 0, composeMs = 0 }: Timings,
): void {
  // Beside a running pass it is slower.
  if (preempts || size.width * size.height < minSpeedMegapixels * 1e6) return;
  const seconds = (decodeMs + networkMs + refineMs + composeMs) / 1000;
  inference.noteSpeed({
    modelId: network.modelId,
    scale: 1,
    provider,
    precision: device.precision,
    megapixelsPerSecond: cutoutMegapixels(size) / seconds,
  });
}
