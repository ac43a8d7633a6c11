import { ApiError } from '../../../electron/client/transport.ts';
import type { Problem } from '../photo.svelte.ts';

/** What a call to the service ended with. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) return { code: error.code, message: error.message };
  return { code: 'INTERNAL', message: error instanceof Error ? error.message : String(error) };
}
