/**
 * The service's side of the engine: starts it when it is first needed, sends jobs, hears of them,
 * watches them, and kills and restarts what hangs or takes too much memory. No engine outlives it.
 */
import { randomUUID } from 'node:crypto';
import { totalmem } from 'node:os';
import { EnlargerError } from '../contract/errors.ts';
import type { Log } from '../contract/log.ts';
import { createAwakeClock } from './awake-clock.ts';
import { EngineDied } from './engine-died.ts';
import { anonymousBytes, startEngineProcess, type EngineProcess } from './engine-process.ts';
import type {
  DeviceReport,
  FromEngine,
  Job,
  JobProgress,
  JobReport,
  Limits,
  SourceInspection,
} from './protocol.ts';

export { EngineDied } from './engine-died.ts';

export interface EngineHostOptions {
  /** A plain Node binary. */
  nodePath: string;
  enginePath: string;
  /** Where the engine keeps what it measured of devices. */
  cacheDir: string;
  log: Log;
  /** The process must say that it is ready within this time. */
  startLimitMs?: number;
  /** Its main thread must say something at least this often. */
  aliveLimitMs?: number;
  /** A cancelled job that has not stopped by then is stopped with the process. */
  cancelLimitMs?: number;
  inspectLimitMs?: number;
  /** Memory of the process's own, without mapped files. */
  memoryLimitBytes?: number;
}

export interface RunOptions {
  signal: AbortSignal;
  onProgress(progress: JobProgress): void;
}

export interface EngineHost {
  /**
   * Rejects with EnlargerError (the job's failure; CANCELLED when the signal fired) or EngineDied.
   * Up to two jobs at a time are meaningful: one decodes or encodes while the other is in the network.
   */
  run(job: Job, options: RunOptions): Promise<JobReport>;
  /** Rejects with EnlargerError (UNREADABLE_IMAGE, IMAGE_TOO_LARGE) or EngineDied. */
  inspect(path: string, limits: Limits): Promise<SourceInspection>;
  /** What is known of devices and speeds. Starts no check; the last answer when the engine is slow to say. */
  devices(): Promise<DeviceReport>;
  /** Starts the process ahead of the first job. */
  warmUp(): void;
  /** Ends the engine. What runs then rejects with EngineDied, not blamed. */
  close(): Promise<void>;
  /** The running engine's process id, for the log and for tests. */
  readonly pid: number | undefined;
}

interface RunningJob {
  job: Job;
  options: RunOptions;
  /** Awake time at which it last said something, and how long it may be silent from there. */
  heardAtMs: number;
  nextWithinMs: number;
  cancelledAtMs: number | undefined;
  resolve: (report: JobReport) => void;
  reject: (error: Error) => void;
}

interface Request {
  untilMs: number;
  resolve: (message: FromEngine) => void;
  reject: (error: Error) => void;
}

/** One life of the process with all that depends on it. */
interface Life {
  process: EngineProcess;
  startedAtMs: number;
  heardAtMs: number;
  ready: boolean;
  /** Waits for ready. */
  outbox: (() => void)[];
  jobs: Map<string, RunningJob>;
  requests: Map<string, Request>;
}

const tickMs = 250;
const devicesLimitMs = 3000;
/** Until its first word a job has this long: reading the head of a file. */
const firstWordMs = 30_000;

