/** One life of the engine process with all that depends on it: its jobs and its open questions. */
import { randomUUID } from 'node:crypto';
import { EnlargerError, taskCancelled } from '../../contract/errors.ts';
import type { FromEngine, Job, JobProgress, JobReport, ToEngine } from '../protocol.ts';
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

interface Question {
  dueMs: number;
  resolve: (answer: FromEngine) => void;
  reject: (error: Error) => void;
}

/** Until its first word a job has this long: reading the head of a file. */
const firstWordMs = 30_000;

/** Being asked for its devices is no work. */
const endsWork: readonly FromEngine['kind'][] = ['done', 'failed', 'measured', 'worked', 'refused'];

export class EngineLife {
  readonly process: EngineProcess;
  readonly #nowMs: () => number;
  readonly #startedAtMs: number;
  readonly #jobs = new Map<string, RunningJob>();
  readonly #questions = new Map<string, Question>();
  /** What is sent once the process is ready; undefined from then on. */
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
      answersDueMs: [...this.#questions.values()].map((question) => question.dueMs),
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
    this.#send({ kind: 'run', job }, () => {
      running.heardAtMs = this.#nowMs();
      running.nextWithinMs = firstWordMs;
    });
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

  /** Sends the message that `withId` makes and waits for the answer of that id. */
  ask(withId: (requestId: string) => ToEngine, limitMs: number): Promise<FromEngine> {
    const requestId = randomUUID();
    return new Promise((resolve, reject) => {
      const question = { dueMs: Infinity, resolve, reject };
      this.#questions.set(requestId, question);
      this.#send(withId(requestId), () => {
        question.dueMs = this.#nowMs() + limitMs;
      });
    });
  }

  /** Kills the process if it still runs and rejects all that depended on it. */
  end(reason: EngineDied['reason'], message: string, blames: (jobId: string) => boolean): void {
    this.process.kill();
    for (const running of this.#jobs.values()) {
      const died = () => new EngineDied(reason, blames(running.jobId), message);
      running.reject(running.cancelledAtMs === undefined ? died() : taskCancelled());
    }
    for (const [requestId, question] of this.#questions) {
      question.reject(new EngineDied(reason, blames(requestId), message));
    }
    this.#jobs.clear();
    this.#questions.clear();
  }

  #send(message: ToEngine, onSent?: () => void): void {
    const send = () => {
      onSent?.();
      this.process.send(message);
    };
    if (this.#outbox) this.#outbox.push(send);
    else send();
  }

  #hear(message: FromEngine): void {
    this.#heardAtMs = this.#nowMs();
    if (message.kind === 'alive') return;
    if (endsWork.includes(message.kind)) this.#workedAtMs = this.#nowMs();
    if (message.kind === 'ready') {
      const waiting = this.#outbox ?? [];
      this.#outbox = undefined;
      for (const send of waiting) send();
    } else if ('jobId' in message) {
      this.#hearOfJob(message);
    } else {
      this.#questions.get(message.requestId)?.resolve(message);
      this.#questions.delete(message.requestId);
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
    if (message.kind === 'done') running.resolve(message.report);
    else running.reject(new EnlargerError(message.failure.code, message.failure.message));
  }
}

export type EngineEnd = 'exit' | 'hang' | 'memory' | 'start';

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
