/** What running a task is done by. */
import type { Settings } from '../../../contract/admin.ts';
import type { PictureInfo } from '../../../contract/task.ts';
import type { Job, JobProgress, WorkOf } from '../../../engine/protocol.ts';
import type { RunReport } from '../../pool/job-runner.ts';
import type { Results } from '../../results/results.ts';
import type { FolderHandle } from '../../settings/folder-handle.ts';
import type { FetchSource } from '../../sources/fetch-source.ts';
import type { TaskSource, Task } from '../../store/tasks/task.ts';

export interface TaskSteps {
  fetchSource: FetchSource;
  /** Where the bytes of a picture behind a subject come from. Throws SOURCE_UNREACHABLE. */
  backgroundOf(url: string): TaskSource;
  /** Throws MODEL_UNAVAILABLE. */
  openWork(task: Task): Promise<WorkOf<Job>>;
  runEngine(
    job: Job,
    options: { signal: AbortSignal; onProgress(progress: JobProgress): void },
  ): Promise<RunReport>;
  /** What a source becomes, from its head. Throws what the task would fail with. */
  foresee(task: Task, sourcePath: string): Promise<{ input: PictureInfo; output: PictureInfo }>;
  /** Throws UNREADABLE_IMAGE or IMAGE_TOO_LARGE. */
  inspectResult(path: string): Promise<PictureInfo>;
  /** As a job makes it of its result. */
  makeThumbnail(sourcePath: string, toPath: string, scratchDir: string): Promise<void>;
  /** A folder that is (still) granted, open for making files in it. Throws FORBIDDEN_PATH. */
  openGrantedFolder(folder: string, grantedFolders: readonly string[]): Promise<FolderHandle>;
  /** What nobody else can guess of a task, the same after a restart: letters and digits. */
  saveToken(taskId: string): string;
  results: Results;
  /** Absolute; made when missing. */
  scratchDir: string;
  settings(): Settings;
  /** Such as 1.2.0. */
  version: string;
  /** Commits where the result is about to be saved. Throws CANCELLED when the attempt is over. */
  recordSavePath(task: Task, path: string | undefined): void;
  wallMs(): number;
}
