/** Dependencies of runTask. */
import type { Settings } from '../../../contract/settings/settings.ts';
import type { Job, JobProgress, OperationFields } from '../../../engine/protocol/messages.ts';
import type { PlanPreviews } from '../../planning/plan-preview.ts';
import type { RunReport } from '../../../engine/protocol/run-report.ts';
import type { Results } from '../../results/results.ts';
import type { FolderHandle } from '../../../files/folder-handle.ts';
import type { FetchSource } from '../../sources/fetch-source.ts';
import type { TaskSource, Task } from '../../store/tasks/task.ts';

export interface TaskSteps extends PlanPreviews {
  fetchSource: FetchSource;
  /** Source of a background picture. @throws EnlargerError SOURCE_UNREACHABLE */
  backgroundOf(url: string): TaskSource;
  /** @throws EnlargerError MODEL_UNAVAILABLE */
  openWork(task: Task): Promise<OperationFields<Job>>;
  runEngine(
    job: Job,
    options: { signal: AbortSignal; onProgress(progress: JobProgress): void },
  ): Promise<RunReport>;
  /** Opens a granted folder for writing. @throws EnlargerError FORBIDDEN_PATH */
  openGrantedFolder(folder: string, grantedFolders: readonly string[]): Promise<FolderHandle>;
  /** Unguessable letters and digits, stable per task across restarts. Part of temporary file names. */
  saveToken(taskId: string): string;
  results: Results;
  /** Absolute; created if missing. */
  scratchDir: string;
  settings(): Settings;
  /** Version of Enlarger, e.g. 1.2.0. */
  version: string;
  /**
   * Commits the path before the export writes to it.
   * @throws EnlargerError CANCELLED if the attempt no longer owns the row
   */
  recordSavePath(task: Task, path: string | undefined): void;
  wallMs(): number;
}

/** Folders that a task may read and write: those of the settings and its own. */
export const grantedTo = (
  { source }: Task,
  { settings }: Pick<TaskSteps, 'settings'>,
): string[] => [...settings().grantedFolders, ...(source.grants ?? [])];
