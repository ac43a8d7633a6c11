/** Enlarges a photo: chooses and runs the passes, and finishes their raster. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Size } from '../../../../packages/contract/src/geometry.ts';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import { isLossy } from '../../../../packages/contract/src/formats.ts';
import type { PassResult } from '../../inference/protocol.ts';
import {
  chooseRestoring,
  isDialled,
  unusedRestoreNotes,
  noRestoring,
  recordOfDamage,
  type GrainSpec,
  type Restoring,
} from '../../plan/choose-restoring.ts';
import {
  readFileCompression,
  algorithmicallyEnhanced,
  type InspectedPicture,
} from '../../../../packages/photo-files/src/index.ts';
import { measurePicture } from '../../analysis/measure-picture.ts';
import { beginBlur } from './measure-blur.ts';
import type { Damage } from '../../protocol/damage.ts';
import type { OutputPlan } from '../../plan/output-plan.ts';
import type { Enlargement, JobFrame, UpscaleJob } from '../../protocol/messages.ts';
import { isNeutral, toEqualColours, toGrey } from '../../raster/neutral.ts';
import { shapeOf, withRaster } from '../../raster/raster-file.ts';
import { speedAmong, type SpeedOf } from '../../plan/speeds.ts';
import {
  awaitUncancellable,
  bytesWritten,
  loadStallMs,
} from '../../cancellation/uncancellable-work.ts';
import { createYield } from '../../cancellation/yield.ts';
import { finishRaster } from '../../raster/finish-raster.ts';
import {
  withInferenceLock,
  timed,
  type JobTools,
  type NetworkReport,
  type JobOutput,
  type RunnablePlan,
  type JobContext,
} from '../steps/job-context.ts';
import { enlarge, type EnlargedRaster } from './enlarge.ts';
import { describeChange, changeNotes } from './fidelity/describe-change.ts';
import { finishEnlarged, type FinishedRaster, type FinishingJob } from './finish-enlarged.ts';
import { createPassClock, type PassClock } from './pass-clock.ts';
import { amountPlane, regionOf } from './amount.ts';
import type { Plane } from '../../raster/planes/plane.ts';
import type { RegionMask } from '../../tiles/region-mask.ts';
import { finishWithoutNetwork, progressWithoutNetwork } from './without-network.ts';
import { planUpscale, ranOf, scaleOf } from '../../plan/plan-upscale.ts';

/** What the frames of an animation share, so that all are restored alike. */
export interface SharedMeasurement {
  /** Of the first frame. */
  measurement?: SourceMeasurement;
}

/** Plans the enlargement of a photo, or of a frame. @throws EnlargerError IMAGE_TOO_LARGE */
export function planUpscaleRun(
  job: UpscaleJob,
  inspected: InspectedPicture,
  tools: JobTools<'runPass' | 'runMask' | 'measureBlur' | 'known'>,
  shared: SharedMeasurement = {},
): RunnablePlan {
  const { info } = inspected;
  const plan = planUpscale(job, info, speedAmong(tools.inference.known().speeds));
  const isCompressed = isLossy(plan.output.format, job.quality);
  const { passes, before } = plan;
  const own = { passes, isCompressed, encodeSeconds: plan.encodeSeconds };
  const enlarging = createEnlarging({ ...job, ...own }, before, tools);
  const measure = async (context: JobContext) =>
    (shared.measurement ??= await enlarging.measure(inspected, context));
  return {
    ...plan,
    ...(passes[0] && { first: passes[0] }),
    progress: passes.length === 0 ? progressWithoutNetwork : enlarging.clock.plan,
    run: async (context) => {
      const [measurement] = await Promise.all([measure(context), context.viewed]);
      const { amountArea } = job;
      if (!amountArea || passes.length === 0)
        return enlarging.run(plan.output, measurement, context);
      const area = await amountPlane({ ...job, amountArea }, tools, context);
      return enlarging.run(plan.output, measurement, context, regionOf(area), area);
    },
  };
}

