/** Cuts out a subject: the network finds it, its mask is refined, and a background is put behind it. */
import type { Stroke } from '../../../contract/options/strokes.ts';
import type { Timings } from '../../../contract/task.ts';
import type { InferenceThread } from '../../inference/thread.ts';
import type { ProgressPlan } from '../steps/progress.ts';
import type { CutoutJob } from '../../protocol/messages.ts';
import type { Inspected } from '../../raster/inspect.ts';
import { type Raster, withRaster, consumeRaster } from '../../raster/raster-file.ts';
import { cutoutMegapixels, speedAmong } from '../../plan/speeds.ts';
import { loadStallMs, tileStallMs } from '../../cancellation/uncancellable-work.ts';
import {
  inTurn,
  timed,
  type JobTools,
  type Worked,
  type WorkPlan,
  type WorkStep,
} from '../steps/work.ts';
import { composeCutout, type Composed } from './compose/compose-cutout.ts';
import { findMask, type FoundMask } from './mask/find-mask.ts';
import { assertApart, assertLargeEnough, assertSubject, gradeOf } from './mask/find-subject.ts';
import { refineMask } from './refine/refine-mask.ts';
import { isHard } from './strokes/hard-strokes.ts';
import { tuningOf } from './tuning.ts';
import { planCutoutJob } from '../../plan/plan-cutout.ts';

/** Plans a cut-out that is not enlarged. It throws IMAGE_TOO_LARGE. */
export function cutoutWork(job: CutoutJob, { info }: Inspected, tools: JobTools): WorkPlan {
  const plan = planCutoutJob(job, info, speedAmong(tools.inference.known().speeds));
  const { bits } = plan.output;
  const megapixels = (info.width * info.height) / 1e6;
  return {
    ...plan,
    progress: progressOf(plan.seconds),
    async run(step) {
      const { found, composed } = await cutOut({ job, bits, tools }, step);
      const onWritten = () => noteSpeed(tools.inference, job, found, megapixels, step.timings);
      return { ...workedOf(job, found, composed, step), onWritten };
    },
  };
}

/** The steps were measured to take these shares of the whole. */
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
  /** The made raster has this many bits. */
  bits: 8 | 16;
  tools: JobTools;
  /** A crop begins and ends at multiples of this many pixels; when absent, anywhere. */
  gridPx?: number;
}

export interface Cut {
  found: FoundMask;
  composed: Composed;
}

/** A hard stroke that keeps something makes it a subject, whatever the network finds. */
const isKeptHard = (stroke: Stroke) => stroke.kind === 'keep' && isHard(stroke);

/** Cuts the subject out of the step's raster, which is removed. It throws NO_SUBJECT. */
export async function cutOut(order: CutoutOrder, step: WorkStep): Promise<Cut> {
  const found = await findIn(order, step);
  return { found, composed: await cutAlong(order, found, step) };
}

/** Finds the mask of the subject in the step's raster, which stays. It throws NO_SUBJECT. */
export async function findIn(order: CutoutOrder, step: WorkStep): Promise<FoundMask> {
  return withRaster(step.decoded.path, async (source) => {
    assertLargeEnough(source.shape);
    const found = await inTurn(order.tools, step, () => find(order, source, step));
    step.signal.throwIfAborted();
    const { network, strokes } = order.job;
    const tuning = tuningOf(network);
    if (!strokes.some(isKeptHard)) assertSubject(found.mask, tuning);
    // A person who has painted has said what the subject is.
    if (strokes.length === 0) assertApart(found, tuning);
    return found;
  });
}

/** Cuts the step's raster, which is removed, along a mask of the whole picture. */
export async function cutAlong(
  order: CutoutOrder,
  found: FoundMask,
  step: WorkStep,
): Promise<Composed> {
  const { path } = step.decoded;
  return consumeRaster(path, (source) => makeCutout(order, source, found, step));
}

function find(
  { job, tools }: CutoutOrder,
  raster: Raster,
  { icc, progress, signal }: WorkStep,
): Promise<FoundMask> {
  progress.enter('network', loadStallMs);
  const onProgress = () => progress.part(1, loadStallMs);
  return findMask(job, { raster, icc }, tools.inference, { signal, onProgress });
}

/** Refining takes this share of the refine step; composing takes the rest. */
const refineShare = 0.9;

async function makeCutout(
  { job, bits, gridPx }: CutoutOrder,
  source: Raster,
  { mask }: FoundMask,
  { icc, timings, progress, signal }: WorkStep,
): Promise<Composed> {
  const silenceMs = tileStallMs(0);
  progress.enter('refine', silenceMs);
  const hooksFrom = (start: number, share: number) => ({
    signal,
    onProgress: (part: number) => progress.part(start + part * share, silenceMs),
  });
  const refined = await timed(timings, 'refineMs', () =>
    refineMask(job, bits, source, mask, hooksFrom(0, refineShare)),
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

/** Reports a cut-out as a work's result. */
export function workedOf(
  { network, strokes }: CutoutJob,
  { sizePx, device, notes, rawMask }: FoundMask,
  composed: Composed,
  { decoded }: WorkStep,
): Worked {
  return {
    ...composed,
    converted: decoded.converted || composed.converted,
    made: `background removed with ${network.modelId}`,
    // A cut-out has no grade where a person has painted, or where the network gives true alpha: there, values
    // between 0 and 1 are no doubt.
    ...(strokes.length === 0 && !network.matting && { grade: gradeOf(rawMask, tuningOf(network)) }),
    ran: { device, notes, tiles: { count: 1, sizePx, computedPerCore: 1 } },
  };
}

/** Only from this size on does a picture tell the speed of the whole job; smaller ones tell the network's. */
const tellingMegapixels = 1;

/** Notes the speed of the whole job, for the network's own part takes the same time for every picture. */
export function noteSpeed(
  inference: InferenceThread,
  { network }: Pick<CutoutJob, 'network'>,
  { device, provider }: FoundMask,
  megapixels: number,
  { decodeMs = 0, networkMs = 0, refineMs = 0, composeMs = 0, encodeMs = 0 }: Timings,
): void {
  if (megapixels < tellingMegapixels) return;
  const seconds = (decodeMs + networkMs + refineMs + composeMs + encodeMs) / 1000;
  inference.noteSpeed({
    modelId: network.modelId,
    scale: 1,
    provider,
    precision: device.precision,
    megapixelsPerSecond: cutoutMegapixels(megapixels) / seconds,
  });
}
