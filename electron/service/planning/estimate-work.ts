/** What a picture becomes, from what its head says: planned as the engine plans it. */
import type { Size } from '../../contract/geometry.ts';
import { statfs } from 'node:fs/promises';
import { secondsOf, secondsOfCutout, type SpeedOf } from '../../engine/speeds.ts';
import { EnlargerError } from '../../contract/errors.ts';
import { given } from '../../contract/given.ts';
import type { Estimate, TaskEstimate, TaskOptions } from '../../contract/task.ts';
import {
  estimateOf,
  planOutput,
  scaleFor,
  scratchBytes,
  sizeOfTarget,
  type OutputPlan,
} from '../../engine/output-plan.ts';
import { fileBytesOf } from '../../engine/file-size.ts';
import type { SourceInspection } from '../../engine/protocol.ts';
import {
  cutoutScratchBytes,
  enlargedCutoutBytes,
  enlargedShare,
  planCutout,
  planEnlargedCutout,
  shareOf,
  wholeOf,
  type CutoutWish,
} from '../../engine/works/cutout/plan-cutout.ts';
import { usualScale } from '../models/plan-scales.ts';
import type { ApiDeps } from '../http/deps.ts';
import { limitsOf } from '../sources/local-source.ts';

export type PlanDeps = Pick<ApiDeps, 'models' | 'settings' | 'speeds'>;

/** What cannot be is an answer, with the source's own size in place of the result's. */
export async function estimateWork(
  source: SourceInspection,
  options: TaskOptions,
  deps: PlanDeps & Pick<ApiDeps, 'scratchDir'>,
): Promise<Estimate> {
  try {
    const estimate = planEstimate(source, options, deps);
    const { bavail, bsize } = await statfs(deps.scratchDir);
    const isFull = bavail * bsize < estimate.scratchBytes;
    return isFull ? { ...estimate, problem: fullDisk(bavail * bsize) } : estimate;
  } catch (error) {
    if (!(error instanceof EnlargerError)) throw error;
    const { width, height } = source;
    const problem = { code: error.code, message: error.message };
    return { width, height, format: options.format, fileSizeBytes: 0, scratchBytes: 0, problem };
  }
}

/** Throws an EnlargerError for what cannot be. */
export function planEstimate(
  source: SourceInspection,
  options: TaskOptions,
  deps: PlanDeps,
): TaskEstimate {
  const isCutout = deps.models.find(options.model)?.task === 'remove-bg';
  return (isCutout ? planOfCutout : planOfUpscale)(source, options, deps);
}

const speedIn =
  (speeds: PlanDeps['speeds']): SpeedOf =>
  ({ modelId, scale }) =>
    speeds.latest(modelId, scale)?.megapixelsPerSecond;

const fullDisk = (freeBytes: number) => ({
  code: 'STORAGE_FULL',
  message: `Only ${(freeBytes / 1024 ** 3).toFixed(1)} GB of the disk are free. Free some, or choose a smaller scale.`,
});

function planOfUpscale(
  source: SourceInspection,
  options: TaskOptions,
  { models, settings, speeds }: PlanDeps,
): TaskEstimate {
  const { model, format, formatChosen, bitDepth, quality } = options;
  const { scale, size } = scaleOf(options, source, models);
  const planned = planOutput(source, scale, {
    format,
    formatChosen,
    bitDepth,
    size,
    ...(quality === undefined ? {} : { quality }),
    limits: limitsOf(settings.get()),
  });
  const passes = models.planPasses(model, scale);
  const passScales = passes.map((pass) => pass.scale);
  const seconds = secondsOf(passes, source, speedIn(speeds));
  const bytes = fileBytesOf(source, planned, { quality });
  return estimateOf(planned, bytes, scratchBytes(source, passScales, planned), seconds);
}

/** The scale that its passes make of a picture, and the size that they are reduced to. Throws IMAGE_TOO_LARGE. */
function scaleOf(
  { model, scale: named, target }: Pick<TaskOptions, 'model' | 'scale' | 'target'>,
  whole: Size,
  models: PlanDeps['models'],
): { scale: number; size: Size | undefined } {
  const makes = models.scalesOf(model);
  const asked = named ?? usualScale(makes);
  const wish = target ?? (makes.includes(asked) ? undefined : reducedTo(asked));
  const size = wish && sizeOfTarget(wish, whole);
  return { scale: size ? scaleFor(size, whole, makes) : asked, size };
}

const reducedTo = (value: number) => ({ kind: 'factor', value }) as const;

/** The size is the source's own: where the subject stands is known only when it was found. */
function planOfCutout(
  source: SourceInspection,
  {
    model,
    format,
    formatChosen,
    bitDepth,
    quality,
    background = 'transparent',
    maskOnly,
    feather,
    target,
    backgroundImage,
    enlarge,
    ...placing
  }: TaskOptions,
  { models, settings, speeds }: PlanDeps,
): TaskEstimate {
  const placed = {
    ...given(placing, ['canvas', 'subjectScale', 'position']),
    ...(backgroundImage !== undefined && { backgroundPath: backgroundImage }),
  };
  const wish: CutoutWish = {
    format,
    formatChosen,
    bitDepth,
    ...(quality === undefined ? {} : { quality }),
    background,
    maskOnly: maskOnly ?? false,
    ...(target && { target }),
    ...placed,
    limits: limitsOf(settings.get()),
  };
  const speedOf = speedIn(speeds);
  const { modelId } = models.maskNetwork(model);
  const share = shareOf({ background, maskOnly: maskOnly ?? false, ...placed });
  const bytesOf = (output: OutputPlan) => fileBytesOf(source, output, { quality, share });
  if (enlarge === undefined) {
    const planned = planCutout(source, wish);
    const scratch = cutoutScratchBytes(source, planned, { feather, ...placed });
    return estimateOf(
      planned,
      bytesOf(planned),
      scratch,
      secondsOfCutout(modelId, source, speedOf),
    );
  }
  const { first } = enlarge;
  const { scale, size } = scaleOf(enlarge, wholeOf(source, wish, first), models);
  const plan = planEnlargedCutout(source, wish, { first, scale, size });
  const passes = models.planPasses(enlarge.model, scale);
  const passScales = passes.map((pass) => pass.scale);
  const scratch = enlargedCutoutBytes(source, plan, passScales, { feather, ...placed, first });
  const cutting = secondsOfCutout(modelId, first === 'enlarge' ? plan.enlarging : source, speedOf);
  const growing = secondsOf(passes, plan.whole, speedOf);
  const isKnown = cutting !== undefined && growing !== undefined;
  const seconds = isKnown ? cutting + growing * enlargedShare(first) : undefined;
  return estimateOf(plan.output, bytesOf(plan.output), scratch, seconds);
}
