/** Whether an engine that has nothing to do gives back its memory by being started anew. Pure. */
import type { Watched } from './judge.ts';

export interface RenewalLimits {
  /** For so long nothing was done by it and nothing is open. */
  idleMs: number;
  /** What it may go on holding then: sessions that make the next photo start sooner. */
  idleBytes: number;
}

/** What was used by an allocator of native code comes back only with the end of the process. */
export const usualRenewal: RenewalLimits = { idleMs: 30_000, idleBytes: 180 * 1024 ** 2 };

/** @param workedAtMs when it last ended some work; undefined: never, so it holds nothing that it could give back */
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
