/** Wires the queue. The guarantees of its calls are documented at `Tasks` (tasks.ts). */
import { EnlargerError, taskCancelled } from '../../../packages/contract/src/errors.ts';
import type { Log } from '../../../packages/contract/src/log.ts';
import type { ServiceClock } from '../timing/clock.ts';
import type { Store } from '../store/store.ts';
import type { Task } from '../store/tasks/task.ts';
import { createDispatcher, type Dispatcher } from './running/dispatcher.ts';
import { createEventLog, type EventLog } from './events/event-log.ts';
import { createLiveProgress } from './running/live-progress.ts';
import {
  createQueueCalls,
  isRowExpired,
  type QueueCalls,
  type TaskSubmission,
  type SubmitOutcome,
} from './queue-calls.ts';
import {
  discardBrokenAttempts,
  listFilesAtStart,
  recoverOpenStarts,
  sweepOrphans,
  type FilesAtStart,
} from './retention/recovery.ts';
import { adoptResults } from './retention/adopt-results.ts';
import { createFolderVersions, type FolderVersions } from './folders/folder-versions.ts';
import { isVersion, maxVersions } from '../results/version-folder.ts';
import { createRemovals, deleteFilesOf, type Removals } from './retention/removals.ts';
import { createSweeper, deleteDataFile, type Sweeper } from './retention/sweeper.ts';
import { runTask } from './running/run-task.ts';
import type { TaskSteps } from './running/steps.ts';
import type { NewTask, Tasks } from './tasks.ts';
import { createQueueChanges, type QueueChanges } from './events/queue-changes.ts';
import { createMicroBatch } from './micro-batch.ts';

export interface TasksOptions extends TasksTestOptions {
  store: Store;
  clock: ServiceClock;
  steps: Omit<TaskSteps, 'settings' | 'recordSavePath' | 'hasOtherVersions' | 'wallMs'>;
  /** Folder of the files of `data:` sources. Files that no row names are deleted at start. */
  sourcesDir: string;
  /** Deletes uploads that no task uses. Called by each sweep. */
  sweepUploads(): Promise<void>;
  log: Log;
  /** Number of tasks in flight, 2 by default. Call wake() after it rises. */
  slots?: () => number;
}

/** Only tests set these. */
interface TasksTestOptions {
  /** Disk-full retry delay, 5 s by default. */
  retryMs?: number;
  /** Time after which a task without its source yields its slot, 2 s by default. */
  patienceMs?: number;
  /** Interval of the sweep of removed tasks, 5 s by default. */
  removalsEveryMs?: number;
  /** Time that close() waits for running attempts, 5 s by default. */
  graceMs?: number;
}

/** Opens the queue and recovers what a former process left open. No task starts before start(). */
export async function openTasks(options: TasksOptions): Promise<Tasks> {
  const { store, log, steps, sourcesDir } = options;
  const { results, scratchDir } = steps;
  for (const task of store.tasks.removedUntil(Number.MAX_SAFE_INTEGER))
    await deleteFilesOf(task, { store, results }).catch((thrown: unknown) => {
      log('warn', 'A removed task could not be cleared away.', { error: String(thrown) });
    });
  const filesAtStart = await listFilesAtStart({ scratchDir, sourcesDir, results });
  recoverOpenStarts(store, endingOf(options), log);
  await adoptResults(filesAtStart.results, {
    store,
    results,
    log,
    clock: options.clock,
    endingNow: () => endingOf(options),
  });
  await discardBrokenAttempts(filesAtStart.results, { store, results, log });
  return createQueue(options, createParts(options), filesAtStart);
}

/** One task decodes or encodes while the other one is in the network. */
const defaultSlots = 2;

interface QueueParts {
  events: EventLog;
  calls: QueueCalls;
  dispatcher: Dispatcher;
  folders: FolderVersions;
  sweeper: Sweeper;
  removals: Removals;
  changes: QueueChanges;
}

