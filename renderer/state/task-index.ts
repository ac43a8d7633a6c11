/** Which row stands for which task. Bookkeeping only: nothing on the page depends on it. */
import type { TaskRecord } from '../../electron/contract/task.ts';
import type { Photo } from './photo.svelte.ts';

export class TaskIndex {
  readonly #photos = new Map<string, Photo>();
  readonly #asked = new Set<string>();

  get(taskId: string): Photo | undefined {
    return this.#photos.get(taskId);
  }

  set(taskId: string, photo: Photo): Photo {
    this.#photos.set(taskId, photo);
    return photo;
  }

  delete(taskId: string): void {
    this.#photos.delete(taskId);
  }

  /** Runs `read` unless one for the same task is under way. */
  async once(taskId: string, read: () => Promise<void>): Promise<void> {
    if (this.#asked.has(taskId)) return;
    this.#asked.add(taskId);
    try {
      await read();
    } finally {
      this.#asked.delete(taskId);
    }
  }
}

/** The photos that are not among the service's tasks any more are left out. */
export function stillKnown(photos: Photo[], records: TaskRecord[]): Photo[] {
  const known = new Set(records.map(({ taskId }) => taskId));
  return photos.filter(({ taskId }) => taskId === undefined || known.has(taskId));
}
