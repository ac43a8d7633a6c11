/** What a person calls a task's picture, and of which photo it is. Pure. */
import { basename } from 'node:path';
import type { TaskSource } from '../store/tasks/task.ts';
import { createHash } from 'node:crypto';

/** The file's name with its ending, such as "beach.jpg"; 'image' when the source has none. */
export function sourceNameOf(source: TaskSource): string {
  if (source.kind === 'url') return lastSegmentOf(source.url) || 'image';
  const name = source.kind === 'file' ? source.path : source.name;
  return basename(name.replaceAll('\\', '/')) || 'image';
}

function lastSegmentOf(url: string): string {
  const segment = URL.parse(url)?.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * Which photo a task is a version of, where its client did not say: the same source is the same photo. At most 100
 * characters of letters, digits and hyphens.
 */
export function photoOf(source: TaskSource): string {
  if (source.kind === 'upload' && source.uploadId !== undefined) return `upload-${source.uploadId}`;
  return `${source.kind}-${shortHash(source.kind === 'url' ? source.url : source.path)}`;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
