/** What a person says of results while looking through them. */
import type { Client } from '../../electron/client/client.ts';
import { ApiError } from '../../electron/client/transport.ts';
import type { Mark } from '../../electron/contract/task.ts';
import { inLanes } from './lanes.ts';
import type { Photo } from './photo.svelte.ts';
import type { Queue } from './queue.svelte.ts';

const requestLanes = 6;

export class Review {
  readonly #queue: Pick<Queue, 'finished' | 'selected' | 'problem'>;
  readonly #client: Pick<Client, 'mark'>;
  /** Of all photos, whatever is listed now. */
  readonly accepted = $derived.by(() =>
    this.#queue.finished.filter(({ record }) => record?.mark === 'accepted'),
  );
  readonly rejectedCount = $derived.by(
    () => this.#queue.finished.filter(({ record }) => record?.mark === 'rejected').length,
  );

  constructor(
    queue: Pick<Queue, 'finished' | 'selected' | 'problem'>,
    client: Pick<Client, 'mark'>,
  ) {
    this.#queue = queue;
    this.#client = client;
  }

  /** Marks the photo that is looked at; one that is marked so already loses it. */
  async toggle(mark: Mark): Promise<void> {
    const photo = this.#queue.selected;
    if (photo?.phase !== 'FINISHED') return;
    await this.#mark([photo], photo.record?.mark === mark ? null : mark);
  }

  async #mark(photos: readonly Photo[], mark: Mark | null): Promise<void> {
    await inLanes([...photos], requestLanes, async (photo) => {
      try {
        photo.take(await this.#client.mark(photo.taskId ?? '', { mark }));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        this.#queue.problem = { code: error.code, message: error.message };
      }
    });
  }
}
