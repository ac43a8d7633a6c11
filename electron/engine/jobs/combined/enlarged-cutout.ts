/**
 * Cuts out a subject and enlarges it in one job, in either order. If enlarging comes first, the subject is
 * still found on the photo, so that a photo without a subject fails early, and only the visible region goes
 * through the networks. The edge is solved on the enlarged picture, whose colours are as fine as the result.
 */
import { rmSync } from 'node:fs';
import { isLossy } from '../../../../packages/contract/src/formats.ts';
import { keysOf, pickDefined } from '../../../../packages/contract/src/pick-defined.ts';
import { placingChoices } from '../../../../packages/contract/src/request.ts';
import type { CutoutEnlargement, CutoutJob } from '../../protocol/messages.ts';
import { planOutput, sizeWithin, smallerOf, type OutputPlan } from '../../plan/output-plan.ts';
import type { InspectedPicture } from '../../../../packages/photo-files/src/index.ts';
import { speedAmong } from '../../plan/speeds.ts';
import type { RasterShape } from '../../raster/raster-file.ts';
import { isEmpty, union, without, type RegionMask } from '../../tiles/region-mask.ts';
import {
  cutAlong,
  cutOut,
  findIn,
  recordCutoutSpeed,
  outputOf,
  type CutResult,
  type CutoutOrder,
} from '../cutout/cutout.ts';
import {
  enlargedShare,
  planEnlargedCutout,
  type EnlargedCutoutPlan,
} from '../../plan/plan-cutout.ts';
import { createEnlarging, type Enlarging, type SourceMeasurement } from '../upscale/upscale.ts';
import { loadStallMs } from '../../cancellation/uncancellable-work.ts';
import {
  placeEnlarged,
  type ComposedCutout,
  type ComposeOrder,
} from '../cutout/compose/compose-cutout.ts';
import {
  timed,
  type JobTools,
  type JobOutput,
  type RunnablePlan,
  type JobContext,
} from '../steps/job-context.ts';
import {
  copyRegion,
  createKeeper,
  type EnlargedRegion,
  type EnlargementKeeper,
  type KeptEnlargements,
} from './kept-enlargement.ts';
import { planCombinedProgress } from './progress.ts';
import { visibleRegion, opaqueRegion } from './visible-region.ts';

type EnlargedCutoutJob = CutoutJob & { enlarge: CutoutEnlargement };

/**
 * Plans a cut-out with enlargement.
 *
 * @param kept where the enlarged picture is kept; absent: nowhere
 * @throws EnlargerError IMAGE_TOO_LARGE
 */
export function planEnlargedCutoutRun(
  job: EnlargedCutoutJob,
  inspected: InspectedPicture,
  tools: JobTools,
  kept?: KeptEnlargements,
): RunnablePlan {
  const { enlarge } = job;
  const { first } = enlarge;
  const speeds = speedAmong(tools.inference.known().speeds);
  const whole = planEnlargedCutout(job, inspected.info, speeds);
  const isCompressed = isLossy(whole.output.format, job.quality);
  const keeper =
    kept && whole.passes.length > 0
      ? createKeeper(kept, { ...enlarge, isCompressed, ...whole.enlarging, device: job.device })
      : undefined;
  const known = keeper?.open(job.scratchDir);
  const plan = known ? withoutPasses(whole) : whole;
  const { passes, before } = plan;
  // No view paths: the views of a plain enlargement would show the whole photo.
  const frame = pickDefined(job, ['scratchDir', 'sourcePath', 'device', 'keepAliveMs', 'budget']);
  const enlarging = createEnlarging(
    {
      ...{ ...frame, ...enlarge, passes, encodeSeconds: 0 },
      isCompressed,
    },
    before,
    tools,
    enlargedShare(first),
  );
  const order: EnlargedCutoutRun = { job, plan, enlarging, inspected, tools, keeper, known };
  return {
    ...plan,
    first: first === 'enlarge' && !known ? (passes[0] ?? job.network) : job.network,
    progress: planCombinedProgress(first, plan, enlarging.clock),
    run: (context) =>
      first === 'enlarge' ? enlargeThenCut(order, context) : cutThenEnlarge(order, context),
  };
}