export function createEngineHost(options: EngineHostOptions): EngineHost {
  const limits = {
    startMs: options.startLimitMs ?? 60_000,
    aliveMs: options.aliveLimitMs ?? 20_000,
    cancelMs: options.cancelLimitMs ?? 10_000,
    inspectMs: options.inspectLimitMs ?? 30_000,
    memoryBytes: options.memoryLimitBytes ?? 0.75 * totalmem(),
  };
  const clock = createAwakeClock(tickMs);
  let life: Life | undefined;
  let closed = false;
  let lastReport: DeviceReport = { devices: [], speeds: [] };
  const timer = setInterval(watch, tickMs);
  timer.unref();

  function living(): Life {
    if (closed) throw new EngineDied('exit', false, 'The engine was closed.');
    if (life) return life;
    const now = clock.nowMs();
    const born: Life = {
      process: startEngineProcess({
        ...options,
        onMessage: (message) => hear(born, message),
        onEnd: (how) => die(born, 'exit', `The engine ended (${how}).`, () => true),
      }),
      startedAtMs: now,
      heardAtMs: now,
      ready: false,
      outbox: [],
      jobs: new Map(),
      requests: new Map(),
    };
    life = born;
    return born;
  }

  function whenReady(of: Life, send: () => void): void {
    if (of.ready) send();
    else of.outbox.push(send);
  }

  function hear(from: Life, message: FromEngine): void {
    from.heardAtMs = clock.nowMs();
    if (message.kind === 'ready') {
      from.ready = true;
      for (const send of from.outbox.splice(0)) send();
    } else if (message.kind === 'alive') {
      return;
    } else if ('jobId' in message) {
      hearOfJob(from, message);
    } else {
      from.requests.get(message.requestId)?.resolve(message);
      from.requests.delete(message.requestId);
    }
  }

  function hearOfJob(from: Life, message: Extract<FromEngine, { jobId: string }>): void {
    const running = from.jobs.get(message.jobId);
    if (!running) return;
    if (message.kind === 'progress') {
      running.heardAtMs = clock.nowMs();
      running.nextWithinMs = message.nextWithinMs;
      if (running.cancelledAtMs === undefined) running.options.onProgress(message.progress);
      return;
    }
    from.jobs.delete(message.jobId);
    if (message.kind === 'done') running.resolve(message.report);
    else running.reject(new EnlargerError(message.failure.code, message.failure.message));
  }

  /** Ends a life: kills the process if it still runs and rejects all that depended on it. */
  function die(
    of: Life,
    reason: EngineDied['reason'],
    message: string,
    isBlamed: (job: RunningJob) => boolean,
  ): void {
    if (life !== of) return;
    life = undefined;
    of.process.kill();
    const fields = { pid: of.process.pid, jobs: [...of.jobs.keys()], reason };
    if (!closed) options.log('warn', message, fields);
    for (const running of of.jobs.values()) {
      const cancelled = running.cancelledAtMs !== undefined && !closed;
      running.reject(
        cancelled
          ? new EnlargerError('CANCELLED', 'The task was cancelled.')
          : new EngineDied(reason, !closed && isBlamed(running), message),
      );
    }
    for (const request of of.requests.values()) {
      request.reject(new EngineDied(reason, !closed, message));
    }
  }

  function watch(): void {
    clock.tick();
    if (!life) return;
    const now = clock.nowMs();
    const of = life;
    if (!of.ready && now - of.startedAtMs > limits.startMs) {
      die(of, 'hang', 'The engine did not start in time.', () => true);
    } else if (of.ready && now - of.heardAtMs > limits.aliveMs) {
      die(of, 'hang', 'The engine stopped answering.', () => true);
    } else {
      watchJobs(of, now);
    }
    if (life) watchMemory(life);
  }

  function watchJobs(of: Life, now: number): void {
    const jobs = [...of.jobs.values()];
    const hung = jobs.find((running) => now - running.heardAtMs > running.nextWithinMs);
    const stuck = jobs.find((running) => now - (running.cancelledAtMs ?? now) > limits.cancelMs);
    const late = [...of.requests.values()].some((request) => now > request.untilMs);
    if (hung) {
      die(of, 'hang', 'A picture hung in the engine.', (running) => running === hung);
    } else if (stuck) {
      die(of, 'hang', 'A cancelled picture did not stop.', () => false);
    } else if (late) {
      die(of, 'hang', "A picture's head could not be read in time.", () => false);
    }
  }

  function watchMemory(of: Life): void {
    if (of.process.pid === undefined) return;
    const bytes = anonymousBytes(of.process.pid);
    if (bytes === undefined || bytes <= limits.memoryBytes) return;
    const mib = (count: number) => Math.round(count / 1024 ** 2);
    const message = `The engine took ${mib(bytes)} MB of memory; ${mib(limits.memoryBytes)} are allowed.`;
    die(of, 'memory', message, () => true);
  }

  function ask(
    of: Life,
    limitMs: number,
    send: (requestId: string) => void,
  ): Promise<FromEngine> {
    const requestId = randomUUID();
    return new Promise((resolve, reject) => {
      const startMs = of.ready ? 0 : limits.startMs;
      const untilMs = clock.nowMs() + startMs + limitMs;
      of.requests.set(requestId, { untilMs, resolve, reject });
      whenReady(of, () => send(requestId));
    });
  }

  async function run(job: Job, runOptions: RunOptions): Promise<JobReport> {
    const { signal } = runOptions;
    if (signal.aborted) throw new EnlargerError('CANCELLED', 'The task was cancelled.');
    const of = living();
    const { promise, resolve, reject } = Promise.withResolvers<JobReport>();
    const running: RunningJob = {
      job,
      options: runOptions,
      heardAtMs: clock.nowMs(),
      nextWithinMs: Infinity,
      cancelledAtMs: undefined,
      resolve,
      reject,
    };
    const cancel = () => {
      running.cancelledAtMs = clock.nowMs();
      whenReady(of, () => of.process.send({ kind: 'cancel', jobId: job.jobId }));
    };
    of.jobs.set(job.jobId, running);
    whenReady(of, () => {
      running.heardAtMs = clock.nowMs();
      running.nextWithinMs = firstWordMs;
      of.process.send({ kind: 'run', job });
    });
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  return {
    run,
    async inspect(path, wanted) {
      const of = living();
      const answer = await ask(of, limits.inspectMs, (requestId) =>
        of.process.send({ kind: 'inspect', requestId, path, limits: wanted }),
      );
      if (answer.kind === 'inspected') return answer.result;
      if (answer.kind === 'refused') {
        throw new EnlargerError(answer.failure.code, answer.failure.message);
      }
      throw new Error(`The engine answered ${answer.kind} to inspect`);
    },
    async devices() {
      const of = living();
      const asked = ask(of, limits.inspectMs, (requestId) =>
        of.process.send({ kind: 'devices', requestId }),
      ).then(
        (answer) => {
          if (answer.kind === 'devices') lastReport = answer.report;
        },
        () => undefined,
      );
      await Promise.race([asked, new Promise((done) => setTimeout(done, devicesLimitMs).unref())]);
      return lastReport;
    },
    warmUp() {
      if (!closed) living();
    },
    async close() {
      closed = true;
      clearInterval(timer);
      const of = life;
      if (!of) return;
      die(of, 'exit', 'The service is closing.', () => false);
      await of.process.ended;
    },
    get pid() {
      return life?.process.pid;
    },
  };
}
