/**
 * Estimates a job's result and cost from its source's header. The engine reports the estimate when it begins,
 * the service reports it for waiting jobs. Pure except that it reads the size of the machine's memory.
 */
import type { TaskEstimate } from '../../../packages/contract/src/task.ts';
import { fileBytesOf } from './file-size.ts';
import { chooseGrain } from './choose-restoring.ts';
import { planConvert, type JobPlan } from './output-plan.ts';
import type { PlannableJob, SourceInspection } from '../protocol/messages.ts';
import type { SpeedOf } from './speeds.ts';
import { isEnlarged, planCutoutJob, planEnlargedCutout, shareOf } from './plan-cutout.ts';
import { planUpscale } from './plan-upscale.ts';

/**
 * Estimates a job that has not begun.
 *
 * @throws EnlargerError IMAGE_TOO_LARGE if the limits cannot hold the result
 */
export function estimateJob(
  requested: PlannableJob,
  source: SourceInspection,
  speedOf: SpeedOf,
): TaskEstimate {
  const job = withSourceQuality(requested, source);
  return estimateOf(job, source, planOf(job, source, speedOf));
}

function planOf(job: PlannableJob, source: SourceInspection, speedOf: SpeedOf): JobPlan {
  if (job.operation === 'upscale') return planUpscale(job, source, speedOf);
  if (job.operation === 'convert') return planConvert(job, source, speedOf);
  return isEnlarged(job)
    ? planEnlargedCutout(job, source, speedOf)
    : planCutoutJob(job, source, speedOf);
}

/** Converts a plan to the estimate in the API. */
export function estimateOf(
  job: PlannableJob,
  source: SourceInspection,
  { output, diskBytes, seconds }: JobPlan,
): TaskEstimate {
  const { width, height, format } = output;
  const share = job.operation === 'remove-bg' ? shareOf(job) : 1;
  return {
    ...{ width, height, format },
    fileSizeBytes:
      output.frames *
      fileBytesOf(source, output, { quality: job.quality, share, grain: grainOf(job) }),
    scratchBytes: diskBytes,
    ...(seconds !== undefined && { seconds }),
  };
}

/**
 * Standard deviation of the grain in levels of 255. The photo's own grain is unknown before it is measured.
 */
function grainOf(job: PlannableJob): number | undefined {
  if (job.operation === 'convert') return undefined;
  const { grain } = job.operation === 'upscale' ? job : (job.enlarge ?? {});
  return chooseGrain(grain, undefined, 1)?.deviation;
}

/**
 * Sets quality 100 (lossless) where a lossless JPEG XL stays a JPEG XL and no quality was requested. The
 * format's limits depend on it.
 */
export function withSourceQuality<Any extends Pick<PlannableJob, 'format' | 'quality'>>(
  job: Any,
  { format, lossless = false }: SourceInspection,
): Any {
  const staysJxl = format === 'jxl' && (job.format === 'same' || job.format === 'jxl');
  const becomesLossless = job.quality === undefined && staysJxl && lossless;
  return becomesLossless ? { ...job, quality: 100 } : job;
}
