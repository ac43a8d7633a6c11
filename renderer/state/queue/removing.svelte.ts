/** Removes photos at once, and restores them in their places while the service still has them. */
import type { Client } from '../../../packages/api-client/src/client.ts';
import { eachConcurrently, refusalOf, requestConcurrency } from '../../api/calls.svelte.ts';
import type { Connection } from '../../api/connection.svelte.ts';
import type { KeptPhotos } from './kept-photos.ts';
import { restoreRows, withoutTasks, type RemovedRows } from './list-order.ts';
import { isSubmitted, type Photo } from '../photo/photo.svelte.ts';
import type { PhotoList } from './photo-list.svelte.ts';
import type { TaskRows } from './task-rows.ts';

interface Removal extends RemovedRows<Photo> {
  /** On the page's clock. */
  sinceMs: number;
  /** The promise settles when the service has removed each photo, or refused to. */
  ended: Promise<unknown>;
}

const keptMs = 55_000;

class Removals {
  /** Removals that can be undone, the latest last. */
  all = $state.raw<readonly Removal[]>([]);

  readonly last = $derived(this.all.at(-1));

  note(removal: Removal): void {
    this.all = [...this.all, removal];
    setTimeout(() => this.forget(removal), keptMs);
  }

  forget(removal: Removal): void {
    this.all = this.all.filter((other) => other !== removal);
  }

  /** Takes the latest removal. When removals are undone in this order, each finds the list that it left. */
  take(): Removal | undefined {
    const removal = this.last;
    if (removal !== undefined) this.forget(removal);
    return removal;
  }
}

interface RemovingParts {
  client: Client;
  connection: Connection;
  list: PhotoList;
  rows: TaskRows;
  kept: KeptPhotos;
  /** Returns whether the call went well; where it did not, the page says why. */
  attempt: (call: Promise<unknown>) => Promise<boolean>;
  /** Is called with photos that are there again, of which some may not be started yet. */
  onBack: (photos: readonly Photo[]) => void;
}

export class Removing {
  readonly removals = new Removals();
  readonly #parts: RemovingParts;

  constructor(parts: RemovingParts) {
    this.#parts = parts;
  }

  /** Removes photos, which vanish at once and may be restored for a minute. */
  async remove(removed: readonly Photo[]): Promise<void> {
    const { client, list, rows, kept, attempt } = this.#parts;
    if (removed.length === 0) return;
    const removal = { photos: removed, order: list.photos, sinceMs: performance.now() };
    rows.drop(removed);
    void kept.drop(removed.filter((photo) => !isSubmitted(photo)));
    const refused: Photo[] = [];
    const ended = eachConcurrently(
      removed.filter(isSubmitted),
      requestConcurrency,
      async (photo) => {
        if (!(await attempt(client.remove(photo.taskId ?? '')))) refused.push(photo);
      },
    );
    this.removals.note({ ...removal, ended });
    await ended;
    this.#restore(removal, refused);
  }

  async undo(): Promise<void> {
    const { attempt } = this.#parts;
    const removal = this.removals.take();
    if (removal === undefined) return;
    // A photo that is not removed yet cannot be restored.
    await removal.ended;
    const back: Photo[] = [];
    await eachConcurrently(removal.photos, requestConcurrency, async (photo) => {
      const { taskId } = photo;
      if (taskId === undefined || (await attempt(this.#restoreTask(taskId)))) back.push(photo);
    });
    this.#restore(removal, back);
  }

  /** Asks again where a request or its answer was lost; then the task may be there already. */
  #restoreTask(taskId: string): Promise<unknown> {
    const { client, connection } = this.#parts;
    const ask = () =>
      client.restore(taskId).catch((error: unknown) => {
        if (refusalOf(error).code !== 'TASK_NOT_FOUND') throw error;
        return client.record(taskId);
      });
    return connection.send<unknown>(ask, () => true);
  }

  #restore(removal: RemovedRows<Photo>, back: readonly Photo[]): void {
    const { list, rows, onBack } = this.#parts;
    if (back.length === 0) return;
    // An event may have made another row of the same task meanwhile.
    const others = withoutTasks(list.photos, back);
    for (const photo of back) if (photo.taskId) rows.own(photo, photo.taskId);
    list.photos = restoreRows(others, removal, back);
    list.chosen.all(back);
    list.chosen.noteBatch(back);
    onBack(back);
  }
}
