/**
 * Reports photos that are not started to the service, so that a reload or a crash loses none. The service keeps
 * their uploads as long. A photo that is still being sent is only in this page. A photo that the service
 * refuses is reported when it is started; the others are sent again at the next connection.
 */
import type { PhotoCalls } from '../../../packages/api-client/src/task-calls.ts';
import type { AddedPhoto } from '../../../packages/contract/src/photo.ts';
import { unlessRefused } from '../../api/calls.svelte.ts';
import type { Photo } from '../photo/photo.svelte.ts';

/** Debounce of a slider that is dragged. */
const debounceMs = 300;
/** Limit of photos per request. */
const maxPhotosPerRequest = 1000;

export class KeptPhotos {
  readonly #calls: PhotoCalls;
  readonly #unsent = new Set<Photo>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(calls: PhotoCalls) {
    this.#calls = calls;
  }

  /** Has the photos kept soon, as they are then and as far as they are not started. */
  note(photos: readonly Photo[]): void {
    for (const photo of photos) this.#unsent.add(photo);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#send(), debounceMs);
  }

  async drop(photos: readonly Photo[]): Promise<void> {
    for (const photo of photos) this.#unsent.delete(photo);
    const keys = photos.filter(isKept).map(({ versions }) => versions.key);
    for (let at = 0; at < keys.length; at += maxPhotosPerRequest)
      await unlessRefused(this.#calls.drop(keys.slice(at, at + maxPhotosPerRequest)));
  }

  /** Lists all photos that the service keeps; there are none while it does not answer. */
  async list(): Promise<readonly AddedPhoto[]> {
    return (await unlessRefused(this.#calls.list()))?.photos ?? [];
  }

  /** Has a photo kept. It must be awaited before the photo is submitted, or the upload ends with the task. */
  async hold(photo: Photo): Promise<void> {
    if (photo.source?.uploadedAtMs === undefined) return;
    this.#unsent.delete(photo);
    await this.#put([photo]);
  }

  async #send(): Promise<void> {
    const photos = [...this.#unsent].filter(
      ({ phase, source }) => phase === 'ready' && source !== undefined,
    );
    this.#unsent.clear();
    for (let at = 0; at < photos.length; at += maxPhotosPerRequest)
      await this.#put(photos.slice(at, at + maxPhotosPerRequest));
  }

  async #put(photos: readonly Photo[]): Promise<void> {
    const sources = photos.map(({ source }) => source);
    const sent = await unlessRefused(this.#calls.put(photos.map(bodyOf)));
    if (sent === undefined) return;
    // The service keeps the uploads as long as the photos from now on.
    for (const source of sources) if (source !== undefined) delete source.uploadedAtMs;
  }
}

/** Whether a reload would find the photo again. */
export function isKept({ source }: Pick<Photo, 'source'>): boolean {
  return source !== undefined && source.uploadedAtMs === undefined;
}

function bodyOf({ versions, name, source, choices, taskId, addedAtMs }: Photo) {
  return {
    photo: versions.key,
    name: name.slice(0, 255),
    imageUrl: source?.imageUrl ?? '',
    choices,
    isReady: taskId === undefined,
    addedAt: new Date(addedAtMs).toISOString(),
  };
}
