/** Words errors for people, in their language as far as they have a code of the service. */
import { ApiError } from '../../api-client/src/transport.ts';
import { sentenceOf } from '../../files/src/file-errors.ts';
import { failureText, t } from './text.ts';

export function messageOf(thrown: unknown): string {
  if (thrown instanceof ApiError) return failureText(thrown.code, thrown.message);
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Why a call of the file system failed, as the end of a sentence. */
export const fileReason = (thrown: unknown): string => t(sentenceOf(thrown));
