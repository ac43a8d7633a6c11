/** Whether a helper takes a job that it was handed, or leaves it to others for a moment. Pure. */
import type { PoolJob } from '../messages.ts';

interface Taking {
  me: string;
  /** Submitters that set this helper aside. */
  asideBy: { has(submitter: string): boolean };
  /** Whether this machine has tasks of its own. */
  isBusy: boolean;
  megapixelsPerSecond: number | undefined;
  /** The queues of its own networks. */
  serves: { has(queue: string): boolean };
}

/** Milliseconds for which it is left; 0: it is taken. */
export function leaveForMs(
  { submitter, notFor, withinSeconds, megapixels, needs = [] }: PoolJob,
  { me, asideBy, isBusy, megapixelsPerSecond, serves }: Taking,
): number {
  if (asideBy.has(submitter.id) || notFor.includes(me) || isBusy) return 1000;
  if (needs.some((queue) => !serves.has(queue))) return 1000;
  if (withinSeconds === undefined || megapixelsPerSecond === undefined) return 0;
  return megapixels / megapixelsPerSecond <= withinSeconds ? 0 : 500;
}

/** A helper says so of a job that others may do: it is put back for a moment. */
export class LeaveJob extends Error {
  readonly forMs: number;

  constructor(forMs: number) {
    super('Left for another helper.');
    this.forMs = forMs;
  }
}