type EnlargingJob = FinishingJob &
  Pick<Enlargement, 'passes'> &
  Pick<JobFrame, 'sourcePath' | 'device' | 'keepAliveMs' | 'budget'> & {
    /** Predicted time from the last pass to the end, for the clock. */
    encodeSeconds: number;
  };

/** An enlargement whose passes have been chosen. */
export interface Enlarging {
  clock: PassClock;
  /** Measures the photo's damage, which conditions the first pass and the grain. */
  measure(inspected: InspectedPicture, context: JobContext): Promise<SourceMeasurement>;
  /**
   * Enlarges the context's raster, which is removed, to the raster of the plan; a smaller result is reduced first.
   * Pixels outside the region are enlarged without the network, and by interpolation where `area` is 0.
   */
  run(
    plan: OutputPlan,
    measurement: SourceMeasurement,
    context: JobContext,
    region?: RegionMask,
    area?: Plane,
  ): Promise<JobOutput>;
}

/**
 * Creates an enlargement.
 *
 * @param size approximate size of the enlarged raster, for the clock
 * @param share approximate share of that raster inside the region, 0..1, for the clock
 */
export function createEnlarging(
  job: EnlargingJob,
  size: Size,
  tools: JobTools<'runPass' | 'measureBlur' | 'known'>,
  share = 1,
): Enlarging {
  const measured = speedAmong(tools.inference.known().speeds);
  const speedOf: SpeedOf = (pass) => {
    const speed = measured(pass);
    return speed && speed / share;
  };
  const clock = createPassClock(ranOf(job.passes), size, speedOf, job.encodeSeconds);
  return {
    clock,
    measure: (inspected, context) =>
      timed(context.timings, 'measureMs', () => measureFor(job, inspected, tools, context)),
    async run(plan, measurement, wholeContext, region, area) {
      const { restoring } = measurement;
      if (job.passes.length === 0)
        return finishWithoutNetwork(job, plan, measurement.damage, wholeContext);
      const rgbContext = await reducedContext(job, plan, wholeContext);
      const neutral = await neutralContext(rgbContext);
      const context = neutral ?? rgbContext;
      const enlarged = await withInferenceLock(tools, context, () =>
        enlarge({ job, plan, clock, restoring, region, inference: tools.inference }, context),
      );
      const finished = await finishEnlarged(job, enlarged, plan, measurement.damage, context, area);
      if (neutral) {
        await toEqualColours(finished.rasterPath);
        finished.shape = shapeOf(finished.rasterPath);
      }
      const output = outputOf(job, enlarged, finished, context);
      return { ...output, ...measuredOf(job, measurement, finished.grain) };
    },
  };
}

/**
 * Reduces the context's raster, which is then removed, if the result is smaller, so that the networks clean no
 * pixels that do not stay; returns the context otherwise.
 */
async function reducedContext(
  { scratchDir }: Pick<JobFrame, 'scratchDir'>,
  { width, height }: OutputPlan,
  context: JobContext,
): Promise<JobContext> {
  const { decoded, decodedScale = 1, timings, progress, signal } = context;
  const { shape } = decoded;
  if (width >= shape.width && height >= shape.height) return context;
  const path = join(scratchDir, 'before-passes.v');
  progress.heartbeat(loadStallMs);
  await timed(timings, 'decodeMs', () =>
    awaitUncancellable(
      finishRaster(decoded.path, path, { width, height }),
      () => bytesWritten(path),
      () => progress.heartbeat(loadStallMs),
      signal,
    ),
  );
  rmSync(decoded.path);
  return {
    ...context,
    decoded: { ...decoded, path, shape: { ...shape, width, height } },
    decodedScale: (decodedScale * width) / shape.width,
  };
}

/**
 * Makes the context's raster grey if it is RGB without colour, so that no network can tint it; undefined for
 * other rasters.
 */
