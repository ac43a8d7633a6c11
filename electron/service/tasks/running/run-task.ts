/**
 * Steps of an attempt: fetch the source, run the engine, publish, export. The steps are passed in; status
 * changes are the dispatcher's. The attempt's scratch files are deleted in any case.
 */
import { note } from '../../../../packages/contract/src/notes/notes.ts';
import { failpoint } from '../../../engine/protocol/failpoints.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import type { Timings } from '../../../../packages/contract/src/task.ts';
import type { JobProgress, JobReport } from '../../../engine/protocol/messages.ts';
import type { RunReport } from '../../../engine/protocol/run-report.ts';
import { clearAway } from '../../../../packages/files/src/clear-away.ts';
import { isDiskFull } from '../../../../packages/files/src/file-errors.ts';
import { planName, defaultTemplate } from '../../../../packages/contract/src/naming.ts';
import { namedResult } from '../../results/named-result.ts';
import type { PendingExport } from '../../results/results.ts';
import { timesOf } from '../../results/export-result.ts';
import { saveToFolder } from '../../results/save-to-folder.ts';
import type { ResultFiles, TaskSource, Task, TaskReport } from '../../store/tasks/task.ts';
import { withGrants } from '../../sources/stored-source.ts';
import { fetchToFile } from '../../sources/local-source.ts';
import { planJob, type JobWork } from '../../planning/plan-job.ts';
import { placementOf } from '../../results/version-folder.ts';
import { useExistingFile } from './existing-result.ts';
import { grantedTo, type PublishSteps, type TaskSteps } from './steps.ts';
import { runWithinSpace } from './target-space.ts';

/** The dispatcher's side of a running attempt. */
export interface AttemptWatch {
  signal: AbortSignal;
  onProgress(progress: JobProgress): void;
  /** Resolves when the attempt may use the engine. Call it once the source is there. */
  enterSlot(): Promise<void>;
  /** Called when only renaming and copying are left, which a shutdown does not interrupt. */
  onPublishing(): void;
}

export interface AttemptOutcome {
  report: TaskReport;
  files: ResultFiles;
  savedTo: string | undefined;
}

export async function runTask(
  task: Task,
  steps: TaskSteps,
  watch: AttemptWatch,
): Promise<AttemptOutcome> {
  const folder = join(steps.scratchDir, `${task.taskId}-${task.attempts}`);
  const timings: Timings = {};
  const timed = async <T>(name: keyof Timings, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    const done = await work();
    timings[name] = (timings[name] ?? 0) + Math.round(performance.now() - start);
    return done;
  };
  try {
    const pending = await steps.results.readPendingExport(task.taskId);
    if (pending?.madeBy === outputKey(task))
      return await exportPending(task, steps, watch, pending);
    const work = await steps.openWork(task);
    const { imagePath, thumbPath } = await steps.results.prepare(task.taskId, task.attempts);
    const jobDir = join(folder, 'job');
    await mkdir(jobDir, { recursive: true, mode: 0o700 });
    const fetchTo = (source: TaskSource, name: string) =>
      timed('fetchMs', () =>
        fetchToFile(source, { toPath: join(folder, name), signal: watch.signal }, steps),
      );
    const sourcePath = await fetchTo(task.source, 'source');
    const { backgroundImage } = task.options;
    const backgroundPath =
      backgroundImage === undefined
        ? undefined
        : await fetchTo(
            withGrants(steps.backgroundOf(backgroundImage), task.source.grants),
            'behind',
          );
    failpoint('source-fetched');
    await watch.enterSlot();
    const paths = {
      sourcePath,
      scratchDir: jobDir,
      keptDir: steps.keptDir,
      outputPath: imagePath,
      thumbPath,
      views: steps.results.viewPaths(task.taskId, task.attempts),
    };
    const resultPaths = { imagePath, thumbPath, scratchDir: jobDir };
    const jobReport =
      (await useExistingFile(task, steps, sourcePath, resultPaths)) ??
      (await runWithinSpace(
        task,
        steps,
        planJob(task, steps, paths, withBackground(work, backgroundPath)),
        watch,
      ));
    watch.signal.throwIfAborted();
    watch.onPublishing();
    const { files, savedTo } = await timed('publishMs', () => publish(task, steps, jobReport));
    const report = withSkipNote(task, reportOf(jobReport, timings), savedTo);
    return await withManifest(task, steps, { report, files, savedTo });
  } catch (thrown) {
    throw asTaskError(thrown);
  } finally {
    await clearAway(folder);
  }
}

/** Exports a result that an earlier attempt could not export. */
async function exportPending(
  task: Task,
  steps: PublishSteps,
  watch: AttemptWatch,
  { files, jobReport }: PendingExport,
): Promise<AttemptOutcome> {
  watch.onPublishing();
  const savedTo = await exportOrKeep(task, steps, { files, jobReport });
  const report = withSkipNote(task, reportOf(jobReport, {}), savedTo);
  return withManifest(task, steps, { report, files, savedTo });
}

