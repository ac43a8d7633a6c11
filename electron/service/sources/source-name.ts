/** What a person calls a task's picture. */
import { basename } from 'node:path';
import type { StoredSource } from '../store/stored-task.ts';

/** The file's name with its ending, such as "beach.jpg"; 'image' when the source has none. */
export function sourceNameOf(source: StoredSource): string {
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
