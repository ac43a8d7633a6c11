/**
 * Estimates what a job will make and cost from the head of its source. The engine tells the estimate before
 * it begins, and the service tells it of jobs that wait. The code is pure except that it reads the size of
 * the machine's memory.
 */
import type { TaskEstimate } from '../../contract/task.ts';
import { fileBytesOf } from './file-size.ts';
import { chooseGrain } from './choose-restoring.ts';
import { planConvert, type JobPlan } from './output-plan.ts';
import type { Planned, SourceInspection } from '../protocol/messages.ts';
import type { SpeedOf } from './speeds.ts';
import { isEnlarged, planCutoutJob, planEnlargedCutout, shareOf } from './plan-cutout.ts';
import { planUpscale } from './plan-upscale.ts';

/** Estimates a job that has not begun. It throws IMAGE_TOO_LARGE when the limits cannot hold the result. */
export function estimateJob(
  wanted: Planned,
  source: SourceInspection,
  speedOf: SpeedOf,
): TaskEstimate {
  const job = likeItsSource(wanted, source);
  return estimateOf(job, source, planOf(job, source, speedOf));
}

function planOf(job: Planned, source: SourceInspection, speedOf: SpeedOf): JobPlan {
  if (job.operation === 'upscale') return planUpscale(job, source, speedOf);
  if (job.operation === 'convert') return planConvert(job, source);
  return isEnlarged(job)
    ? planEnlargedCutout(job, source, speedOf)
    : planCutoutJob(job, source, speedOf);
}

/** Puts a plan into what a person is told of it. */
export function estimateOf(
  job: Planned,
  source: SourceInspection,
  { output, diskBytes, seconds }: JobPlan,
): TaskEstimate {
  const { width, height, format } = output;
  const share = job.operation === 'remove-bg' ? shareOf(job) : 1;
  return {
    ...{ width, height, format },
    fileSizeBytes: fileBytesOf(source, output, {
      quality: job.quality,
      share,
      grain: grainOf(job),
    }),
    scratchBytes: diskBytes,
    ...(seconds !== undefined && { seconds }),
  };
}

/** Gives the grain's deviation in levels of 255. The photo's own grain is not known before it is measured. */
function grainOf(job: Planned): number | undefined {
  if (job.operation === 'convert') return undefined;
  const { grain } = job.operation === 'upscale' ? job : (job.enlarge ?? {});
  return chooseGrain(grain, undefined, 1)?.deviation;
}

/**
 * Sets quality 100 where a lossless JPEG XL stays a JPEG XL and no quality was asked for: quality 100 is JPEG
 * XL without loss, and the limits of the format depend on it, too.
 */
export function likeItsSource<Any extends Pick<Planned, 'format' | 'quality'>>(
  job: Any,
  { format, lossless = false }: SourceInspection,
): Any {
  const staysJxl = format === 'jxl' && (job.format === 'same' || job.format === 'jxl');
  const isOpen = job.quality === undefined && staysJxl && lossless;
  return isOpen ? { ...job, quality: 100 } : job;
}
