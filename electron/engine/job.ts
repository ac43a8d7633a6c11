/** A job's way: which it is. */
import type { JobHooks, JobTools } from './job-tools.ts';
import type { Job, JobReport } from './protocol.ts';
import { runConvert } from './works/convert.ts';
import { runCutout } from './works/cutout/cutout.ts';
import { runUpscale } from './works/upscale/upscale.ts';

/** Rejects with EnlargerError. What it leaves in the scratch folder is the service's to remove. */
export function runJob(job: Job, tools: JobTools, hooks: JobHooks): Promise<JobReport> {
  if (job.operation === 'convert') return runConvert(job, hooks);
  return job.operation === 'upscale' ? runUpscale(job, tools, hooks) : runCutout(job, tools, hooks);
}