function createParts(options: TasksOptions): QueueParts {
  const { store, clock, log, steps, retryMs = 5000 } = options;
  const live = createLiveProgress();
  const events = createEventLog({
    changes: store.changes,
    find(taskId) {
      const task = store.tasks.get(taskId);
      return task && !isRowExpired(task, clock) ? task : undefined;
    },
    log,
  });
  const changes = createQueueChanges();
  events.subscribe(undefined, ({ isProgress }) => {
    if (!isProgress) changes.note();
  });
  const announce = (task: Task) => events.publish(task);
  const endingNow = () => endingOf(options);
  const folders = createFolderVersions({
    ...{ store, clock, log, announce, endingNow },
    results: steps.results,
    saveToken: (text) => steps.saveToken(text),
    openGrantedFolder: (folder, granted) => steps.openGrantedFolder(folder, granted),
    settings: () => store.settings.get(),
  });
  const dispatcher: Dispatcher = createDispatcher({
    transitions: store.tasks,
    runTask: (task, watch) => runTask(task, completeSteps(options), watch),
    discardResult: async (taskId) => {
      if (!(await steps.results.readPendingExport(taskId))) await steps.results.discard(taskId);
    },
    async onFinished(task) {
      if (task.placement !== undefined) void folders.settle(task.photo);
      await deleteDataFile(task);
    },
    saveEstimate: (taskId, estimate) => store.tasks.saveInspection(taskId, { told: estimate }),
    announce,
    announceProgress({ taskId }) {
      dispatcher.noteEngineAlive();
      events.publishProgress({ taskId, status: 'PROCESSING', ...live.of(taskId) });
    },
    live,
    endingNow,
    nowMs: () => clock.nowMs(),
    wallMs: () => clock.wallMs(),
    slots: options.slots ?? (() => defaultSlots),
    onWaits: () => changes.note(),
    log,
    retryMs,
    ...(options.patienceMs !== undefined && { patienceMs: options.patienceMs }),
  });
  const calls = createQueueCalls({ store, clock, live, announce, endingNow });
  const { results } = steps;
  const sweepUploads = () => options.sweepUploads();
  const sweeper = createSweeper({
    store,
    clock,
    results,
    keptDir: steps.keptDir,
    sweepUploads,
    log,
  });
  const removals = createRemovals({
    store,
    clock,
    results,
    stop: (taskId) => dispatcher.stop(taskId),
    announceRemoved: (task) => events.publish(task, 'removed'),
    announce,
    log,
    everyMs: options.removalsEveryMs ?? 5000,
  });
  return { events, changes, calls, dispatcher, folders, sweeper, removals };
}

function endingOf({ store, clock }: TasksOptions): { endedAt: number; expiresOn: number } {
  const retentionMs = store.settings.get().retentionHours * 3_600_000;
  return { endedAt: clock.wallMs(), expiresOn: clock.nowMs() + retentionMs };
}

function completeSteps({ store, clock, steps }: TasksOptions): TaskSteps {
  return {
    ...steps,
    settings: () => store.settings.get(),
    wallMs: () => clock.wallMs(),
    hasOtherVersions: ({ photo, taskId }) =>
      store.tasks
        .list({ photo, limit: maxVersions })
        .some((other) => other.taskId !== taskId && isVersion(other)),
    recordSavePath(task, path) {
      if (store.tasks.recordSavePath(task.taskId, task.attempts, path)) return;
      throw taskCancelled();
    },
  };
}

/** Deletes the file of a submit that created no task. */
function discardSource({ log }: TasksOptions, task: NewTask): void {
  deleteDataFile(task).catch((thrown: unknown) => {
    log('warn', "A task's source could not be deleted.", { error: String(thrown) });
  });
}

function createQueue(options: TasksOptions, parts: QueueParts, filesAtStart: FilesAtStart): Tasks {
  const { store, clock, log, steps } = options;
  const { dispatcher, events, changes, folders, removals, sweeper } = parts;
  const { submitAll, ...calls } = parts.calls;
  const closing = new AbortController();
  let sweeping = Promise.resolve();
  let settling = Promise.resolve();
  let paused = store.flags.get('paused');
  dispatcher.setPaused(paused);

  const submitInBatch = createMicroBatch<TaskSubmission, SubmitOutcome>((submits) => {
    if (closing.signal.aborted) throw closingError();
    return submitAll(submits);
  });
  const setPaused = (now: boolean) => {
    store.flags.set('paused', now);
    paused = now;
    dispatcher.setPaused(now);
    changes.note();
  };
  return {
    ...calls,
    events,
    get paused() {
      return paused;
    },
    get waits() {
      return dispatcher.waits;
    },
    onQueueChange: (listener) => changes.subscribe(listener),
    start() {
      const sweepDeps = { store, results: steps.results, log, nowMs: () => clock.nowMs() };
      sweeping = sweepOrphans(filesAtStart, sweepDeps, closing.signal);
      sweeper.start();
      settling = folders.settleAll();
      dispatcher.start();
    },
    async submit(submission, idempotency) {
      try {
        const { task, isNew } = await submitInBatch({ task: submission, idempotency });
        if (isNew) dispatcher.wake();
        else discardSource(options, submission);
        return task;
      } catch (thrown) {
        discardSource(options, submission);
        throw thrown;
      }
    },
    async mark(taskId, mark) {
      const { photo } = calls.noteMark(taskId, mark);
      await folders.settle(photo);
    },
    save: (task, save) => folders.save(task, save),
    cancel(taskId) {
      const task = calls.cancel(taskId);
      void dispatcher.stop(taskId);
      return task;
    },
    retry(taskId) {
      const task = calls.retry(taskId);
      dispatcher.wake();
      return task;
    },
    remove: (taskId) => removals.remove(taskId),
    restore(taskId) {
      const task = removals.restore(taskId);
      dispatcher.wake();
      return task;
    },
    delete: (taskId) => removals.delete(taskId),
    wake: () => dispatcher.wake(),
    pause: () => setPaused(true),
    resume: () => setPaused(false),
    async close() {
      closing.abort();
      changes.close();
      await dispatcher.close(options.graceMs ?? 5000);
      await folders.close();
      await settling;
      await removals.close();
      await sweeper.close();
      await sweeping;
      clock.save();
    },
  };
}

function closingError(): EnlargerError {
  return new EnlargerError('SHUTTING_DOWN', 'The service is shutting down. Try again in a moment.');
}
