/**
 * Cuts out a subject and enlarges it as one work, in either order. Where the enlarging comes first, the
 * subject is still found on the photo, so that a photo without a subject fails before it costs anything,
 * and only the visible part goes through the networks. The edge is solved on the enlarged picture, whose
 * colours are as fine as the result.
 */
import { isLossy } from '../../../contract/formats.ts';
import { given } from '../../../contract/given.ts';
import type { CutoutEnlargement, CutoutJob } from '../../protocol/messages.ts';
import { planOutput, sizeWithin, type OutputPlan } from '../../plan/output-plan.ts';
import type { Inspected } from '../../raster/inspect.ts';
import { speedAmong } from '../../plan/speeds.ts';
import type { RasterShape } from '../../raster/raster-file.ts';
import {
  cutAlong,
  cutOut,
  findIn,
  noteSpeed,
  workedOf,
  type Cut,
  type CutoutOrder,
} from '../cutout/cutout.ts';
import {
  enlargedShare,
  planEnlargedCutout,
  type EnlargedCutoutPlan,
} from '../../plan/plan-cutout.ts';
import { createEnlarging, type Enlarging, type SourceMeasurement } from '../upscale/upscale.ts';
import type { JobTools, Worked, WorkPlan, WorkStep } from '../steps/work.ts';
import { progressOfBoth } from './progress.ts';
import { seenPart, visiblePart } from './seen-part.ts';

type EnlargedCutoutJob = CutoutJob & { enlarge: CutoutEnlargement };

/** Plans a cut-out that is enlarged, too. It throws IMAGE_TOO_LARGE. */
export function enlargedCutoutWork(
  job: EnlargedCutoutJob,
  inspected: Inspected,
  tools: JobTools,
): WorkPlan {
  const { enlarge } = job;
  const { first } = enlarge;
  const plan = planEnlargedCutout(job, inspected.info, speedAmong(tools.inference.known().speeds));
  const { passes, whole } = plan;
  // The job's view paths are left out: what a plain enlarging writes there shows the whole photo.
  const frame = given(job, ['scratchDir', 'sourcePath', 'device', 'keepAliveMs', 'budget']);
  const enlarging = createEnlarging(
    { ...frame, ...enlarge, passes, isCompressed: isLossy(plan.output.format, job.quality) },
    whole,
    tools,
    enlargedShare(first),
  );
  const order: EnlargedCutoutOrder = { job, plan, enlarging, inspected, tools };
  return {
    ...plan,
    progress: progressOfBoth(first, plan, enlarging.clock),
    async run(step) {
      const measurement = await enlarging.measure(inspected, step);
      return first === 'enlarge'
        ? enlargeThenCut(order, measurement, step)
        : cutThenEnlarge(order, measurement, step);
    },
  };
}

interface EnlargedCutoutOrder {
  job: EnlargedCutoutJob;
  plan: EnlargedCutoutPlan;
  enlarging: Enlarging;
  inspected: Inspected;
  tools: JobTools;
}

async function enlargeThenCut(
  { job, plan, enlarging, tools }: EnlargedCutoutOrder,
  measurement: SourceMeasurement,
  step: WorkStep,
): Promise<Worked> {
  const cutting = { job, bits: plan.output.bits, tools };
  const startMs = performance.now();
  const found = await findIn(cutting, step);
  const findMs = performance.now() - startMs - (step.timings.waitMs ?? 0);
  const seen = seenPart({ ...job, bits: plan.output.bits }, found.mask, step.decoded.shape);
  const enlarged = await enlarging.run(plan.enlarging, measurement, step, seen);
  const factor = enlarged.shape.width / step.decoded.shape.width;
  const composed = await cutAlong(atFactor(cutting, factor), found, onto(enlarged, step));
  const cut = { found, composed: { ...composed, ...inPhoto(composed.crop, factor) } };
  const megapixels = (enlarged.shape.width * enlarged.shape.height) / 1e6;
  const onWritten = () => {
    const own = given(step.timings, ['refineMs', 'composeMs', 'encodeMs']);
    noteSpeed(tools.inference, job, found, megapixels, { networkMs: findMs, ...own });
  };
  return { ...mergedReport(job, cut, enlarged, step), onWritten };
}

/**
 * Adapts an order to the enlarged picture: the feather is given in pixels of the photo, and a crop keeps to
 * whole pixels of the photo where the factor is a whole number.
 */
function atFactor(order: CutoutOrder, factor: number): CutoutOrder {
  const { feather } = order.job;
  return {
    ...order,
    job: { ...order.job, ...(feather !== undefined && { feather: feather * factor }) },
    ...(Number.isInteger(factor) && { gridPx: factor }),
  };
}

/** Answers a crop of the enlarged picture in pixels of the photo. */
function inPhoto(crop: Worked['crop'], factor: number): Pick<Worked, 'crop'> {
  if (!crop) return {};
  const [x, y] = [Math.round(crop.x / factor), Math.round(crop.y / factor)];
  const side = (pixels: number) => Math.max(1, Math.round(pixels / factor));
  return { crop: { x, y, width: side(crop.width), height: side(crop.height) } };
}

async function cutThenEnlarge(
  { job, plan, enlarging, inspected, tools }: EnlargedCutoutOrder,
  measurement: SourceMeasurement,
  step: WorkStep,
): Promise<Worked> {
  const { target, ...whole } = job;
  const cut = await cutOut({ job: whole, bits: plan.output.bits, tools }, step);
  const { shape } = cut.composed;
  const factor = plan.enlarging.width / plan.whole.width;
  const wished = { width: round(shape.width * factor), height: round(shape.height * factor) };
  const size = target ? sizeWithin(target, wished) : wished;
  const large: OutputPlan = {
    ...planOutput({ ...inspected.info, width: shape.width, height: shape.height }, plan.scale, {
      ...job,
      size,
      format: 'tiff',
    }),
    bits: plan.output.bits,
  };
  const visible = await visiblePart(cut.composed.rasterPath, shape, step.signal);
  const enlarged = await enlarging.run(large, measurement, onto(cut.composed, step), visible);
  return mergedReport(
    job,
    { ...cut, composed: { ...cut.composed, ...enlargedIn(enlarged) } },
    enlarged,
    step,
  );
}

const round = (pixels: number) => Math.max(1, Math.round(pixels));
const enlargedIn = ({ rasterPath, shape }: Worked) => ({ rasterPath, shape });

/** Answers the step with another raster in the place of the decoded one. */
const onto = (
  { rasterPath: path, shape }: { rasterPath: string; shape: RasterShape },
  step: WorkStep,
): WorkStep => ({ ...step, decoded: { ...step.decoded, path, shape } });

/** Merges both reports. The device is the enlarging's, for most of the time and of the pixels was its. */
function mergedReport(job: CutoutJob, cut: Cut, enlarged: Worked, step: WorkStep): Worked {
  const own = workedOf(job, cut.found, cut.composed, step);
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
