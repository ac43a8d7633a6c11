/**
 * The queues of a pool, kept by BullMQ. A job is leased for a few seconds and its holder renews the lease; a
 * job whose helper died or sleeps is leased to another one. Each skill has a queue of its own, so that no
 * helper takes a job that it cannot run. BullMQ's rate limits are not used, because a helper's slots already
 * bound how much it takes.
 */
import { DelayedError, Job, Queue, QueueEvents, UnrecoverableError, Worker } from 'bullmq';
import { reasonOf } from '../../../../electron/contract/error-messages.ts';
import { LeaveJob } from '../take.ts';
import { PoolJob, PoolProgress, PoolResult, readMessage } from '../messages.ts';
import { answered, prefix, type PoolServer } from './server.ts';

export interface LeaseTimes {
  leaseMs: number;
  /** The time between two looks for leases that ran out. */
  lookMs: number;
}
export const usualTimes: LeaseTimes = { leaseMs: 10_000, lookMs: 5000 };

/** A job may lose its helper so often before it fails and its submitter is told. */
const mostLosses = 5;

type JobState = 'waiting' | 'running' | 'ended' | 'gone';

/** A submitter hears of its jobs by these calls. */
export interface JobListener {
  onProgress(jobId: string, progress: PoolProgress): void;
  onLost(jobId: string): void;
  onEnded(jobId: string): void;
}

/** `isFalse` says that the helper gave back something that is no result at all. */
export type JobEnd = { result: PoolResult } | { reason: string; isFalse: boolean };

export interface SubmitQueues {
  /** @param rank jobs of rank 1 are taken first, among all submitters */
  add(queue: string, jobId: string, job: PoolJob, rank: number): Promise<void>;
  state(queue: string, jobId: string): Promise<JobState>;
  /** Reads how an ended job ended; undefined for a job that is not there. */
  endOf(queue: string, jobId: string): Promise<JobEnd | undefined>;
  /** Takes a job out, unless a helper holds it: then nobody waits for its result. */
  remove(queue: string, jobId: string): Promise<void>;
  close(): Promise<void>;
}

export function createSubmitQueues(server: PoolServer, listener: JobListener): SubmitQueues {
  const queues = new Map<string, Queue>();
  const heard = new Map<string, QueueEvents>();
  const listen = (name: string) => {
    if (heard.has(name)) return;
    const events = new QueueEvents(name, { connection: server.patient(), prefix });
    heard.set(name, events);
    events.on('error', () => undefined);
    events.on('progress', ({ jobId, data }) => {
      const progress = readMessage(PoolProgress, data);
      if (progress) listener.onProgress(jobId, progress);
    });
    events.on('stalled', ({ jobId }) => listener.onLost(jobId));
    events.on('completed', ({ jobId }) => listener.onEnded(jobId));
    events.on('failed', ({ jobId }) => listener.onEnded(jobId));
  };
  const open = (name: string) => {
    listen(name);
    const known = queues.get(name);
    if (known) return known;
    const queue = new Queue(name, { connection: server.quick, prefix, skipWaitingForReady: true });
    queue.on('error', () => undefined);
    queues.set(name, queue);
    // BullMQ asks the server for its version once. A queue that got no answer fails for good, so the next
    // call opens another one.
    queue.waitUntilReady().catch(() => {
      if (queues.get(name) === queue) queues.delete(name);
      void queue.close().catch(() => undefined);
    });
    return queue;
  };
  return {
    async add(name, jobId, job, rank) {
      const added = open(name).add('picture', job, {
        jobId,
        priority: rank,
        attempts: 1,
        removeOnComplete: { age: 3600, count: 10_000 },
        removeOnFail: { age: 3600, count: 10_000 },
      });
      await answered(added);
    },
    async state(name, jobId) {
      const state = await open(name).getJobState(jobId);
      if (state === 'completed' || state === 'failed') return 'ended';
      if (state === 'unknown') return 'gone';
      return state === 'active' ? 'running' : 'waiting';
    },
    async endOf(name, jobId) {
      const job = await Job.fromId(open(name), jobId);
      if (!job) return undefined;
      if (job.failedReason) return { reason: job.failedReason, isFalse: false };
      const result = readMessage(PoolResult, job.returnvalue);
      return result ? { result } : { reason: 'what it gave back is not a result.', isFalse: true };
    },
    async remove(name, jobId) {
      await open(name).remove(jobId);
    },
    async close() {
      await patiently([...queues.values(), ...heard.values()].map((one) => one.close()));
    },
  };
}

