/** Ends a job before its network runs where the disk of the result's folder is too small for the result. */
import { statfs } from 'node:fs/promises';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import type { Job, JobProgress } from '../../../engine/protocol/messages.ts';
import type { RunReport } from '../../../engine/protocol/run-report.ts';
import { grantedTo, type EngineSteps, type FolderSteps } from './steps.ts';
import type { Task } from '../../store/tasks/task.ts';

interface JobWatch {
  signal: AbortSignal;
  onProgress: (progress: JobProgress) => void;
}

/**
 * Runs the job, which sends its estimate before its network starts.
 *
 * @throws EnlargerError STORAGE_FULL where the folder has fewer bytes free than the result will take
 */
export async function runWithinSpace(
  task: Task,
  steps: EngineSteps,
  job: Job,
  { signal, onProgress }: JobWatch,
): Promise<RunReport> {
  const { saveTo } = task.options;
  if (saveTo === undefined) return steps.runEngine(job, { signal, onProgress });
  const refused = new AbortController();
  try {
    return await steps.runEngine(job, {
      signal: AbortSignal.any([signal, refused.signal]),
      onProgress(progress) {
        onProgress(progress);
        const { fileSizeBytes } = progress.estimate ?? {};
        if (fileSizeBytes !== undefined)
          void assertSpace(task, steps, saveTo, fileSizeBytes).catch((error: unknown) =>
            refused.abort(error),
          );
      },
    });
  } catch (thrown) {
    if (refused.signal.aborted && !signal.aborted) throw refused.signal.reason;
    throw thrown;
  }
}

async function assertSpace(
  task: Task,
  steps: FolderSteps,
  saveTo: string,
  neededBytes: number,
): Promise<void> {
  const freeBytes = await freeBytesIn(task, steps, saveTo);
  if (freeBytes === undefined || freeBytes >= neededBytes) return;
  throw new EnlargerError(
    'STORAGE_FULL',
    `The result takes about ${megabytes(neededBytes)}, but the disk of the folder ${saveTo} has only ${megabytes(freeBytes)} free. Free some space and retry, or choose another folder.`,
  );
}

/** Returns undefined for a folder that cannot be opened, which fails the task when the result is saved. */
async function freeBytesIn(
  task: Task,
  steps: FolderSteps,
  saveTo: string,
): Promise<number | undefined> {
  try {
    const folder = await steps.openGrantedFolder(saveTo, grantedTo(task, steps));
    await folder.close();
    const { bavail, bsize } = await statfs(folder.path);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

const megabytes = (bytes: number) => `${Number((bytes / 1e6).toPrecision(2))} MB`;