interface EnlargedCutoutRun {
  job: EnlargedCutoutJob;
  plan: EnlargedCutoutPlan;
  enlarging: Enlarging;
  inspected: InspectedPicture;
  tools: JobTools;
  keeper: EnlargementKeeper | undefined;
  /** An earlier job's enlarged picture of the same photo. */
  known: EnlargedRegion | undefined;
}

/** A kept picture leaves little or nothing to the passes. */
const withoutPasses = (plan: EnlargedCutoutPlan): EnlargedCutoutPlan => ({
  ...plan,
  enlargingSeconds: 0,
  ...(plan.cuttingSeconds !== undefined && { seconds: plan.cuttingSeconds }),
});

/** Measures the photo's damage, after which its raster may change. */
async function measureSource(
  { enlarging, inspected }: EnlargedCutoutRun,
  context: JobContext,
): Promise<SourceMeasurement> {
  const [measurement] = await Promise.all([enlarging.measure(inspected, context), context.viewed]);
  return measurement;
}

async function enlargeThenCut(run: EnlargedCutoutRun, context: JobContext): Promise<JobOutput> {
  const { job, plan, tools } = run;
  const cutting = { job, bits: plan.output.bits, tools };
  const startMs = performance.now();
  const found = await findIn(cutting, context);
  const findMs = performance.now() - startMs - (context.timings.waitMs ?? 0);
  const visible = visibleRegion(
    { ...job, bits: plan.output.bits },
    found.mask,
    context.decoded.shape,
  );
  const enlarged = await enlargeVisible(run, context, visible);
  const factor = enlarged.shape.width / context.decoded.shape.width;
  const composed = await cutAlong(atFactor(cutting, factor), found, withDecoded(enlarged, context));
  const cut = { found, composed: { ...composed, ...toPhotoPixels(composed.crop, factor) } };
  const onWritten = () => {
    const own = pickDefined(context.timings, ['refineMs', 'composeMs']);
    recordCutoutSpeed(tools.inference, job, found, enlarged.shape, { networkMs: findMs, ...own });
  };
  return { ...mergedReport(job, cut, enlarged, context), onWritten };
}

/** Enlarges the visible region, as far as an earlier job has not, and keeps it. */
async function enlargeVisible(
  run: EnlargedCutoutRun,
  context: JobContext,
  visible: RegionMask,
): Promise<JobOutput> {
  const { plan, enlarging, keeper, known } = run;
  const missing = known ? without(visible, known.region) : visible;
  if (known && isEmpty(missing)) {
    await context.viewed;
    rmSync(context.decoded.path);
    return known.output;
  }
  const measurement = await measureSource(run, context);
  const output = await enlarging.run(plan.enlarging, measurement, context, missing);
  if (known) {
    await copyRegion(known.output.rasterPath, output.rasterPath, known.region, context.signal);
    rmSync(known.output.rasterPath);
  }
  const region = known ? union(visible, known.region) : visible;
  await keeper?.keep({ output, region });
  return output;
}

/**
 * Adapts an order to the enlarged picture: the feather is given in photo pixels, and if the factor is an
 * integer, a crop is aligned to whole photo pixels.
 */
function atFactor(order: CutoutOrder, factor: number): CutoutOrder {
  const { feather } = order.job;
  return {
    ...order,
    job: { ...order.job, ...(feather !== undefined && { feather: feather * factor }) },
    ...(Number.isInteger(factor) && { gridPx: factor }),
  };
}

/** Converts a crop of the enlarged picture to photo pixels. */
function toPhotoPixels(crop: JobOutput['crop'], factor: number): Pick<JobOutput, 'crop'> {
  if (!crop) return {};
  const [x, y] = [Math.round(crop.x / factor), Math.round(crop.y / factor)];
  const side = (pixels: number) => Math.max(1, Math.round(pixels / factor));
  return { crop: { x, y, width: side(crop.width), height: side(crop.height) } };
}

