/** What the parts of the queue share of their requests to the service. */
import { ApiError } from '../../../electron/client/transport.ts';
import type { Photo, Problem } from '../photo.svelte.ts';

/** Requests at a time, for what is done to many rows. */
export const requestLanes = 6;

export const isSubmitted = ({ taskId }: Photo) => taskId !== undefined;

/** What a call to the service ended with. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) return { code: error.code, message: error.message };
  return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) };
}
