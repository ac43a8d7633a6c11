/**
 * Queues of a pool, on BullMQ. A job is leased for some seconds and its holder renews the lease; if the
 * helper dies or sleeps, the job is leased to another. Each capability has its own queue, so that no helper
 * takes a job it cannot run. BullMQ's rate limits are unused, since slots limit the helpers.
 */
import { DelayedError, type Job, Queue, QueueEvents, UnrecoverableError, Worker } from 'bullmq';
import { reasonOf } from '../../../contract/src/error-messages.ts';
import { DeclinedJob } from '../take.ts';
import { PoolJob, PoolProgress, PoolResult, readJson, readMessage } from '../messages.ts';
import { withSentence, prefix, type PoolServer } from './server.ts';

export interface LeaseTimes {
  leaseMs: number;
  /** Interval of the check for expired leases. */
  checkMs: number;
}
export const defaultTimes: LeaseTimes = { leaseMs: 10_000, checkMs: 5000 };

/** Lost leases after which a job fails. */
const maxLosses = 5;

type JobState = 'waiting' | 'running' | 'ended' | 'gone';

/** Events of a submitter's jobs. */
export interface JobListener {
  onProgress(jobId: string, progress: PoolProgress): void;
  onLost(jobId: string): void;
  onEnded(jobId: string): void;
}

/** `isFalse`: what the helper returned is not a result at all. */
export type JobEnd = { result: PoolResult } | { reason: string; isFalse: boolean };

/** Enough for a report with 50 notes. What a helper gave back is not read beyond it. */
export const maxResultBytes = 256 * 1024;

/** Reads the field that a job's end has, or its length alone if that is too large, on the server. */
const readEnd = `
  if redis.call('EXISTS', KEYS[1]) == 0 then return {} end
  for _, field in ipairs({'failedReason', 'returnvalue'}) do
    local length = redis.call('HSTRLEN', KEYS[1], field)
    if length > tonumber(ARGV[1]) then return {'large', field} end
    if length > 0 then return {field, redis.call('HGET', KEYS[1], field)} end
  end
  return {'empty', ''}`;

export interface SubmitQueues {
  /** @param rank 1 is taken first, among all submitters */
  add(queue: string, jobId: string, job: PoolJob, rank: number): Promise<void>;
  state(queue: string, jobId: string): Promise<JobState>;
  /** End of a job; undefined if there is no such job. */
  endOf(queue: string, jobId: string): Promise<JobEnd | undefined>;
  /** Removes a job unless a helper holds it; nobody awaits its result then. */
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
    // BullMQ queries the server's version once, and a queue without a response fails for good; the next call
    // opens another one.
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
      await withSentence(added);
    },
    async state(name, jobId) {
      const state = await open(name).getJobState(jobId);
      if (state === 'completed' || state === 'failed') return 'ended';
      if (state === 'unknown') return 'gone';
      return state === 'active' ? 'running' : 'waiting';
    },
    async endOf(name, jobId) {
      const key = open(name).toKey(jobId);
      const found = await withSentence(server.quick.eval(readEnd, 1, key, maxResultBytes));
      const [field, text = ''] = Array.isArray(found) ? found.map(String) : [];
      if (field === undefined) return undefined;
      if (field === 'failedReason') return { reason: text, isFalse: false };
      const result = field === 'returnvalue' ? readJson(PoolResult, text) : undefined;
      return result ? { result } : { reason: 'what it gave back is not a result.', isFalse: true };
    },
    async remove(name, jobId) {
      await open(name).remove(jobId);
    },
    async close() {
      await withinLimit([...queues.values(), ...heard.values()].map((one) => one.close()));
    },
  };
}

export interface HelpQueues {
  /** Takes jobs of these queues only, from now on. */
  serve(queues: readonly string[]): void;
  /** Approximate number of jobs held at the same time over all queues; 0 takes none. */
  setSlots(slots: number): void;
  /** Returns all held jobs to their queues at once. */
  close(): Promise<void>;
}

export interface LeasedJob {
  job: PoolJob;
  /** Fires when the lease is lost. */
  signal: AbortSignal;
  report: (progress: PoolProgress) => void;
}

/** @param work returns the result, throws LeaveJob, or throws why the job failed */
export function createHelpQueues(
  server: PoolServer,
  times: LeaseTimes,
  work: (held: LeasedJob) => Promise<PoolResult>,
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
      stalledInterval: times.checkMs,
      maxStalledCount: maxLosses,
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
        report: (progress) => void held.updateProgress(progress).catch(() => undefined),
      });
    } catch (thrown) {
      if (thrown instanceof DeclinedJob || worker.closing) {
        const forMs = thrown instanceof DeclinedJob ? thrown.forMs : 0;
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
      await withinLimit(ends);
    },
  };
}

function run(worker: Worker): void {
  if (worker.isPaused()) void worker.resume();
  if (!worker.isRunning()) void worker.run().catch(() => undefined);
}

/** Limit of closing, which would wait forever for a server that does not respond. */
const closingMs = 3000;

async function withinLimit(ends: readonly Promise<unknown>[]): Promise<void> {
  const enough = new Promise((resolve) => setTimeout(resolve, closingMs).unref());
  await Promise.race([Promise.allSettled(ends), enough]);
}
