/** One life of the engine process with all that depends on it: its jobs and its open questions. */
import { EnlargerError, taskCancelled } from '../../contract/errors.ts';
import type {
  EngineCalls,
  FromEngine,
  Job,
  JobProgress,
  JobReport,
  ToEngine,
} from '../protocol.ts';
import { createAsker, type Asked } from '../rpc.ts';
import { anonymousBytes, type EngineProcess } from './engine-process.ts';
import type { Watched, WatchedJob } from './judge.ts';
import { OwnWords } from '../../contract/faults.ts';

export interface RunOptions {
  signal: AbortSignal;
  onProgress: (progress: JobProgress) => void;
}

interface RunningJob extends WatchedJob {
  onProgress: (progress: JobProgress) => void;
  resolve: (report: JobReport) => void;
  reject: (error: Error) => void;
}

/** Until its first word a job has this long: reading the head of a file. */
const firstWordMs = 30_000;

/** What is blamed for an end that is no job's own. */
const noJob = '';

export class EngineLife {
  readonly process: EngineProcess;
  readonly #nowMs: () => number;
  readonly #startedAtMs: number;
  readonly #jobs = new Map<string, RunningJob>();
  readonly #asker = createAsker<EngineCalls>((question) => {
    this.#send({ kind: 'ask', question: question as Asked<EngineCalls> });
  });
  /** When each open question should have been answered. */
  readonly #answersDueMs = new Set<{ dueMs: number }>();
  /** What is done once the process is ready; undefined from then on. */
  #outbox: (() => void)[] | undefined = [];
  #heardAtMs: number;
  #workedAtMs: number | undefined;

  /** `start` starts the process, which tells `hear` what it says. */
  constructor(start: (hear: (message: FromEngine) => void) => EngineProcess, nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#startedAtMs = this.#heardAtMs = nowMs();
    this.process = start((message) => this.#hear(message));
  }

  get jobIds(): string[] {
    return [...this.#jobs.keys()];
  }

  /** When a job or another piece of work last ended; undefined: none did. */
  get workedAtMs(): number | undefined {
    return this.#workedAtMs;
  }

  watched(): Watched {
    return {
      ready: this.#outbox === undefined,
      startedAtMs: this.#startedAtMs,
      heardAtMs: this.#heardAtMs,
      jobs: [...this.#jobs.values()],
      answersDueMs: Array.from(this.#answersDueMs, ({ dueMs }) => dueMs),
      memoryBytes: this.process.pid === undefined ? undefined : anonymousBytes(this.process.pid),
    };
  }

  async run(job: Job, { signal, onProgress }: RunOptions): Promise<JobReport> {
    if (signal.aborted) throw taskCancelled();
    const { jobId } = job;
    const { promise, resolve, reject } = Promise.withResolvers<JobReport>();
    const times = { heardAtMs: this.#nowMs(), nextWithinMs: Infinity, cancelledAtMs: undefined };
    const running: RunningJob = { jobId, ...times, onProgress, resolve, reject };
    this.#jobs.set(jobId, running);
    this.#whenReady(() => {
      running.heardAtMs = this.#nowMs();
      running.nextWithinMs = firstWordMs;
    });
    this.#send({ kind: 'run', job });
    const cancel = () => {
      running.cancelledAtMs = this.#nowMs();
      this.#send({ kind: 'cancel', jobId });
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** The limit counts from when the question is sent. Rejects with EnlargerError, or EngineDied. */
  async ask<Kind extends keyof EngineCalls>(
    kind: Kind,
    asked: EngineCalls[Kind]['asked'],
    limitMs: number,
  ): Promise<EngineCalls[Kind]['answer']> {
    const due = { dueMs: Infinity };
    this.#answersDueMs.add(due);
    this.#whenReady(() => {
      due.dueMs = this.#nowMs() + limitMs;
    });
    try {
      return await this.#asker.ask(kind, asked);
    } finally {
      this.#answersDueMs.delete(due);
      // Being asked for its devices is no work.
      if (kind !== 'devices') this.#workedAtMs = this.#nowMs();
    }
  }

  /** Kills the process if it still runs and rejects all that depended on it. */
  end(reason: EngineDied['reason'], message: string, blames: (jobId: string) => boolean): void {
    this.process.kill();
    for (const running of this.#jobs.values()) {
      const died = () => new EngineDied(reason, blames(running.jobId), message);
      running.reject(running.cancelledAtMs === undefined ? died() : taskCancelled());
    }
    this.#jobs.clear();
    this.#asker.end(new EngineDied(reason, blames(noJob), message));
  }

  #send(message: ToEngine): void {
    this.#whenReady(() => this.process.send(message));
  }

  #whenReady(act: () => void): void {
    if (this.#outbox) this.#outbox.push(act);
    else act();
  }

  #hear(message: FromEngine): void {
    this.#heardAtMs = this.#nowMs();
    if (message.kind === 'alive' || message.kind === 'speeds') return;
    if (message.kind === 'ready') {
      const waiting = this.#outbox ?? [];
      this.#outbox = undefined;
      for (const act of waiting) act();
    } else if (message.kind === 'said') {
      this.#asker.hear(message.said);
    } else {
      this.#hearOfJob(message);
    }
  }

  #hearOfJob(message: Extract<FromEngine, { jobId: string }>): void {
    const running = this.#jobs.get(message.jobId);
    if (!running) return;
    if (message.kind === 'progress') {
      running.heardAtMs = this.#nowMs();
      running.nextWithinMs = message.nextWithinMs;
      if (running.cancelledAtMs === undefined) running.onProgress(message.progress);
      return;
    }
    this.#jobs.delete(message.jobId);
    this.#workedAtMs = this.#nowMs();
    if (message.kind === 'done') running.resolve(message.report);
    else running.reject(new EnlargerError(message.failure.code, message.failure.message));
  }
}

type EngineEnd = 'exit' | 'hang' | 'memory' | 'start';

/** The engine process ended under a job. */
export class EngineDied extends OwnWords {
  override readonly name = 'EngineDied';
  /** `start`: it never came so far as to take a job. */
  readonly reason: EngineEnd;
  /** Whether the job may be why: on a hang only the one that hung, else all that were in flight. */
  readonly blamed: boolean;

  constructor(reason: EngineEnd, blamed: boolean, message: string) {
    super(message);
    this.reason = reason;
    this.blamed = blamed;
  }
}
