/** Decides whether a helper takes a job that it was handed, or leaves it to others for a moment. This is pure. */
import type { PoolJob } from './messages.ts';

interface Taking {
  me: string;
  /** These submitters set this helper aside. */
  asideBy: { has(submitter: string): boolean };
  /** Says whether this machine has tasks of its own. */
  isBusy: boolean;
  megapixelsPerSecond: number | undefined;
  /** The queues of the networks that this helper has. */
  serves: { has(queue: string): boolean };
}

/** Answers for how many milliseconds the job is left to others; 0 means that it is taken. */
export function leaveForMs(
  { submitter, notFor, withinSeconds, megapixels, needs = [] }: PoolJob,
  { me, asideBy, isBusy, megapixelsPerSecond, serves }: Taking,
): number {
  if (asideBy.has(submitter.id) || notFor.includes(me) || isBusy) return 1000;
  if (needs.some((queue) => !serves.has(queue))) return 1000;
  if (withinSeconds === undefined || megapixelsPerSecond === undefined) return 0;
  return megapixels / megapixelsPerSecond <= withinSeconds ? 0 : 500;
}

/** A helper throws this for a job that others may do, and the job is put back for a moment. */
export class LeaveJob extends Error {
  readonly forMs: number;

  constructor(forMs: number) {
    super('Left for another helper.');
    this.forMs = forMs;
  }
}