export interface HelpQueues {
  /** Takes jobs of these queues from now on, and of no others. */
  serve(queues: readonly string[]): void;
  /** Sets about how many jobs of all queues together are held at a time; with 0 none is taken. */
  setSlots(slots: number): void;
  /** Gives all held jobs back at once. */
  close(): Promise<void>;
}

export interface HeldJob {
  job: PoolJob;
  /** The signal fires when the lease was lost. */
  signal: AbortSignal;
  tell: (progress: PoolProgress) => void;
}

/** @param work returns the result, throws LeaveJob, or throws the reason why the job failed */
export function createHelpQueues(
  server: PoolServer,
  times: LeaseTimes,
  work: (held: HeldJob) => Promise<PoolResult>,
): HelpQueues {
  const workers = new Map<string, Worker>();
  let slots = 0;
  const start = (name: string) => {
    const worker: Worker = new Worker(name, (job, token) => hold(job, token, worker), {
      connection: server.patient(),
      prefix,
      autorun: false,
      concurrency: Math.max(1, slots),
      lockDuration: times.leaseMs,
      stalledInterval: times.lookMs,
      maxStalledCount: mostLosses,
      drainDelay: 2,
      runRetryDelay: 1000,
    });
    worker.on('error', () => undefined);
    worker.on('lockRenewalFailed', (jobIds) => {
      for (const jobId of jobIds) lost.get(jobId)?.abort();
    });
    workers.set(name, worker);
    if (slots > 0) run(worker);
  };
  const lost = new Map<string, AbortController>();
  const hold = async (held: Job, token: string | undefined, worker: Worker) => {
    const job = readMessage(PoolJob, held.data);
    if (!job) throw new UnrecoverableError('The job is not one that this version knows.');
    const jobId = held.id ?? '';
    const controller = new AbortController();
    lost.set(jobId, controller);
    try {
      return await work({
        job,
        signal: controller.signal,
        tell: (progress) => void held.updateProgress(progress).catch(() => undefined),
      });
    } catch (thrown) {
      if (thrown instanceof LeaveJob || worker.closing) {
        const forMs = thrown instanceof LeaveJob ? thrown.forMs : 0;
        await held.moveToDelayed(Date.now() + forMs, token);
        throw new DelayedError();
      }
      throw new UnrecoverableError(`${reasonOf(thrown)}.`);
    } finally {
      lost.delete(jobId);
    }
  };
  return {
    serve(queues) {
      for (const [name, worker] of workers)
        if (!queues.includes(name)) {
          workers.delete(name);
          void worker.close().catch(() => undefined);
        }
      for (const name of queues) if (!workers.has(name)) start(name);
    },
    setSlots(wanted) {
      if (wanted === slots) return;
      slots = wanted;
      for (const worker of workers.values()) {
        if (slots === 0) void worker.pause(true).catch(() => undefined);
        else {
          worker.concurrency = slots;
          run(worker);
        }
      }
    },
    async close() {
      const ends = [...workers.values()].map((worker) => worker.close());
      for (const controller of lost.values()) controller.abort();
      await patiently(ends);
    },
  };
}

function run(worker: Worker): void {
  if (worker.isPaused()) void worker.resume();
  if (!worker.isRunning()) void worker.run().catch(() => undefined);
}

/** Closing waits no longer than this, because it would wait for ever for a server that does not answer. */
const closingMs = 3000;

async function patiently(ends: readonly Promise<unknown>[]): Promise<void> {
  const enough = new Promise((resolve) => setTimeout(resolve, closingMs).unref());
  await Promise.race([Promise.allSettled(ends), enough]);
}
