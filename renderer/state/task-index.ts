/** Which row stands for which task. Bookkeeping only: nothing on the page depends on it. */
import type { Photo } from './photo.svelte.ts';

export class TaskIndex {
  readonly #photos = new Map<string, Photo>();
  /** Tasks that are being read, and whether they changed meanwhile. */
  readonly #reading = new Map<string, { isStale: boolean }>();

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

  /**
   * Runs `read`, one for a task at a time. Asked for again meanwhile, it runs once more: what the
   * first one brings may be older than the change that asked.
   */
  async read(taskId: string, read: () => Promise<void>): Promise<void> {
    const underWay = this.#reading.get(taskId);
    if (underWay !== undefined) {
      underWay.isStale = true;
      return;
    }
    const reading = { isStale: true };
    this.#reading.set(taskId, reading);
    try {
      while (reading.isStale) {
        reading.isStale = false;
        await read();
      }
    } finally {
      this.#reading.delete(taskId);
    }
  }
}