async function cutThenEnlarge(run: EnlargedCutoutRun, context: JobContext): Promise<JobOutput> {
  const { job, plan, enlarging, inspected, tools } = run;
  const measurement = await measureSource(run, context);
  const { target, ...whole } = job;
  const { bits } = plan.output;
  const cut = await cutOut({ job: job.canvas ? unplaced(job) : whole, bits, tools }, context);
  const { shape } = cut.composed;
  const factor = plan.enlarging.width / plan.whole.width;
  const enlargedSize = { width: round(shape.width * factor), height: round(shape.height * factor) };
  const size = target && !job.canvas ? sizeWithin(target, enlargedSize) : enlargedSize;
  const large: OutputPlan = {
    ...planOutput({ ...inspected.info, ...smallerOf(size, shape), frames: undefined }, plan.scale, {
      ...job,
      size,
      format: 'tiff',
    }),
    bits,
  };
  const visible = await opaqueRegion(cut.composed.rasterPath, shape, context.signal);
  const enlarged = await enlarging.run(
    large,
    measurement,
    withDecoded(cut.composed, context),
    visible,
  );
  const composed = job.canvas
    ? await placeOnCanvas({ ...job, bits, icc: context.icc }, cut.composed, enlarged, context)
    : { ...cut.composed, ...enlargedIn(enlarged) };
  return mergedReport(job, { ...cut, composed }, enlarged, context);
}

/** Fields that apply once the subject is enlarged. */
const placingFields: readonly (keyof CutoutJob)[] = [
  ...keysOf(placingChoices),
  'backgroundPath',
  'target',
];

/** Cuts out the subject with its margin, and nothing else. */
const unplaced = (job: CutoutJob): CutoutJob => ({
  ...pickDefined(
    job,
    keysOf(job).filter((name) => !placingFields.includes(name)),
  ),
  background: 'transparent',
  crop: job.crop ?? 0,
});

/** Places the enlarged subject on the canvas, which has the size of the result. */
async function placeOnCanvas(
  order: ComposeOrder,
  cut: ComposedCutout,
  { rasterPath, shape }: JobOutput,
  { timings, progress, signal }: JobContext,
): Promise<ComposedCutout> {
  const onProgress = () => progress.heartbeat(loadStallMs);
  const composed = await timed(timings, 'composeMs', () =>
    placeEnlarged(order, rasterPath, { signal, onProgress }),
  );
  const { crop } = toPhotoPixels(composed.crop, shape.width / cut.shape.width);
  const { x = 0, y = 0 } = cut.crop ?? {};
  return { ...composed, ...(crop && { crop: { ...crop, x: crop.x + x, y: crop.y + y } }) };
}

const round = (pixels: number) => Math.max(1, Math.round(pixels));
const enlargedIn = ({ rasterPath, shape }: JobOutput) => ({ rasterPath, shape });

/** Returns the context with another raster in place of the decoded one. */
const withDecoded = (
  { rasterPath: path, shape }: { rasterPath: string; shape: RasterShape },
  context: JobContext,
): JobContext => ({ ...context, decoded: { ...context.decoded, path, shape } });

/**
 * Merges both reports. The device is that of the enlargement, which took most of the time and made most of
 * the pixels.
 */
function mergedReport(
  job: CutoutJob,
  cut: CutResult,
  enlarged: JobOutput,
  context: JobContext,
): JobOutput {
  const own = outputOf(job, cut.found, cut.composed, context);
  const { measured, changed, ran = own.ran } = enlarged;
  return {
    ...own,
    scale: own.scale * enlarged.scale,
    made: `${own.made}; ${enlarged.made}`,
    ...(enlarged.sourceType !== undefined && { sourceType: enlarged.sourceType }),
    ...(measured && { measured }),
    ...(changed && { changed }),
    notes: [...own.notes, ...enlarged.notes],
    ...(ran && { ran: { ...ran, notes: [...new Set([...(own.ran?.notes ?? []), ...ran.notes])] } }),
  };
}
