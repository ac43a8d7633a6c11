/** Words errors for people, in their language as far as they have a code of the service. */
import { ApiError } from '../../../electron/client/transport.ts';
import { failureText } from './text.ts';

export function messageOf(thrown: unknown): string {
  if (thrown instanceof ApiError) return failureText(thrown.code, thrown.message);
  return thrown instanceof Error ? thrown.message : String(thrown);
}
