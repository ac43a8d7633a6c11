/** One life of the engine process, with its jobs and its open questions. */
import { taskCancelled } from '../../contract/errors.ts';
import type {
  EngineCalls,
  FromEngine,
  Job,
  JobNews,
  JobProgress,
  JobReport,
  ToEngine,
} from '../protocol/messages.ts';
import { onAbort } from '../cancellation/on-abort.ts';
import { createAsker, type Question } from '../protocol/rpc.ts';
import { anonymousBytes, type EngineProcess } from './engine-process.ts';
import type { Watched, WatchedJob } from './judge.ts';
import { OwnWords } from '../../contract/faults.ts';

export interface RunOptions {
  signal: AbortSignal;
  onProgress: (progress: JobProgress) => void;
}

/** A job may be silent for this long at first, while it reads the head of its file. */
const firstWordMs = 30_000;

/** The job id that stands for questions other than jobs when blame is asked for. */
const noJob = '';

export class EngineLife {
  readonly process: EngineProcess;
  readonly #nowMs: () => number;
  readonly #startedAtMs: number;
  readonly #jobs = new Set<WatchedJob>();
  readonly #asker = createAsker<EngineCalls>((question) => {
    this.#send({ question: question as Question<EngineCalls> });
  });
  /** The time by which each open question must be answered. */
  readonly #answersDueMs = new Set<{ dueMs: number }>();
  /** The calls that wait until the process is ready; undefined from then on. */
  #outbox: (() => void)[] | undefined = [];
  #heardAtMs: number;
  #workedAtMs: number | undefined;

  /** @param start starts the process, whose messages go to `hear` */
  constructor(start: (hear: (message: FromEngine) => void) => EngineProcess, nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#startedAtMs = this.#heardAtMs = nowMs();
    this.process = start((message) => this.#hear(message));
  }

  get jobIds(): string[] {
    return Array.from(this.#jobs, ({ jobId }) => jobId);
  }

  /** The time at which a job or another piece of work last ended; undefined while none did. */
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
    const forget = onAbort(signal, () => (running.cancelledAtMs = this.#nowMs()));
    try {
      return await this.#asker.ask('run', job, { onNews, signal });
    } catch (error) {
      const isCancelled = running.cancelledAtMs !== undefined;
      throw error instanceof EngineDied && isCancelled ? taskCancelled() : error;
    } finally {
      forget();
      this.#jobs.delete(running);
      this.#workedAtMs = this.#nowMs();
    }
  }

  /** Asks a question, whose limit counts from its sending. It rejects with EnlargerError or EngineDied. */
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
      // A question about devices does not count as work.
      if (kind !== 'devices') this.#workedAtMs = this.#nowMs();
    }
  }

  /** Kills the process if it still runs, and rejects its jobs and open questions. */
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

/** The error of a job or question under which the engine process ended. */
export class EngineDied extends OwnWords {
  override readonly name = 'EngineDied';
  /** `start` means that the process ended before it could take a job. */
  readonly reason: EngineEnd;
  /** It tells whether the job may be the cause: on a hang only the one that hung is, otherwise all in flight. */
  readonly blamed: boolean;

  constructor(reason: EngineEnd, blamed: boolean, message: string) {
    super(message);
    this.reason = reason;
    this.blamed = blamed;
  }
}
