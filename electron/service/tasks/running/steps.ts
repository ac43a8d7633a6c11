/** Dependencies of runTask. */
import type { Settings } from '../../../../packages/contract/src/settings/settings.ts';
import type { Job, JobProgress, OperationFields } from '../../../engine/protocol/messages.ts';
import type { PlanPreviews } from '../../planning/plan-preview.ts';
import type { RunReport } from '../../../engine/protocol/run-report.ts';
import type { Results } from '../../results/results.ts';
import type { FolderHandle } from '../../../../packages/files/src/folder-handle.ts';
import type { FetchSource } from '../../sources/fetch-source.ts';
import type { TaskSource, Task } from '../../store/tasks/task.ts';

export interface FolderSteps {
  /** Opens a granted folder for writing. @throws EnlargerError FORBIDDEN_PATH */
  openGrantedFolder(folder: string, grantedFolders: readonly string[]): Promise<FolderHandle>;
  settings(): Settings;
}

export interface SourceSteps {
  fetchSource: FetchSource;
  /** Source of a background picture. @throws EnlargerError SOURCE_UNREACHABLE */
  backgroundOf(url: string): TaskSource;
  settings(): Settings;
}

/** Runs the job, as far as the target folder has room for its result. */
export interface EngineSteps extends FolderSteps {
  runEngine(
    job: Job,
    options: { signal: AbortSignal; onProgress(progress: JobProgress): void },
  ): Promise<RunReport>;
}

/** Takes a file of the result's name that is there already. */
export interface ExistingFileSteps extends FolderSteps, PlanPreviews {
  wallMs(): number;
}

/** Publishes the result, exports it and writes its manifest. */
export interface PublishSteps extends FolderSteps {
  results: Results;
  /** Unguessable letters and digits, stable per task across restarts. Part of temporary file names. */
  saveToken(taskId: string): string;
  /**
   * Commits the path before the export writes to it.
   * @throws EnlargerError CANCELLED if the attempt no longer owns the row
   */
  recordSavePath(task: Task, path: string | undefined): void;
  /** Whether the photo has another version that runs or is finished. */
  hasOtherVersions(task: Task): boolean;
  wallMs(): number;
}

/** Everything that an attempt needs; each part of it takes what it uses. */
export interface TaskSteps extends SourceSteps, EngineSteps, ExistingFileSteps, PublishSteps {
  /** @throws EnlargerError MODEL_UNAVAILABLE */
  openWork(task: Task): Promise<OperationFields<Job>>;
  /** Absolute; created if missing. */
  scratchDir: string;
  /** On the disk of `scratchDir`, for what later tasks of a photo can use; created if missing. */
  keptDir: string;
  /** Version of Enlarger, e.g. 1.2.0. */
  version: string;
}

/** Folders that a task may read and write: those of the settings and its own. */
export const grantedTo = (
  { source }: Task,
  { settings }: Pick<FolderSteps, 'settings'>,
): string[] => [...settings().grantedFolders, ...(source.grants ?? [])];
