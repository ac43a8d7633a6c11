/**
 * Judges whether an engine must be killed, which job is to blame, and whether an idle engine is to be
 * replaced. This is pure; all times are the awake time of the host.
 */
export interface WatchLimits {
  /** The process must say that it is ready within this time. */
  startMs: number;
  /** Its main thread must say something at least this often. */
  aliveMs: number;
  /** A cancelled job that has not stopped within this time is ended with the process. */
  cancelMs: number;
  /** The process may hold this much memory of its own, without mapped files. */
  memoryBytes: number;
}

export interface WatchedJob {
  jobId: string;
  /** The time at which the job last said something, and how long it may be silent from then on. */
  heardAtMs: number;
  nextWithinMs: number;
  cancelledAtMs: number | undefined;
}

export interface Watched {
  ready: boolean;
  startedAtMs: number;
  heardAtMs: number;
  jobs: WatchedJob[];
  /** The time by which each open question must be answered. */
  answersDueMs: number[];
  /** The memory of the process's own; undefined where the system does not tell it. */
  memoryBytes: number | undefined;
}

interface Verdict {
  reason: 'hang' | 'memory';
  message: string;
  blames: (jobId: string) => boolean;
}

const all = () => true;
const none = () => false;
const mib = (bytes: number) => Math.round(bytes / 1024 ** 2);

export function judge(engine: Watched, nowMs: number, limits: WatchLimits): Verdict | undefined {
  const hang = (message: string, blames: Verdict['blames']) =>
    ({ reason: 'hang', message, blames }) as const;
  if (!engine.ready && nowMs - engine.startedAtMs > limits.startMs) {
    return hang('The engine did not start in time.', all);
  }
  const hung = engine.jobs.find((job) => nowMs - job.heardAtMs > job.nextWithinMs);
  if (hung) return hang('A picture hung in the engine.', (jobId) => jobId === hung.jobId);
  if (engine.ready && nowMs - engine.heardAtMs > limits.aliveMs) {
    return hang('The engine stopped answering.', all);
  }
  if (engine.jobs.some((job) => nowMs - (job.cancelledAtMs ?? nowMs) > limits.cancelMs)) {
    return hang('A cancelled picture did not stop.', none);
  }
  if (engine.answersDueMs.some((dueMs) => nowMs > dueMs)) {
    return hang('A picture could not be looked at in time.', none);
  }
  const bytes = engine.memoryBytes ?? 0;
  if (bytes <= limits.memoryBytes) return undefined;
  const message = `The engine took ${mib(bytes)} MB of memory; ${mib(limits.memoryBytes)} are allowed.`;
  return { reason: 'memory', message, blames: all };
}

export interface RenewalLimits {
  /** The engine is idle when for this long nothing ended and nothing is open. */
  idleMs: number;
  /** An idle engine may hold this much memory: its sessions make the next photo start sooner. */
  idleBytes: number;
}

/** The usual limits. Memory that native code's allocators took comes back only when the process ends. */
export const usualRenewal: RenewalLimits = { idleMs: 30_000, idleBytes: 180 * 1024 ** 2 };

/**
 * Judges whether an idle engine is to be replaced, so that it gives back its memory.
 * @param workedAtMs when it last ended some work; undefined: it never did, so it has nothing to give back
 */
export function isToBeRenewed(
  engine: Watched,
  workedAtMs: number | undefined,
  nowMs: number,
  { idleMs, idleBytes }: RenewalLimits,
): boolean {
  if (workedAtMs === undefined || !engine.ready) return false;
  if (engine.jobs.length > 0 || engine.answersDueMs.length > 0) return false;
  return nowMs - workedAtMs > idleMs && (engine.memoryBytes ?? 0) > idleBytes;
}
