/** A task is run by these steps. */
import type { Settings } from '../../../contract/settings/settings.ts';
import type { PictureInfo } from '../../../contract/task.ts';
import type { Job, JobProgress, WorkOf } from '../../../engine/protocol.ts';
import type { RunReport } from '../../pool/job-runner.ts';
import type { Results } from '../../results/results.ts';
import type { FolderHandle } from '../../grants/folder-handle.ts';
import type { FetchSource } from '../../sources/fetch-source.ts';
import type { TaskSource, Task } from '../../store/tasks/task.ts';

export interface TaskSteps {
  fetchSource: FetchSource;
  /** Answers where the bytes of a picture behind a subject come from. Throws SOURCE_UNREACHABLE. */
  backgroundOf(url: string): TaskSource;
  /** Throws MODEL_UNAVAILABLE. */
  openWork(task: Task): Promise<WorkOf<Job>>;
  runEngine(
    job: Job,
    options: { signal: AbortSignal; onProgress(progress: JobProgress): void },
  ): Promise<RunReport>;
  /** Tells from its head what a source becomes. Throws what the task would fail with. */
  foresee(task: Task, sourcePath: string): Promise<{ input: PictureInfo; output: PictureInfo }>;
  /** Throws UNREADABLE_IMAGE or IMAGE_TOO_LARGE. */
  inspectResult(path: string): Promise<PictureInfo>;
  /** Makes a thumbnail as a job makes it of its result. */
  makeThumbnail(sourcePath: string, toPath: string, scratchDir: string): Promise<void>;
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
