/**
 * Watchdog rules: whether an engine must be killed, which job is to blame, and whether an idle engine is to
 * be restarted. Pure; all times are on the host's awake clock.
 */
export interface WatchLimits {
  /** Time until the process must report that it is ready. */
  startMs: number;
  /** Maximum time between two messages of its main thread. */
  heartbeatMs: number;
  /** A cancelled job that runs on for longer than this is ended with the process. */
  cancelMs: number;
  /** Anonymous memory, without mapped files. */
  memoryBytes: number;
}

export interface WatchedJob {
  jobId: string;
  /** Time of the job's last event, and how long it may be silent from then on. */
  lastMessageAtMs: number;
  stallLimitMs: number;
  cancelledAtMs: number | undefined;
}

export interface EngineSnapshot {
  ready: boolean;
  startedAtMs: number;
  lastMessageAtMs: number;
  jobs: WatchedJob[];
  /** The deadline of each pending request. */
  deadlinesMs: number[];
  /** Anonymous memory; undefined where the system does not report it. */
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

export function checkHealth(
  engine: EngineSnapshot,
  nowMs: number,
  limits: WatchLimits,
): Verdict | undefined {
  const hang = (message: string, blames: Verdict['blames']) =>
    ({ reason: 'hang', message, blames }) as const;
  if (!engine.ready && nowMs - engine.startedAtMs > limits.startMs) {
    return hang('The engine did not start in time.', all);
  }
  const hung = engine.jobs.find((job) => nowMs - job.lastMessageAtMs > job.stallLimitMs);
  if (hung) return hang('A picture hung in the engine.', (jobId) => jobId === hung.jobId);
  if (engine.ready && nowMs - engine.lastMessageAtMs > limits.heartbeatMs) {
    return hang('The engine stopped answering.', all);
  }
  if (engine.jobs.some((job) => nowMs - (job.cancelledAtMs ?? nowMs) > limits.cancelMs)) {
    return hang('A cancelled picture did not stop.', none);
  }
  if (engine.deadlinesMs.some((dueMs) => nowMs > dueMs)) {
    return hang('A picture could not be looked at in time.', none);
  }
  const bytes = engine.memoryBytes ?? 0;
  if (bytes <= limits.memoryBytes) return undefined;
  const message = `The engine took ${mib(bytes)} MB of memory; ${mib(limits.memoryBytes)} are allowed.`;
  return { reason: 'memory', message, blames: all };
}

export interface RecyclingLimits {
  /** The engine is idle if for this long nothing ended and nothing is pending. */
  idleMs: number;
  /** Memory that an idle engine may keep: its sessions make the next photo start sooner. */
  idleBytes: number;
}

/** Memory taken by native allocators is returned only when the process ends. */
export const defaultRecycling: RecyclingLimits = { idleMs: 30_000, idleBytes: 180 * 1024 ** 2 };

/**
 * Whether an idle engine is to be restarted to free its memory.
 *
 * @param lastWorkAtMs when its last work ended; undefined: it did none, so there is nothing to free
 */
export function shouldRecycle(
  engine: EngineSnapshot,
  lastWorkAtMs: number | undefined,
  nowMs: number,
  { idleMs, idleBytes }: RecyclingLimits,
): boolean {
  if (lastWorkAtMs === undefined || !engine.ready) return false;
  if (engine.jobs.length > 0 || engine.deadlinesMs.length > 0) return false;
  return nowMs - lastWorkAtMs > idleMs && (engine.memoryBytes ?? 0) > idleBytes;
}
