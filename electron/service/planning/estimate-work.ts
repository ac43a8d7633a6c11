/** Estimates size, disk space and time of a task from the picture's header, with the engine's own plan. */
import { statfs } from 'node:fs/promises';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { Estimate, TaskEstimate } from '../../../packages/contract/src/task.ts';
import { estimateJob } from '../../engine/plan/estimate.ts';
import type { EngineHost } from '../../engine/host/host.ts';
import type { SourceInspection } from '../../engine/protocol/messages.ts';
import { speedAmong } from '../../engine/plan/speeds.ts';
import type { ModelCatalogue } from '../models/catalogue.ts';
import type { LiveSettings } from '../settings/live-settings.ts';
import type { TaskWork } from '../store/tasks/task.ts';
import { plannedFrame, workOf } from './plan-job.ts';

export interface PlanDeps {
  models: ModelCatalogue;
  settings: Pick<LiveSettings, 'get'>;
  engine: Pick<EngineHost, 'speeds'>;
}

/** An impossible task is returned with `problem` and the source's size, not thrown. */
export async function estimateWork(
  source: SourceInspection,
  work: TaskWork,
  deps: PlanDeps & { scratchDir: string },
): Promise<Estimate> {
  try {
    const estimate = planEstimate(source, work, deps);
    const { bavail, bsize } = await statfs(deps.scratchDir);
    const isFull = bavail * bsize < estimate.scratchBytes;
    return isFull ? { ...estimate, problem: fullDisk(bavail * bsize) } : estimate;
  } catch (error) {
    if (!(error instanceof EnlargerError)) throw error;
    const { width, height } = source;
    const { format } = work.options;
    const problem = { code: error.code, message: error.message };
    return { width, height, format, fileSizeBytes: 0, scratchBytes: 0, problem };
  }
}

/** Estimate without the check of disk space. @throws EnlargerError for an impossible task */
export function planEstimate(
  source: SourceInspection,
  work: TaskWork,
  { models, settings, engine }: PlanDeps,
): TaskEstimate {
  const job = { ...workOf(work, models), ...plannedFrame(work.options, settings.get()) };
  return estimateJob(job, source, speedAmong(engine.speeds()));
}

const fullDisk = (freeBytes: number) => ({
  code: 'STORAGE_FULL',
  message: `Only ${(freeBytes / 1024 ** 3).toFixed(1)} GB of the disk are free. Free some, or choose a smaller scale.`,
});
