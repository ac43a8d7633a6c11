/** Shows, by the service, photos of which this page has no file, or none that a browser reads. */
import { createContext } from 'svelte';
import { readRowsThere } from '../../../packages/contract/src/failures/rows-there.ts';
import type { PictureCalls } from '../../../packages/api-client/src/picture-calls.ts';
import { unlessRefused } from '../../api/calls.svelte.ts';
import type { Photo, PhotoSource, PixelSize } from '../photo/photo.svelte.ts';

/** The side is twice the row's, for sharp screens. */
const rowPx = 192;
/** A view of this side fills a stage. */
const stagePx = 2048;

export const [getServiceViews, setServiceViews] = createContext<ServiceViews>();

export class ServiceViews {
  readonly #calls: Pick<PictureCalls, 'thumbnail' | 'tiles'>;
  readonly #asked = new WeakSet<PhotoSource>();

  constructor(calls: Pick<PictureCalls, 'thumbnail' | 'tiles'>) {
    this.#calls = calls;
  }

  /** Makes a link to a thumbnail for the photo's row; it is undefined where there can be none. */
  async thumbnail(photo: Photo): Promise<string | undefined> {
    const { source, taskId } = photo;
    if (source === undefined || taskId !== undefined || !isReadable(photo)) return undefined;
    const link = await this.#linkOf(photo, source, rowPx);
    // The stage shows it until its own view is there: decoding a phone's photo takes seconds.
    if (!photo.isViewless) photo.view ??= link;
    return link;
  }

  /** Requests the size and, before there is a task, a view of the photo on the stage, once a source. */
  async show(photo: Photo): Promise<void> {
    const { source, taskId, sourceSize } = photo;
    if (taskId === undefined) {
      if (source === undefined || !isReadable(photo) || this.#asked.has(source)) return;
      this.#asked.add(source);
      photo.view = await this.#linkOf(photo, source, stagePx);
      photo.isViewless = photo.view === undefined;
    } else if (sourceSize === undefined && photo.record?.input === undefined) {
      const tiles = await unlessRefused(this.#calls.tiles(taskId, 'source'));
      photo.sourceSize ??= sizeOf(tiles);
    }
  }

  /** Makes a link to a small picture; undefined where the photo cannot be shown, and the estimate says why. */
  async #linkOf(photo: Photo, { imageUrl }: PhotoSource, sidePx: number) {
    const made = await unlessRefused(this.#calls.thumbnail({ imageUrl, sidePx }));
    photo.sourceSize ??= sizeOf(made);
    return made && linkOf(made.imageUrl);
  }
}

/** Whether the service has read the photo's head, which says that there is a picture, or a part of one. */
function isReadable({ estimate }: Photo): boolean {
  if (estimate?.problem === undefined) return estimate !== undefined;
  const there = readRowsThere(estimate.problem);
  return there === undefined ? !unreadable.includes(estimate.problem.code) : there.rows > 0;
}

const unreadable = ['UNREADABLE_IMAGE', 'EMPTY_FILE'];

const sizeOf = (picture: PixelSize | undefined): PixelSize | undefined =>
  picture && { width: picture.width, height: picture.height };

/** Makes a link of this page, which must be revoked, because the page's policy allows no data: address. */
export const linkOf = (dataUrl: string) => URL.createObjectURL(blobOf(dataUrl));

/** Reads the bytes of a base64 data: URL. It throws for another address. */
export function blobOf(dataUrl: string): Blob {
  const match = /^data:([\w/+.-]+);base64,/.exec(dataUrl);
  if (match === null) throw new TypeError('Expected a base64 data: URL.');
  const text = atob(dataUrl.slice(match[0].length));
  return new Blob([Uint8Array.from(text, (letter) => letter.charCodeAt(0))], {
    type: match[1] ?? '',
  });
}
