/** The queue: wires its parts. What its calls guarantee stands at the interface, in task.ts. */
import { EnlargerError, taskCancelled } from '../../contract/errors.ts';
import type { Log } from '../../contract/log.ts';
import type { Mark, StatusCounts } from '../../contract/task.ts';
import type { SpeedMeasurement } from '../../engine/protocol.ts';
import type { ServiceClock } from '../clock.ts';
import type { IdempotentSubmit } from '../store/idempotency.ts';
import type { Store } from '../store/store.ts';
import type { StoredTask } from '../store/stored-task.ts';
import type { TaskWork } from '../store/task-table.ts';
import { createDispatcher, type Dispatcher } from './dispatcher.ts';
import { speedsOfRun } from '../../engine/speeds.ts';
import { createEventLog, type EventLog } from './events.ts';
import { createLiveProgress, type LiveProgress } from './live-progress.ts';
import { createQueueCalls, type QueueCalls, type Submit, type Submitted } from './queue-calls.ts';
import {
  discardBrokenAttempts,
  listLeftFiles,
  recoverOpenStarts,
  sweepLeftFiles,
  type LeftFiles,
} from './recovery.ts';
import { adoptResults } from './adopt-results.ts';
import { createRemovals, deleteFilesOf, type Removals } from './removals.ts';
import { createSweeper, deleteDataFile, type Sweeper } from './retention.ts';
import { runTask, type Outcome } from './run-task.ts';
import type { TaskSteps } from './task-steps.ts';
import {
  type NewTask,
  type QueueWait,
  type TaskEvents,
  type TaskListPage,
  type Task,
  type Tasks,
  type TaskSpot,
  createTaskViews,
  type TaskViews,
} from './task.ts';
import { createQueueNews, type QueueNews } from './queue-news.ts';
import { createTogether } from './together.ts';

export interface TasksOptions {
  store: Store;
  clock: ServiceClock;
  steps: Omit<TaskSteps, 'settings' | 'recordSavePath' | 'wallMs'>;
  /** Where `data:` sources lie; what no row needs there is deleted at the start. */
  sourcesDir: string;
  /** What the engine has measured so far; asked after each finished task. */
  measuredSpeeds: () => Promise<readonly SpeedMeasurement[]>;
  /** The first speed of a network was stored. */
  onMeasured?: () => void;
  /** Deletes uploads that no task needs any more; called with each sweep. */
  sweepUploads(): Promise<void>;
  log: Log;
  /** How many tasks may be in flight now; 2. When there may be more, wake() is to be called. */
  slots?: () => number;
  /** Between two tries to store something on a full disk; 5 s. */
  retryMs?: number;
  /** How long a source may take to come before its task yields its slot to another; 2 s. */
  patienceMs?: number;
  /** Between two sweeps of what expired; a minute. */
  sweepEveryMs?: number;
  /** Between two looks for removed tasks whose files are to go; 5 s. */
  removalsEveryMs?: number;
  /** How long close() waits for running attempts to stop; 5 s. */
  graceMs?: number;
}

/** Settles what a former process left open. Nothing is taken before start(). */
export async function openTasks(options: TasksOptions): Promise<Tasks> {
  const { store, log, steps, sourcesDir } = options;
  const { results, scratchDir } = steps;
  for (const task of store.tasks.removedUntil(Number.MAX_SAFE_INTEGER))
    await deleteFilesOf(task, { store, results }).catch((thrown: unknown) => {
      log('warn', 'A removed task could not be cleared away.', { error: String(thrown) });
    });
  const left = await listLeftFiles({ scratchDir, sourcesDir, results });
  recoverOpenStarts(store, endingOf(options), log);
  await adoptResults(left.results, {
    store,
    results,
    log,
    clock: options.clock,
    endingNow: () => endingOf(options),
  });
  await discardBrokenAttempts(left.results, { store, results, log });
  return new TaskQueue(options, createParts(options), left);
}

/** One decodes or encodes while the other is in the network. */
const usualSlots = 2;

interface Parts {
  events: EventLog;
  live: LiveProgress;
  views: TaskViews;
  calls: QueueCalls;
  dispatcher: Dispatcher;
  sweeper: Sweeper;
  removals: Removals;
  news: QueueNews;
  /** Resolves when all speeds that were asked for are stored. */
  noted: () => Promise<unknown>;
}

