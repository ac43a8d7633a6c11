/** Makes small pictures of the files in the list, one at a time and only for rows that are seen. */
import type { Photo } from '../photo/photo.svelte.ts';
import type { TaskRecord } from '../../../packages/contract/src/task.ts';
import type { ServiceViews } from './service-views.ts';
import type { ThumbnailAsked, ThumbnailMade } from './thumbnail-worker.ts';

const sidePx = 96;
/** A larger file may be too much for memory when it is decoded, so the service makes its small picture. */
const maxBytes = 150_000_000;
/** Links made here; undefined where the browser cannot decode the file. */
const made = new WeakMap<Photo, string | undefined>();
const madeByService = new WeakMap<Photo, string>();
let last: Promise<unknown> = Promise.resolve();
let worker: Worker | undefined;
let nextId = 1;

/**
 * Lists the links to a photo's small picture, the best first: the result's once there is one, else the source's.
 *
 * @param own was made here, of the file or by the service
 */
export function thumbnailLinks(
  { record }: { readonly record?: Pick<TaskRecord, 'thumbUrl' | 'sourceThumbUrl'> | undefined },
  own: string | undefined,
): string[] {
  return [record?.thumbUrl, own, record?.sourceThumbUrl].filter((link) => link !== undefined);
}

/**
 * Returns a link to a small picture of the photo, made of its own file or else by the service. It is
 * undefined where neither can, and when its turn comes and it is no longer wanted because its row was only
 * scrolled past.
 */
export async function thumbnailOf(
  photo: Photo,
  views: ServiceViews,
  isWanted: () => boolean,
): Promise<string | undefined> {
  const own = await ownThumbnailOf(photo, isWanted);
  if (own !== undefined || !isWanted()) return own;
  const link = madeByService.get(photo) ?? (await views.thumbnail(photo));
  if (link !== undefined) madeByService.set(photo, link);
  return link;
}

function ownThumbnailOf(photo: Photo, isWanted: () => boolean): Promise<string | undefined> {
  const turn = last.then(async () => {
    if (made.has(photo) || !isWanted()) return made.get(photo);
    const link = await make(photo);
    made.set(photo, link);
    return link;
  });
  last = turn;
  return turn;
}

async function make(photo: Photo): Promise<string | undefined> {
  const { file } = photo;
  if (file === undefined || file.size > maxBytes) return undefined;
  const answer = await ask({ id: nextId++, file, sidePx });
  if ('failed' in answer) return undefined;
  photo.sourceSize = { width: answer.width, height: answer.height };
  return URL.createObjectURL(answer.blob);
}

function ask(asked: ThumbnailAsked): Promise<ThumbnailMade> {
  worker ??= new Worker(new URL('./thumbnail-worker.ts', import.meta.url), { type: 'module' });
  const at = worker;
  return new Promise((resolve) => {
    const listen = ({ data }: MessageEvent<ThumbnailMade>) => {
      if (data.id !== asked.id) return;
      at.removeEventListener('message', listen);
      resolve(data);
    };
    at.addEventListener('message', listen);
    at.postMessage(asked);
  });
}
