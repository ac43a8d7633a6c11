/**
 * The queues of a pool by BullMQ: a lease of a few seconds that its holder renews, and what was leased to a helper
 * that died or sleeps is given to another one. One queue for each skill, so that nobody takes what it cannot do.
 * BullMQ's limits in time are not used: how much a helper takes is bounded by what its engine does at a time.
 */
import { DelayedError, Job, Queue, QueueEvents, UnrecoverableError, Worker } from 'bullmq';
import { faultOf } from '../../../contract/faults.ts';
import { LeaveJob } from '../help/take.ts';
import { PoolJob, PoolProgress, PoolResult, readMessage } from '../messages.ts';
import { answered, prefix, type PoolServer } from './server.ts';

export interface LeaseTimes {
  leaseMs: number;
  /** Between two looks for leases that ran out. */
  lookMs: number;
}
export const usualTimes: LeaseTimes = { leaseMs: 10_000, lookMs: 5000 };

/** How often a job may lose its helper before its submitter is told. */
const mostLosses = 5;

type JobState = 'waiting' | 'running' | 'ended' | 'gone';

/** What a submitter hears of its jobs. */
export interface JobListener {
  onProgress(jobId: string, progress: PoolProgress): void;
  onLost(jobId: string): void;
  onEnded(jobId: string): void;
}

/** `isFalse`: it gave back what is no result at all. */
export type JobEnd = { result: PoolResult } | { reason: string; isFalse: boolean };

export interface SubmitQueues {
  /** @param rank 1 is taken first, among all submitters */
  add(queue: string, jobId: string, job: PoolJob, rank: number): Promise<void>;
  state(queue: string, jobId: string): Promise<JobState>;
  /** Of an ended job; undefined for one that is not there. */
  endOf(queue: string, jobId: string): Promise<JobEnd | undefined>;
  /** Takes it out, unless a helper holds it: then its result will find nobody. */
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
    // BullMQ asks the server for its version once. A queue that had no answer fails for good: the next call opens
    // another one.
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
  /** From now on jobs of these queues are taken, and of no others. */
  serve(queues: readonly string[]): void;
  /** Of all queues together, about; 0: none is taken. */
  setSlots(slots: number): void;
  /** Gives back what is held, at once. */
  close(): Promise<void>;
}

export interface HeldJob {
  job: PoolJob;
  /** Fires when the lease was lost. */
  signal: AbortSignal;
  tell: (progress: PoolProgress) => void;
}

/** @param work gives the result, throws LeaveJob, or throws what is wrong with the job */
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
      throw new UnrecoverableError(`${faultOf(thrown)}.`);
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

/** With a server that does not answer, they would wait for it. */
const closingMs = 3000;

async function patiently(ends: readonly Promise<unknown>[]): Promise<void> {
  const enough = new Promise((resolve) => setTimeout(resolve, closingMs).unref());
  await Promise.race([Promise.allSettled(ends), enough]);
}