/** Writes the manifest beside the result before the row becomes FINISHED. */
async function withManifest(
  { taskId, photo, operation, source, options, attempts, createdAt }: Task,
  steps: PublishSteps,
  outcome: AttemptOutcome,
): Promise<AttemptOutcome> {
  const { report, files, savedTo } = outcome;
  await steps.results.writeManifest(taskId, {
    ...{ taskId, photo, operation, source, options, attempts, createdAt },
    ...{ report, files, endedAt: steps.wallMs() },
    ...(savedTo !== undefined && { savedTo }),
  });
  failpoint('remembered');
  return outcome;
}

/** Adds a note if the result was not exported because of `onConflict: skip`. */
function withSkipNote(
  { options: { saveTo, onConflict, onlyAccepted } }: Task,
  report: TaskReport,
  savedTo: string | undefined,
): TaskReport {
  if (saveTo === undefined || savedTo !== undefined || onConflict !== 'skip') return report;
  if (onlyAccepted === true) return report;
  return { ...report, notes: [...report.notes, note('NOT_SAVED_OVER', { folder: saveTo })] };
}

const withBackground = (work: JobWork, backgroundPath: string | undefined): JobWork =>
  work.operation === 'remove-bg' && backgroundPath !== undefined
    ? { ...work, backgroundPath }
    : work;

async function publish(task: Task, steps: PublishSteps, report: JobReport) {
  const files = await steps.results.publish(task.taskId, task.attempts, report.output.format);
  failpoint('published');
  const savedTo = await exportOrKeep(task, steps, { files, jobReport: report });
  failpoint('saved');
  return { files, savedTo };
}

/**
 * Key of everything that determines the result's pixels: operation and options without those of export and
 * callback.
 */
function outputKey({ operation, options }: Task): string {
  const saving = ['saveTo', 'name', 'onConflict', 'oneVersion', 'onlyAccepted'];
  const excluded = [...saving, 'callbackUrl', 'callbackEvents'];
  return JSON.stringify([operation, options], (key, value: unknown) =>
    excluded.includes(key) ? undefined : value,
  );
}

/**
 * If the export fails the result is kept, so that a retry only exports. One version among others, and one that must be
 * accepted, is saved, where it counts, after its end.
 */
async function exportOrKeep(
  task: Task,
  steps: PublishSteps,
  result: PendingExport,
): Promise<string | undefined> {
  const { saveTo } = task.options;
  if (saveTo === undefined) return undefined;
  const placement = placementOf(task.options);
  if (placement?.onlyAccepted === true) return undefined;
  const isPlaced = placement !== undefined && steps.hasOtherVersions(task);
  if (isPlaced && task.savePath === undefined) return undefined;
  try {
    return await exportResult(task, steps, saveTo, result.files, result.jobReport);
  } catch (thrown) {
    await steps.results.writePendingExport(task.taskId, { ...result, madeBy: outputKey(task) });
    throw thrown;
  }
}

async function exportResult(
  task: Task,
  steps: PublishSteps,
  saveTo: string,
  files: ResultFiles,
  report: JobReport,
): Promise<string | undefined> {
  const { options, taskId, source } = task;
  const result = namedResult(task, report, steps.wallMs());
  const template = options.name ?? defaultTemplate(task.operation);
  return saveToFolder({
    token: steps.saveToken(taskId),
    from: steps.results.pathOf(taskId, files.image.name),
    folder: await steps.openGrantedFolder(saveTo, grantedTo(task, steps)),
    nameFor: (n) => planName(template, result, n),
    rule: options.onConflict ?? 'number',
    times: await timesOf(source),
    recorded: task.savePath,
    record: (path) => steps.recordSavePath(task, path),
  });
}

/** Cut-out networks have scale 1, which their name omits. */
const nameOfNetwork = ({ modelId, scale }: JobReport['ran'][0]) =>
  scale === 1 ? modelId : `${modelId}-x${scale}`;

function reportOf(job: RunReport, own: Timings): TaskReport {
  return {
    ...(job.ran.length > 0 && { model: job.ran.map(nameOfNetwork).join(',') }),
    input: job.input,
    output: job.output,
    ...(job.crop && { crop: job.crop }),
    ...(job.measured && { measured: job.measured }),
    ...(job.changed && { changed: job.changed }),
    ...(job.grade && { grade: job.grade }),
    ...(job.device && { device: job.device }),
    ...(job.ranOn && { ranOn: job.ranOn }),
    timings: { ...job.timings, ...own },
    notes: job.notes,
  };
}

/** Maps errors of disk and folders to task error codes; other errors pass through. */
function asTaskError(thrown: unknown): unknown {
  if (isDiskFull(thrown)) {
    return new EnlargerError(
      'STORAGE_FULL',
      'The disk became full while the picture was being enlarged. Free some space and retry.',
      { cause: thrown },
    );
  }
  if (thrown instanceof EnlargerError && thrown.code === 'FORBIDDEN_PATH') {
    return new EnlargerError('CANNOT_WRITE', thrown.message, { cause: thrown });
  }
  return thrown;
}