function createParts(options: TasksOptions): Parts {
  const { store, clock, log, steps, retryMs = 5000, sweepEveryMs = 60_000 } = options;
  const live = createLiveProgress();
  const views = createTaskViews(clock, live);
  const events = createEventLog({
    changes: store.changes,
    find(taskId) {
      const task = store.tasks.get(taskId);
      return task && !views.isGone(task) ? views.of(task) : undefined;
    },
    log,
  });
  const news = createQueueNews();
  events.subscribe(undefined, ({ isProgress }) => {
    if (!isProgress) news.note();
  });
  const announce = (task: StoredTask) => events.publish(views.of(task));
  const endingNow = () => endingOf(options);
  let noting: Promise<unknown> = Promise.resolve();
  const dispatcher: Dispatcher = createDispatcher({
    transitions: store.tasks,
    runTask: (task, watch) => runTask(task, completeSteps(options), watch),
    discardResult: async (taskId) => {
      if (!(await steps.results.kept(taskId))) await steps.results.discard(taskId);
    },
    onFinished(task, outcome) {
      noting = Promise.all([noting, noteSpeeds(options, outcome)]);
      return deleteDataFile(task);
    },
    keepTold: (taskId, told) => store.tasks.keepLook(taskId, { told }),
    announce,
    announceProgress(task) {
      dispatcher.engineWorks();
      events.publish(views.of(task), 'progress');
    },
    live,
    endingNow,
    nowMs: () => clock.nowMs(),
    wallMs: () => clock.wallMs(),
    slots: options.slots ?? (() => usualSlots),
    onWaits: () => news.note(),
    log,
    retryMs,
    ...(options.patienceMs !== undefined && { patienceMs: options.patienceMs }),
  });
  const calls = createQueueCalls({ store, clock, views, announce, endingNow });
  const { results } = steps;
  const sweepUploads = () => options.sweepUploads();
  const sweeper = createSweeper({
    store,
    clock,
    results,
    sweepUploads,
    log,
    everyMs: sweepEveryMs,
  });
  const removals = createRemovals({
    store,
    clock,
    results,
    stop: (taskId) => dispatcher.stop(taskId),
    announceRemoved: (task) => events.publish(views.of(task), 'removed'),
    announce,
    log,
    everyMs: options.removalsEveryMs ?? 5000,
  });
  const noted = () => noting;
  return { events, news, live, views, calls, dispatcher, sweeper, removals, noted };
}

function endingOf({ store, clock }: TasksOptions): { endedAt: number; expiresOn: number } {
  const keptMs = store.settings.get().retentionHours * 3_600_000;
  return { endedAt: clock.wallMs(), expiresOn: clock.nowMs() + keptMs };
}

function completeSteps({ store, clock, steps }: TasksOptions): TaskSteps {
  return {
    ...steps,
    settings: () => store.settings.get(),
    wallMs: () => clock.wallMs(),
    recordSavePath(task, path) {
      if (store.tasks.recordSavePath(task.taskId, task.attempts, path)) return;
      throw taskCancelled();
    },
  };
}

/** Never rejects: a speed that is not noted now is noted after the next task. */
async function noteSpeeds(options: TasksOptions, { jobReport }: Outcome): Promise<void> {
  const { store, clock, measuredSpeeds, log } = options;
  if (!jobReport.device || jobReport.ranOn) return;
  try {
    let isFirst = false;
    for (const speed of speedsOfRun(jobReport.ran, jobReport.device, await measuredSpeeds())) {
      isFirst ||= store.speeds.latest(speed.modelId, speed.scale) === undefined;
      store.speeds.set(speed, clock.wallMs());
    }
    if (isFirst) options.onMeasured?.();
  } catch (thrown) {
    log('warn', 'Measured speeds could not be stored.', { error: String(thrown) });
  }
}

/** Of a submit that made no task. */
function discardSource({ log }: TasksOptions, task: NewTask): void {
  deleteDataFile(task).catch((thrown: unknown) => {
    log('warn', "A task's source could not be deleted.", { error: String(thrown) });
  });
}

