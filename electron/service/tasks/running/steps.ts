/** Dependencies of runTask. */
import type { Settings } from '../../../contract/settings/settings.ts';
import type { Job, JobProgress, WorkOf } from '../../../engine/protocol/messages.ts';
import type { PlanPreviews } from '../../planning/plan-preview.ts';
import type { RunReport } from '../../results/run-report.ts';
import type { Results } from '../../results/results.ts';
import type { FolderHandle } from '../../grants/folder-handle.ts';
import type { FetchSource } from '../../sources/fetch-source.ts';
import type { TaskSource, Task } from '../../store/tasks/task.ts';

export interface TaskSteps extends PlanPreviews {
  fetchSource: FetchSource;
  /** Answers where the bytes of a picture behind a subject come from. Throws SOURCE_UNREACHABLE. */
  backgroundOf(url: string): TaskSource;
  /** Throws MODEL_UNAVAILABLE. */
  openWork(task: Task): Promise<WorkOf<Job>>;
  runEngine(
    job: Job,
    options: { signal: AbortSignal; onProgress(progress: JobProgress): void },
  ): Promise<RunReport>;
  /** Opens a folder that is (still) granted for making files in it. Throws FORBIDDEN_PATH. */
  openGrantedFolder(folder: string, grantedFolders: readonly string[]): Promise<FolderHandle>;
  /** Answers letters and digits that nobody else can guess of a task, the same after a restart. */
  saveToken(taskId: string): string;
  results: Results;
  /** The path is absolute; the folder is made when it is missing. */
  scratchDir: string;
  settings(): Settings;
  /** The version is such as 1.2.0. */
  version: string;
  /** Commits where the result is about to be saved. Throws CANCELLED when the attempt is over. */
  recordSavePath(task: Task, path: string | undefined): void;
  wallMs(): number;
}

/** Lists the paths that a task may read and write: those of the settings, and the task's own. */
export const grantedTo = (
  { source }: Task,
  { settings }: Pick<TaskSteps, 'settings'>,
): string[] => [...settings().grantedFolders, ...(source.grants ?? [])];
