/**
 * Takes waiting tasks. At most two are in flight, so that one is decoded or encoded while the other is in the
 * network; a task that met an engine's death runs alone.
 */
import { EnlargerError } from '../../contract/errors.ts';
import type { StoredTask } from '../store/stored-task.ts';
import { damaged } from '../store/task-row.ts';
import type { QueueWait } from './task-row.ts';
import { attemptOf, runAttempt, waitUnless, type AttemptOptions, type Run } from './attempt.ts';

export interface DispatcherOptions extends AttemptOptions {
  /** In milliseconds. */
  wallMs: () => number;
  /** Called when `waits` changed. */
  onWaits: () => void;
}

export interface Dispatcher {
  start(): void;
  /** Takes what can be taken, after the present call has been answered. */
  wake(): void;
  setPaused(paused: boolean): void;
  /** Why nothing is taken, while the engine cannot start. */
  readonly waits: QueueWait | undefined;
  /** Something of a job was heard from the engine: it did start. */
  engineWorks(): void;
  /** Tells what runs for a task to stop, and returns when it did. */
  stop(taskId: string): Promise<void>;
  /** Puts running tasks back, unless they are being published, and waits for the ends of all. */
  close(graceMs: number): Promise<void>;
}

const slots = 2;
const firstHoldMs = 1000;
const longestHoldMs = 60_000;

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  return new TaskDispatcher(options);
}

class TaskDispatcher implements Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #running = new Map<string, Run>();
  readonly #closing = new AbortController();
  #isStarted = false;
  #isPaused = false;
  #willTake = false;
  /** While the engine cannot start; 0: it can. */
  #holdMs = 0;
  #isHeld = false;
  #waits: QueueWait | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  start(): void {
    this.#isStarted = true;
    this.wake();
  }

  setPaused(paused: boolean): void {
    this.#isPaused = paused;
    if (!paused) this.wake();
  }

  get waits(): QueueWait | undefined {
    return this.#waits;
  }

  engineWorks(): void {
    if (!this.#waits) return;
    this.#waits = undefined;
    this.#options.onWaits();
  }

  wake(): void {
    if (this.#willTake) return;
    this.#willTake = true;
    setImmediate(() => {
      this.#willTake = false;
      while (this.#canTake() && this.#takeNext());
    });
  }

  async stop(taskId: string): Promise<void> {
    const run = this.#running.get(taskId);
    run?.controller.abort(new EnlargerError('CANCELLED', 'The task was cancelled.'));
    await run?.done;
  }

  async close(graceMs: number): Promise<void> {
    this.#closing.abort();
    for (const run of this.#running.values()) this.#putBack(run);
    const ended = new AbortController();
    const ends = Promise.all([...this.#running.values()].map(({ done }) => done));
    await Promise.race([ends, waitUnless(ended.signal, graceMs)]);
    ended.abort();
  }

  #canTake(): boolean {
    if (!this.#isStarted || this.#isPaused || this.#isHeld || this.#closing.signal.aborted)
      return false;
    const runs = [...this.#running.values()];
    return runs.length < slots && !runs.some(({ task }) => task.engineDeaths > 0);
  }

  #takeNext(): boolean {
    const { transitions, wallMs, log, retryMs } = this.#options;
    try {
      const isAlone = this.#running.size === 0;
      const task = transitions.claim({ startedAt: wallMs() }, isAlone, [...this.#running.keys()]);
      if (task?.isDamaged) this.#failDamaged(task);
      else if (task) this.#begin(task);
      return task !== undefined;
    } catch (thrown) {
      log('error', 'The next task could not be taken.', { error: String(thrown) });
      void waitUnless(this.#closing.signal, retryMs).then(() => this.wake());
      return false;
    }
  }

  /** Nobody can run what its row does not tell; the next one is taken. */
  #failDamaged({ taskId, attempts }: StoredTask): void {
    const { transitions, endingNow, announce, log } = this.#options;
    log('error', 'The row of a task is damaged.', { taskId });
    const failed = transitions.fail({ taskId, attempt: attempts }, { ...damaged, ...endingNow() });
    if (failed) announce(failed);
  }

  #begin(task: StoredTask): void {
    const run: Run = {
      task,
      startedOn: this.#options.nowMs(),
      controller: new AbortController(),
      isPublishing: false,
      isPutBack: false,
      notStarted: undefined,
      done: Promise.resolve(),
    };
    this.#running.set(task.taskId, run);
    this.#options.announce(task);
    run.done = runAttempt(run, this.#options, this.#closing.signal).finally(() => {
      this.#running.delete(task.taskId);
      this.#learnOfEngine(run);
      this.wake();
    });
  }

  /** Pictures are not to blame for an engine that cannot start: all wait, and one tries again after a while. */
  #learnOfEngine({ notStarted }: Run): void {
    if (notStarted === undefined) {
      this.#holdMs = 0;
      this.engineWorks();
      return;
    }
    if (this.#isHeld) return;
    this.#holdMs = Math.min(longestHoldMs, Math.max(firstHoldMs, 2 * this.#holdMs));
    this.#isHeld = true;
    const message = 'The engine cannot start, so the queue waits and tries again.';
    const { log, wallMs, onWaits } = this.#options;
    log('error', message, { reason: notStarted, againAfterMs: this.#holdMs });
    this.#waits = { message: `${message} ${notStarted}`, againAt: wallMs() + this.#holdMs };
    onWaits();
    void waitUnless(this.#closing.signal, this.#holdMs).then(() => {
      this.#isHeld = false;
      this.wake();
    });
  }

  #putBack(run: Run): void {
    if (run.isPublishing) return;
    const { transitions, announce, log } = this.#options;
    try {
      const task = transitions.release(attemptOf(run));
      run.isPutBack = task !== undefined;
      if (task) announce(task);
    } catch (thrown) {
      log('error', 'A running task could not be put back.', { error: String(thrown) });
    }
    run.controller.abort(new EnlargerError('CANCELLED', 'The service is closing.'));
  }
}
