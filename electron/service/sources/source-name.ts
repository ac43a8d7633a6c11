/** Names a task's picture as a person would, and says which photo the task is a version of. This is pure. */
import { basename } from 'node:path';
import type { TaskSource } from '../store/tasks/task.ts';
import { createHash } from 'node:crypto';

/** Answers the file's name with its ending, such as "beach.jpg", or 'image' when the source has no name. */
export function sourceNameOf(source: TaskSource): string {
  if (source.kind === 'url') return lastSegmentOf(source.url) || 'image';
  // Only on Windows does a backslash part a path; elsewhere a name may hold it.
  if (source.kind === 'file') return basename(source.path) || 'image';
  return basename(source.name.replaceAll('\\', '/')) || 'image';
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
 * Names the photo that a task is a version of, where its client did not: the same source is the same photo.
 * The name has at most 100 characters, which are letters, digits and hyphens.
 */
export function photoOf(source: TaskSource): string {
  if (source.kind === 'upload' && source.uploadId !== undefined) return `upload-${source.uploadId}`;
  return `${source.kind}-${shortHash(source.kind === 'url' ? source.url : source.path)}`;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
