/**
 * Starts waiting tasks. The number in flight is limited by slots: two on this machine, so that one decodes or
 * encodes while the other is in the network, and more with pool helpers. A task that caused an engine crash
 * runs alone. A task whose source is slow yields its slot until the source is there. Beside full slots runs one task
 * for which a person waits.
 */
import { failpoint } from '../../../engine/protocol/failpoints.ts';
import { EnlargerError, taskCancelled } from '../../../../packages/contract/src/errors.ts';
import type { Task } from '../../store/tasks/task.ts';
import { damaged } from '../../store/tasks/row.ts';
import type { QueueWait } from '../tasks.ts';
import {
  attemptOf,
  runAttempt,
  delayUnlessAborted,
  type AttemptOptions,
  type Run,
} from './attempt.ts';

interface DispatcherOptions extends Omit<AttemptOptions, 'enterSlot'> {
  /** Time after which a task without its source yields its slot, 2 s by default. */
  patienceMs?: number;
  /** Wall clock in milliseconds. */
  wallMs: () => number;
  /** Number of tasks that may be in flight now. */
  slots: () => number;
  /** Called when `waits` changed. */
  onWaits: () => void;
}

export interface Dispatcher {
  start(): void;
  /** Starts what can be started, after the current event-loop turn. */
  wake(): void;
  setPaused(paused: boolean): void;
  /** Set while the engine cannot start. */
  readonly waits: QueueWait | undefined;
  /** Called on any sign of life from the engine: clears `waits`. */
  noteEngineAlive(): void;
  /** Cancels the task's attempt and resolves when it has ended. */
  stop(taskId: string): Promise<void>;
  /**
   * Returns running tasks to PENDING, unless they are publishing, and waits for all attempts to end, at most
   * `graceMs`.
   */
  close(graceMs: number): Promise<void>;
}

/** Concurrent downloads of sources. Tasks that need no download may overtake the others. */
const maxDownloads = 4;
const defaultPatienceMs = 2000;
const minHoldMs = 1000;
const maxHoldMs = 60_000;

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  return new TaskDispatcher(options);
}

