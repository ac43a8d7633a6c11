/** What the service shows of photos that this page cannot show itself: it has no file, or none that a browser reads. */
import { createContext } from 'svelte';
import { ApiError } from '../../electron/client/transport.ts';
import type { PictureCalls } from '../../electron/client/picture-calls.ts';
import { blobOf } from './data-url.ts';
import type { Photo, PhotoSource } from './photo.svelte.ts';

/** Twice the row's, for sharp screens. */
const rowPx = 192;
/** Fills a stage. */
const stagePx = 2048;

export const [getServiceViews, setServiceViews] = createContext<ServiceViews>();

export class ServiceViews {
  readonly #calls: Pick<PictureCalls, 'thumbnail' | 'tiles'>;
  readonly #asked = new WeakSet<PhotoSource>();

  constructor(calls: Pick<PictureCalls, 'thumbnail' | 'tiles'>) {
    this.#calls = calls;
  }

  /** A link for its row; undefined where there can be none. */
  async thumbnail(photo: Photo): Promise<string | undefined> {
    const { source, taskId } = photo;
    if (source === undefined || taskId !== undefined || !isReadable(photo)) return undefined;
    return this.#linkOf(photo, source, rowPx);
  }

  /** Gives the photo on the stage its size and, before it has a task, a view. Asked once for each source. */
  async show(photo: Photo): Promise<void> {
    const { source, taskId, sourceSize } = photo;
    if (taskId === undefined) {
      if (source === undefined || !isReadable(photo) || this.#asked.has(source)) return;
      this.#asked.add(source);
      photo.view ??= await this.#linkOf(photo, source, stagePx);
    } else if (sourceSize === undefined && photo.record?.input === undefined)
      await ifPossible(async () => {
        const { width, height } = await this.#calls.tiles(taskId, 'source');
        photo.sourceSize ??= { width, height };
      });
  }

  #linkOf(photo: Photo, { imageUrl }: PhotoSource, sidePx: number): Promise<string | undefined> {
    return ifPossible(async () => {
      const made = await this.#calls.thumbnail({ imageUrl, sidePx });
      photo.sourceSize ??= { width: made.width, height: made.height };
      return URL.createObjectURL(blobOf(made.imageUrl));
    });
  }
}

/** Its head was read, and says that there is a picture. */
function isReadable({ estimate }: Photo): boolean {
  return estimate !== undefined && !unreadable.includes(estimate.problem?.code ?? '');
}

const unreadable = ['UNREADABLE_IMAGE', 'EMPTY_FILE'];

/** A picture that cannot be shown is a row without one: what is wrong with it, its estimate says. */
async function ifPossible<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return undefined;
  }
}
