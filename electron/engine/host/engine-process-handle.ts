/** Handle of one engine process, with its jobs and its pending requests. */
import { taskCancelled } from '../../../packages/contract/src/errors.ts';
import type {
  EngineCalls,
  FromEngine,
  Job,
  JobEvent,
  JobProgress,
  JobReport,
  ToEngine,
} from '../protocol/messages.ts';
import { onAbort } from '../cancellation/on-abort.ts';
import { createRpcClient, type RpcRequest } from '../protocol/rpc.ts';
import { anonymousBytes, type EngineProcess } from './engine-process.ts';
import type { EngineSnapshot, WatchedJob } from './watchdog.ts';
import { UserFacingError } from '../../../packages/contract/src/error-messages.ts';

export interface RunOptions {
  signal: AbortSignal;
  onProgress: (progress: JobProgress) => void;
}

/** Stall limit at first, while a job reads the header of its file. */
const firstStallLimitMs = 30_000;

/** Job id of requests other than jobs, in questions of blame. */
const noJob = '';

export class EngineProcessHandle {
  readonly process: EngineProcess;
  readonly #nowMs: () => number;
  readonly #startedAtMs: number;
  readonly #jobs = new Set<WatchedJob>();
  readonly #rpc = createRpcClient<EngineCalls>((request) => {
    this.#send({ request: request as RpcRequest<EngineCalls> });
  });
  /** The deadline of each pending request. */
  readonly #deadlinesMs = new Set<{ dueMs: number }>();
  /** Calls that wait until the process is ready; undefined from then on. */
  #outbox: (() => void)[] | undefined = [];
  #lastMessageAtMs: number;
  #lastWorkAtMs: number | undefined;

  /** @param start starts the process, whose messages go to `onMessage` */
  constructor(
    start: (onMessage: (message: FromEngine) => void) => EngineProcess,
    nowMs: () => number,
  ) {
    this.#nowMs = nowMs;
    this.#startedAtMs = this.#lastMessageAtMs = nowMs();
    this.process = start((message) => this.#onMessage(message));
  }

  get jobIds(): string[] {
    return Array.from(this.#jobs, ({ jobId }) => jobId);
  }

  /** When a job or another piece of work last ended; undefined: never. */
  get lastWorkAtMs(): number | undefined {
    return this.#lastWorkAtMs;
  }

  snapshot(): EngineSnapshot {
    return {
      ready: this.#outbox === undefined,
      startedAtMs: this.#startedAtMs,
      lastMessageAtMs: this.#lastMessageAtMs,
      jobs: [...this.#jobs],
      deadlinesMs: Array.from(this.#deadlinesMs, ({ dueMs }) => dueMs),
      memoryBytes: this.process.pid === undefined ? undefined : anonymousBytes(this.process.pid),
    };
  }

  async run(job: Job, { signal, onProgress }: RunOptions): Promise<JobReport> {
    if (signal.aborted) throw taskCancelled();
    const { jobId } = job;
    const times = {
      lastMessageAtMs: this.#nowMs(),
      stallLimitMs: Infinity,
      cancelledAtMs: undefined,
    };
    const state: WatchedJob = { jobId, ...times };
    this.#jobs.add(state);
    this.#whenReady(() => {
      state.lastMessageAtMs = this.#nowMs();
      state.stallLimitMs = firstStallLimitMs;
    });
    const onEvent = ({ progress, stallLimitMs }: JobEvent) => {
      state.lastMessageAtMs = this.#nowMs();
      state.stallLimitMs = stallLimitMs;
      if (state.cancelledAtMs === undefined) onProgress(progress);
    };
    const removeListener = onAbort(signal, () => (state.cancelledAtMs = this.#nowMs()));
    try {
      return await this.#rpc.request('run', job, { onEvent, signal });
    } catch (error) {
      const isCancelled = state.cancelledAtMs !== undefined;
      throw error instanceof EngineDied && isCancelled ? taskCancelled() : error;
    } finally {
      removeListener();
      this.#jobs.delete(state);
      this.#lastWorkAtMs = this.#nowMs();
    }
  }

  /** Sends a request, whose limit counts from its sending. @throws EnlargerError or EngineDied */
  async request<Kind extends Exclude<keyof EngineCalls, 'run'>>(
    kind: Kind,
    request: EngineCalls[Kind]['request'],
    limitMs: number,
  ): Promise<EngineCalls[Kind]['response']> {
    const due = { dueMs: Infinity };
    this.#deadlinesMs.add(due);
    this.#whenReady(() => {
      due.dueMs = this.#nowMs() + limitMs;
    });
    try {
      return await this.#rpc.request(kind, request);
    } finally {
      this.#deadlinesMs.delete(due);
      // Device queries do not count as work.
      if (kind !== 'devices') this.#lastWorkAtMs = this.#nowMs();
    }
  }

  /** Kills the process if it still runs, and rejects its jobs and pending requests. */
  end(reason: EngineDied['reason'], message: string, blames: (jobId: string) => boolean): void {
    this.process.kill();
    this.#rpc.rejectAll(({ kind, request }) => {
      const blamed = blames(kind === 'run' ? (request as Job).jobId : noJob);
      return new EngineDied(reason, blamed, message);
    });
  }

  #send(message: ToEngine): void {
    this.#whenReady(() => this.process.send(message));
  }

  #whenReady(act: () => void): void {
    if (this.#outbox) this.#outbox.push(act);
    else act();
  }

  #onMessage(message: FromEngine): void {
    this.#lastMessageAtMs = this.#nowMs();
    if (message.kind === 'heartbeat' || message.kind === 'speeds') return;
    if (message.kind === 'ready') {
      const waiting = this.#outbox ?? [];
      this.#outbox = undefined;
      for (const act of waiting) act();
    } else {
      this.#rpc.onReply(message.reply);
    }
  }
}

type EngineEnd = 'exit' | 'hang' | 'memory' | 'start';

/** Error of a job or request during which the engine process ended. */
export class EngineDied extends UserFacingError {
  override readonly name = 'EngineDied';
  /** `start`: the process ended before it was ready for a job. */
  readonly reason: EngineEnd;
  /** Whether the job may be the cause: on a hang only the job that hung, otherwise every job in flight. */
  readonly blamed: boolean;

  constructor(reason: EngineEnd, blamed: boolean, message: string) {
    super(message);
    this.reason = reason;
    this.blamed = blamed;
  }
}
