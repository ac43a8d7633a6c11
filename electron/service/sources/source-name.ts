/** Names of sources. Pure. */
import { basename } from 'node:path';
import type { TaskSource } from '../store/tasks/task.ts';
import { createHash } from 'node:crypto';

/** File name with ending, e.g. "beach.jpg"; 'image' if the source has none. */
export function sourceNameOf(source: TaskSource): string {
  if (source.kind === 'url') return lastSegmentOf(source.url) || 'image';
  // A backslash separates paths on Windows only.
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
 * Photo id for clients that send none: equal sources are the same photo. At most 100 letters, digits and
 * hyphens.
 */
export function photoOf(source: TaskSource): string {
  if (source.kind === 'upload' && source.uploadId !== undefined) return `upload-${source.uploadId}`;
  return `${source.kind}-${shortHash(source.kind === 'url' ? source.url : source.path)}`;
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