async function neutralContext(context: JobContext): Promise<JobContext | undefined> {
  const { decoded, signal } = context;
  if (!(await isNeutral(decoded.path, { signal }))) return undefined;
  await toGrey(decoded.path);
  return { ...context, decoded: { ...decoded, shape: shapeOf(decoded.path) } };
}

export interface SourceMeasurement {
  restoring: Restoring;
  /** Absent: neither a network nor the grain needed it. */
  damage?: Damage;
}

/** Measures a photo's damage if a network or the grain depends on it, and decides the restoring. */
async function measureFor(
  { passes, sourcePath, restore = 'auto', grain }: EnlargingJob,
  { format }: InspectedPicture,
  { inference }: JobTools<'measureBlur'>,
  { decoded, signal }: JobContext,
): Promise<SourceMeasurement> {
  const isConditioned = passes[0]?.condition !== undefined;
  if (!isConditioned && grain === undefined) return { restoring: noRestoring };
  return withRaster(decoded.path, async (raster) => {
    const file = readFileCompression(sourcePath, format);
    const yieldTurn = createYield(signal);
    const damage = await measurePicture(raster, file, yieldTurn, (compression) =>
      beginBlur(compression, raster, passes[0], inference, yieldTurn),
    );
    return { damage, restoring: isConditioned ? chooseRestoring(restore, damage) : noRestoring };
  });
}

function measuredOf(
  { passes, restore = 'auto' }: EnlargingJob,
  { damage, restoring }: SourceMeasurement,
  grain: GrainSpec | undefined,
): Pick<JobOutput, 'measured'> {
  if (!damage) return {};
  const restored = passes[0]?.condition ? restoring : undefined;
  return { measured: recordOfDamage(damage, restore, restored, grain) };
}

function outputOf(
  job: EnlargingJob,
  enlarged: EnlargedRaster,
  { rasterPath, shape, change }: FinishedRaster,
  { decoded, decodedScale = 1 }: JobContext,
): JobOutput {
  const scale = (decodedScale * shape.width) / decoded.shape.width;
  const models = [...new Set(job.passes.map(({ modelId }) => modelId))].join(', ');
  return {
    ...{ rasterPath, shape, scale },
    converted: decoded.converted,
    made: `${describeScale(scale)} with ${models}${describeDetail(job)}${describeSteps(job, scale)}${describeAmount(job)}; ${describeChange(change)}`,
    sourceType: algorithmicallyEnhanced,
    changed: change.changed,
    notes: [...changeNotes(job.keep, change), ...unusedRestoreNotes(job.restore, job.passes)],
    ran: runOf(enlarged.passes),
  };
}

function describeScale(scale: number): string {
  if (scale < 1) return `reduced to ${Number(scale.toFixed(2))} of its size and restored`;
  return scale === 1 ? 'restored' : `enlarged ${Number(scale.toFixed(2))} times`;
}

/** Names the scale that was made where the result was resampled to another. */
function describeSteps({ passes }: EnlargingJob, scale: number): string {
  const made = scaleOf(passes);
  return scale <= 1 || scale === made ? '' : ` at ${made} times, and resampled`;
}

const describeDetail = ({ detail = 100, passes }: EnlargingJob) =>
  detail === 100 || !passes.some(({ condition }) => isDialled(condition))
    ? ''
    : ` (detail ${detail} %)`;

const describeAmount = ({ amount = 100 }: EnlargingJob) =>
  amount === 100 ? '' : ` at ${amount} %`;

/** Sums up the passes. The device is that of the last pass, which computed most of the pixels. */
function runOf(passes: readonly PassResult[]): NetworkReport {
  const last = passes.at(-1);
  if (!last) throw new EnlargerError('INTERNAL', 'A job without a pass');
  return {
    device: last.device,
    notes: [...new Set(passes.flatMap(({ notes }) => notes))],
    tiles: {
      count: passes.reduce((sum, { tiles }) => sum + tiles, 0),
      sizePx: Math.max(...passes.map(({ sizePx }) => sizePx)),
      computedPerCore: last.computedPerCore,
    },
  };
}