class TaskDispatcher implements Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #running = new Map<string, Run>();
  /** Runs that yielded their slot, have their source now, and wait for a slot, in order. */
  readonly #waitingForSlot = new Map<Run, () => void>();
  readonly #closing = new AbortController();
  #isStarted = false;
  #isPaused = false;
  #willTake = false;
  /** Delay before the next start while the engine cannot start; 0 if it can. */
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

  noteEngineAlive(): void {
    if (!this.#waits) return;
    this.#waits = undefined;
    this.#options.onWaits();
  }

  wake(): void {
    if (this.#willTake) return;
    this.#willTake = true;
    setImmediate(() => {
      this.#willTake = false;
      this.#admit();
      while (this.#canTake() && this.#takeNext());
      if (this.#canTakeBeside()) this.#takeNext('beside');
    });
  }

  async stop(taskId: string): Promise<void> {
    const run = this.#running.get(taskId);
    run?.controller.abort(taskCancelled());
    await run?.done;
  }

  async close(graceMs: number): Promise<void> {
    this.#closing.abort();
    for (const run of this.#running.values()) this.#putBack(run);
    const ended = new AbortController();
    const ends = Promise.all([...this.#running.values()].map(({ done }) => done));
    await Promise.race([ends, delayUnlessAborted(ended.signal, graceMs)]);
    ended.abort();
  }

  #canTake(): boolean {
    if (!this.#isStarted || this.#isPaused || this.#isHeld || this.#closing.signal.aborted)
      return false;
    return this.#hasFreeSlot([...this.#waitingForSlot.keys()]);
  }

  /** Whether one task more may run, which preempts those in the slots. */
  #canTakeBeside(): boolean {
    const isOpen = this.#isStarted && !this.#isPaused && !this.#isHeld;
    const using = this.#inSlots();
    return (
      isOpen &&
      !this.#closing.signal.aborted &&
      using.length === this.#options.slots() &&
      !using.some(({ task }) => task.engineDeaths > 0)
    );
  }

  /** @param others runs counted as if they held a slot */
  #hasFreeSlot(others: readonly Run[] = []): boolean {
    const using = [...this.#inSlots(), ...others];
    return using.length < this.#options.slots() && !using.some(({ task }) => task.engineDeaths > 0);
  }

  #inSlots(): Run[] {
    return [...this.#running.values()].filter(({ hasSlot }) => hasSlot);
  }

  /** Hands free slots to runs whose source has arrived. */
  #admit(): void {
    if (this.#isHeld) return;
    for (const [run, enter] of this.#waitingForSlot) {
      const isAloneEnough = run.task.engineDeaths === 0 || this.#inSlots().length === 0;
      if (!this.#hasFreeSlot() || !isAloneEnough) return;
      run.hasSlot = true;
      this.#waitingForSlot.delete(run);
      enter();
    }
  }

  async #enterSlot(run: Run): Promise<void> {
    run.isFetching = false;
    if (run.hasSlot) return;
    const { signal } = run.controller;
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waitingForSlot.delete(run);
        reject(signal.reason as Error);
      };
      if (signal.aborted) {
        leave();
        return;
      }
      signal.addEventListener('abort', leave, { once: true });
      this.#waitingForSlot.set(run, resolve);
      this.wake();
    });
  }

  /** Frees the run's slot if its source has not arrived in time. */
  #yieldSlotLater(run: Run): void {
    const { patienceMs = defaultPatienceMs } = this.#options;
    void delayUnlessAborted(this.#closing.signal, patienceMs).then(() => {
      if (!run.isFetching || !this.#running.has(run.task.taskId)) return;
      run.hasSlot = false;
      this.wake();
    });
  }

  #takeNext(beside?: 'beside'): boolean {
    const { transitions, wallMs, log, retryMs } = this.#options;
    try {
      const isAlone = this.#inSlots().length === 0;
      const known = [...this.#running.keys()];
      const isFull =
        [...this.#running.values()].filter((run) => run.isFetching).length >= maxDownloads;
      const where = beside ?? (isFull ? 'here' : undefined);
      const task = transitions.claim({ startedAt: wallMs() }, isAlone, known, where);
      if (task?.isDamaged) this.#failDamaged(task);
      else if (task) this.#begin(task);
      return task !== undefined;
    } catch (thrown) {
      log('error', 'The next task could not be taken.', { error: String(thrown) });
      void delayUnlessAborted(this.#closing.signal, retryMs).then(() => this.wake());
      return false;
    }
  }

  /** Fails a task whose row cannot be read. */
  #failDamaged({ taskId, attempts }: Task): void {
    const { transitions, endingNow, announce, log } = this.#options;
    log('error', 'The row of a task is damaged.', { taskId });
    const failed = transitions.fail({ taskId, attempt: attempts }, { ...damaged, ...endingNow() });
    if (failed) announce(failed);
  }

  #begin(task: Task): void {
    const run: Run = {
      task,
      startedOn: this.#options.nowMs(),
      controller: new AbortController(),
      hasSlot: true,
      isFetching: task.source.kind === 'url',
      isPublishing: false,
      isPutBack: false,
      notStarted: undefined,
      done: Promise.resolve(),
    };
    this.#running.set(task.taskId, run);
    failpoint('claimed');
    this.#options.announce(task);
    if (run.isFetching) this.#yieldSlotLater(run);
    const options = { ...this.#options, enterSlot: (one: Run) => this.#enterSlot(one) };
    run.done = runAttempt(run, options, this.#closing.signal).finally(() => {
      this.#running.delete(task.taskId);
      this.#updateHold(run);
      this.wake();
    });
  }

  /**
   * An engine that cannot start is no task's fault: the queue waits, with growing delays, and one task tries
   * again.
   */
  #updateHold({ notStarted }: Run): void {
    if (notStarted === undefined) {
      this.#holdMs = 0;
      this.noteEngineAlive();
      return;
    }
    if (this.#isHeld) return;
    this.#holdMs = Math.min(maxHoldMs, Math.max(minHoldMs, 2 * this.#holdMs));
    this.#isHeld = true;
    const message = 'The engine cannot start, so the queue waits and tries again.';
    const { log, wallMs, onWaits } = this.#options;
    log('error', message, { reason: notStarted, againAfterMs: this.#holdMs });
    this.#waits = { message: `${message} ${notStarted}`, againAt: wallMs() + this.#holdMs };
    onWaits();
    void delayUnlessAborted(this.#closing.signal, this.#holdMs).then(() => {
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
