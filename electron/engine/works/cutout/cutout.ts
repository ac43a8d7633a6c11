/** A cut-out: the network finds the subject, its mask is refined, and what is wanted is put behind it. */
import type { Stroke } from '../../../contract/strokes.ts';
import type { Timings } from '../../../contract/task.ts';
import type { InferenceThread } from '../../inference/thread.ts';
import type { ProgressPlan } from '../../progress.ts';
import type { CutoutJob } from '../../protocol.ts';
import type { Inspected } from '../../raster/inspect.ts';
import { type Raster, withRaster, consumeRaster } from '../../raster/raster-file.ts';
import { cutoutMegapixels, speedAmong } from '../../speeds.ts';
import { beginSilenceMs, tileSilenceMs } from '../../watched.ts';
import {
  inTurn,
  timed,
  type JobTools,
  type Worked,
  type WorkPlan,
  type WorkStep,
} from '../work.ts';
import { composeCutout, refineMask, type Composed } from './compose/make-cutout.ts';
import { findMask, type FoundMask } from './mask/find-mask.ts';
import { assertApart, assertLargeEnough, assertSubject, gradeOf } from './mask/find-subject.ts';
import { isHard } from './strokes/hard-strokes.ts';
import { tuningOf } from './tuning.ts';
import { planCutoutJob } from './plan-cutout.ts';

/** Of a job that does not enlarge. Throws IMAGE_TOO_LARGE. */
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

/** Shares of the whole that the steps were measured to take. */
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
  /** Of the raster that is made. */
  bits: 8 | 16;
  tools: JobTools;
  /** A crop begins and ends at multiples of so many pixels; absent: anywhere. */
  gridPx?: number;
}

export interface Cut {
  found: FoundMask;
  composed: Composed;
}

/** What a hard brush kept is a subject, whatever a network says. */
const isKeptHard = (stroke: Stroke) => stroke.kind === 'keep' && isHard(stroke);

/** From the step's raster, which is removed, to the one that is encoded. */
export async function cutOut(order: CutoutOrder, step: WorkStep): Promise<Cut> {
  const found = await findIn(order, step);
  return { found, composed: await cutAlong(order, found, step) };
}

/** Throws NO_SUBJECT. */
export async function findIn(order: CutoutOrder, step: WorkStep): Promise<FoundMask> {
  return withRaster(step.decoded.path, async (source) => {
    assertLargeEnough(source.shape);
    const found = await inTurn(order.tools, step, () => find(order, source, step));
    step.signal.throwIfAborted();
    const { network, strokes } = order.job;
    const tuning = tuningOf(network);
    if (!strokes.some(isKeptHard)) assertSubject(found.mask, tuning);
    // A person who paints says what the subject is.
    if (strokes.length === 0) assertApart(found, tuning);
    return found;
  });
}

/** Cuts the step's raster, which is removed, along a mask of all of it. */
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
  progress.enter('network', beginSilenceMs);
  const onLook = (done: number, total: number) => progress.part(done / total, beginSilenceMs);
  return findMask(job, { raster, icc }, tools.inference, { signal, onLook });
}

/** Of refining and composing together. */
const refineShare = 0.9;

async function makeCutout(
  { job, bits, gridPx }: CutoutOrder,
  source: Raster,
  { mask }: FoundMask,
  { icc, timings, progress, signal }: WorkStep,
): Promise<Composed> {
  const silenceMs = tileSilenceMs(0);
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

export function workedOf(
  { network, strokes }: CutoutJob,
  { looks, sizePx, device, notes, closer }: FoundMask,
  composed: Composed,
  { decoded }: WorkStep,
): Worked {
  return {
    ...composed,
    converted: decoded.converted || composed.converted,
    made: `background removed with ${network.modelId}`,
    // Whoever painted has looked; and what true alpha leaves open is no doubt.
    ...(strokes.length === 0 && !network.matting && { grade: gradeOf(closer, tuningOf(network)) }),
    ran: { device, notes, tiles: { count: looks, sizePx, computedPerCore: 1 } },
  };
}

/** From so many pixels on a picture tells how fast the whole way is; smaller ones tell of the network. */
const tellingMegapixels = 1;

/** Of the whole way, for the network's own part is the same for every picture. */
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
