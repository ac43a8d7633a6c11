/** Whether an engine that has nothing to do gives back its memory by being started anew. Pure. */
import type { Watched } from './judge.ts';

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
