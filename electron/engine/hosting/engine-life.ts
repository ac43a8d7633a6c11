/** One life of the engine process with all that depends on it: its jobs and its open questions. */
import { taskCancelled } from '../../contract/errors.ts';
import type {
  EngineCalls,
  FromEngine,
  Job,
  JobNews,
  JobProgress,
  JobReport,
  ToEngine,
} from '../protocol.ts';
import { createAsker, type Question } from '../rpc.ts';
import { anonymousBytes, type EngineProcess } from './engine-process.ts';
import type { Watched, WatchedJob } from './judge.ts';
import { OwnWords } from '../../contract/faults.ts';

export interface RunOptions {
  signal: AbortSignal;
  onProgress: (progress: JobProgress) => void;
}

/** Until its first word a job has this long: reading the head of a file. */
const firstWordMs = 30_000;

/** What is blamed for an end that is no job's own. */
const noJob = '';

export class EngineLife {
  readonly process: EngineProcess;
  readonly #nowMs: () => number;
  readonly #startedAtMs: number;
  readonly #jobs = new Set<WatchedJob>();
  readonly #asker = createAsker<EngineCalls>((question) => {
    this.#send({ question: question as Question<EngineCalls> });
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
    return Array.from(this.#jobs, ({ jobId }) => jobId);
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
      jobs: [...this.#jobs],
      answersDueMs: Array.from(this.#answersDueMs, ({ dueMs }) => dueMs),
      memoryBytes: this.process.pid === undefined ? undefined : anonymousBytes(this.process.pid),
    };
  }

  async run(job: Job, { signal, onProgress }: RunOptions): Promise<JobReport> {
    if (signal.aborted) throw taskCancelled();
    const { jobId } = job;
    const times = { heardAtMs: this.#nowMs(), nextWithinMs: Infinity, cancelledAtMs: undefined };
    const running: WatchedJob = { jobId, ...times };
    this.#jobs.add(running);
    this.#whenReady(() => {
      running.heardAtMs = this.#nowMs();
      running.nextWithinMs = firstWordMs;
    });
    const onNews = ({ progress, nextWithinMs }: JobNews) => {
      running.heardAtMs = this.#nowMs();
      running.nextWithinMs = nextWithinMs;
      if (running.cancelledAtMs === undefined) onProgress(progress);
    };
    const onAbort = () => {
      running.cancelledAtMs = this.#nowMs();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await this.#asker.ask('run', job, { onNews, signal });
    } catch (error) {
      const isCancelled = running.cancelledAtMs !== undefined;
      throw error instanceof EngineDied && isCancelled ? taskCancelled() : error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#jobs.delete(running);
      this.#workedAtMs = this.#nowMs();
    }
  }

  /** The limit counts from when the question is sent. Rejects with EnlargerError, or EngineDied. */
  async ask<Kind extends Exclude<keyof EngineCalls, 'run'>>(
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
    this.#asker.end(({ kind, asked }) => {
      const blamed = blames(kind === 'run' ? (asked as Job).jobId : noJob);
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

  #hear(message: FromEngine): void {
    this.#heardAtMs = this.#nowMs();
    if (message.kind === 'alive' || message.kind === 'speeds') return;
    if (message.kind === 'ready') {
      const waiting = this.#outbox ?? [];
      this.#outbox = undefined;
      for (const act of waiting) act();
    } else {
      this.#asker.hear(message.said);
    }
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
