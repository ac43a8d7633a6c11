/** Which photo a task is a version of, where its client did not say: the same source is the same photo. Pure. */
import { createHash } from 'node:crypto';
import type { StoredSource } from '../store/stored-task.ts';

/** At most 100 characters of letters, digits and hyphens. */
export function photoOf(source: StoredSource): string {
  if (source.kind === 'upload' && source.uploadId !== undefined) return `upload-${source.uploadId}`;
  return `${source.kind}-${shortHash(source.kind === 'url' ? source.url : source.path)}`;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
