/** Whether a helper takes a job that it was handed, or leaves it to others for a moment. Pure. */
import type { PoolJob } from './messages.ts';

interface HelperState {
  me: string;
  /** Submitters that quarantined this helper. */
  quarantinedBy: { has(submitter: string): boolean };
  /** True while this machine has tasks of its own. */
  isBusy: boolean;
  megapixelsPerSecond: number | undefined;
  /** Queues of the networks that this helper has. */
  serves: { has(queue: string): boolean };
}

/** Milliseconds for which the job is left to others; 0 if it is taken. */
export function declineForMs(
  { submitter, notFor, withinSeconds, megapixels, needs = [] }: PoolJob,
  { me, quarantinedBy, isBusy, megapixelsPerSecond, serves }: HelperState,
): number {
  if (quarantinedBy.has(submitter.id) || notFor.includes(me) || isBusy) return 1000;
  if (needs.some((queue) => !serves.has(queue))) return 1000;
  if (withinSeconds === undefined || megapixelsPerSecond === undefined) return 0;
  return megapixels / megapixelsPerSecond <= withinSeconds ? 0 : 500;
}

/** Thrown by a helper for a job that others may do; the job is returned for a moment. */
export class DeclinedJob extends Error {
  readonly forMs: number;

  constructor(forMs: number) {
    super('Left for another helper.');
    this.forMs = forMs;
  }
}