class TaskQueue implements Tasks {
  readonly #options: TasksOptions;
  readonly #parts: Parts;
  readonly #left: LeftFiles;
  readonly #closing = new AbortController();
  #sweeping = Promise.resolve();
  #isPaused: boolean;
  readonly #submitTogether = createTogether<Submit, Submitted>((submits) => {
    if (this.#closing.signal.aborted) throw closingError();
    return this.#parts.calls.submitAll(submits);
  });

  constructor(options: TasksOptions, parts: Parts, left: LeftFiles) {
    this.#options = options;
    this.#parts = parts;
    this.#left = left;
    this.#isPaused = options.store.flags.get('paused');
    parts.dispatcher.setPaused(this.#isPaused);
  }

  get events(): TaskEvents {
    return this.#parts.events;
  }

  get paused(): boolean {
    return this.#isPaused;
  }

  get waits(): QueueWait | undefined {
    return this.#parts.dispatcher.waits;
  }

  onQueueChange(listener: () => void): () => void {
    return this.#parts.news.subscribe(listener);
  }

  start(): void {
    const { store, log, steps, clock } = this.#options;
    const parts = { store, results: steps.results, log, nowMs: () => clock.nowMs() };
    this.#sweeping = sweepLeftFiles(this.#left, parts, this.#closing.signal);
    this.#parts.sweeper.start();
    this.#parts.dispatcher.start();
  }

  async submit(task: NewTask, idempotency?: IdempotentSubmit): Promise<Task> {
    try {
      return this.#taken(task, await this.#submitTogether({ task, idempotency }));
    } catch (thrown) {
      discardSource(this.#options, task);
      throw thrown;
    }
  }

  get(taskId: string): Task | undefined {
    return this.#parts.calls.get(taskId);
  }

  list(page: TaskListPage): { rows: Task[]; nextCursor?: string } {
    return this.#parts.calls.list(page);
  }

  counts(): StatusCounts {
    return this.#parts.calls.counts();
  }

  placeOf(task: Task): number | undefined {
    return this.#parts.calls.placeOf(task);
  }

  cancel(taskId: string): Task {
    const task = this.#parts.calls.cancel(taskId);
    void this.#parts.dispatcher.stop(taskId);
    return task;
  }

  retry(taskId: string): Task {
    const task = this.#parts.calls.retry(taskId);
    this.#parts.dispatcher.wake();
    return task;
  }

  move(taskId: string, spot: TaskSpot): Task {
    return this.#parts.calls.move(taskId, spot);
  }

  change(taskId: string, before: TaskWork, after: TaskWork, spot: TaskSpot): Task {
    return this.#parts.calls.change(taskId, before, after, spot);
  }

  noteSaved(taskId: string, savedTo: string): void {
    this.#parts.calls.noteSaved(taskId, savedTo);
  }

  noteMark(taskId: string, mark: Mark | null): Task {
    return this.#parts.calls.noteMark(taskId, mark);
  }

  noteTaken(taskId: string): void {
    this.#parts.calls.noteTaken(taskId);
  }

  remove(taskId: string): void {
    this.#parts.removals.remove(taskId);
  }

  restore(taskId: string): Task {
    const task = this.#parts.removals.restore(taskId);
    this.#parts.dispatcher.wake();
    return this.#parts.views.of(task);
  }

  delete(taskId: string): Promise<void> {
    return this.#parts.removals.delete(taskId);
  }

  wake(): void {
    this.#parts.dispatcher.wake();
  }

  pause(): void {
    this.#setPaused(true);
  }

  resume(): void {
    this.#setPaused(false);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#parts.news.close();
    await this.#parts.dispatcher.close(this.#options.graceMs ?? 5000);
    await this.#parts.removals.close();
    await this.#parts.sweeper.close();
    await Promise.all([this.#sweeping, this.#parts.noted()]);
    this.#options.clock.save();
  }

  #taken(asked: NewTask, { task, isNew }: Submitted): Task {
    if (isNew) this.#parts.dispatcher.wake();
    else discardSource(this.#options, asked);
    return task;
  }

  #setPaused(paused: boolean): void {
    this.#options.store.flags.set('paused', paused);
    this.#isPaused = paused;
    this.#parts.dispatcher.setPaused(paused);
    this.#parts.news.note();
  }
}

function closingError(): EnlargerError {
  return new EnlargerError('SHUTTING_DOWN', 'The service is shutting down. Try again in a moment.');
}
