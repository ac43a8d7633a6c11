/** Reads the copy of a photo and its mask that the page paints on, which is as large as a screen. */
import type { Size } from '../../../packages/contract/src/geometry.ts';
import { ApiError } from '../../../packages/api-client/src/transport.ts';
import type { PictureCalls } from '../../../packages/api-client/src/picture-calls.ts';
import type { TileSet } from '../../../packages/contract/src/picture.ts';
import type { DisplayCopy } from './live-mask.ts';
import type { Photo } from '../photo/photo.svelte.ts';
import { tileLink } from '../viewer/pictures.ts';

/** The copy's longer side has at most so many pixels, and the service's mask has as many. */
const maxPx = 1024;

type Calls = Pick<PictureCalls, 'tiles' | 'mask'>;

/**
 * Reads the copy. It is undefined where the photo or its mask is no longer to be had, and strokes then show
 * as strokes alone.
 */
export async function readDisplayCopy(
  photo: Pick<Photo, 'taskId' | 'file' | 'phase'>,
  calls: Calls,
): Promise<DisplayCopy | undefined> {
  const { taskId } = photo;
  if (taskId === undefined) return undefined;
  const [context, mask] = await Promise.all([
    ifThere(() => drawSource(taskId, photo.file, calls)),
    // Where no subject was found there is no mask, and nothing of the photo is kept yet.
    photo.phase === 'FAILED' ? undefined : ifThere(() => calls.mask(taskId)),
  ]);
  if (context === undefined || (mask === undefined && photo.phase !== 'FAILED')) return undefined;
  const { width, height } = context.canvas;
  const { data: pixels } = context.getImageData(0, 0, width, height);
  const levels = mask === undefined ? undefined : await readLevels(mask, { width, height });
  return { width, height, pixels, mask: levels ?? new Uint8Array(width * height) };
}

async function drawSource(taskId: string, file: File | undefined, calls: Calls) {
  try {
    return await drawTiles(await calls.tiles(taskId, 'source'));
  } catch (error) {
    if (!(error instanceof ApiError) || file === undefined) throw error;
    const whole = await createImageBitmap(file);
    const share = Math.min(1, maxPx / Math.max(whole.width, whole.height));
    const context = contextOf(Math.round(whole.width * share), Math.round(whole.height * share));
    context.drawImage(whole, 0, 0, context.canvas.width, context.canvas.height);
    whole.close();
    return context;
  }
}

/** Draws the photo from the largest level of its tiles that is not larger than the copy may be. */
async function drawTiles(tiles: TileSet): Promise<OffscreenCanvasRenderingContext2D> {
  const { width, height, tileSize, maxLevel, url } = tiles;
  const halvings = Math.max(0, Math.ceil(Math.log2(Math.max(width, height) / maxPx)));
  const level = Math.max(0, maxLevel - halvings);
  const inLevel = (sidePx: number) => Math.ceil(sidePx / 2 ** halvings);
  const context = contextOf(inLevel(width), inLevel(height));
  const places = Array.from({ length: Math.ceil(inLevel(height) / tileSize) }, (_, row) =>
    Array.from({ length: Math.ceil(inLevel(width) / tileSize) }, (__, column) => ({ column, row })),
  ).flat();
  await Promise.all(
    places.map(async ({ column, row }) => {
      const answer = await fetch(tileLink(url, level, column, row));
      if (!answer.ok) throw new ApiError('NOT_FOUND', 'A tile of the photo is not there any more.');
      const tile = await createImageBitmap(await answer.blob());
      context.drawImage(tile, column * tileSize, row * tileSize);
      tile.close();
    }),
  );
  return context;
}

/** Reads a grey picture of a mask in another size, 0..255 a pixel. */
export async function readLevels(mask: Blob, { width, height }: Size): Promise<Uint8Array> {
  const picture = await createImageBitmap(mask);
  const context = contextOf(width, height);
  context.drawImage(picture, 0, 0, width, height);
  picture.close();
  const { data } = context.getImageData(0, 0, width, height);
  return Uint8Array.from({ length: width * height }, (_, at) => data[at * 4] ?? 0);
}

function contextOf(width: number, height: number): OffscreenCanvasRenderingContext2D {
  const canvas = new OffscreenCanvas(Math.max(1, width), Math.max(1, height));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new ApiError('INTERNAL', 'This browser draws no pictures.');
  return context;
}

async function ifThere<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    // A file that the browser cannot read is an error of its own kind.
    if (error instanceof ApiError || error instanceof DOMException) return undefined;
    throw error;
  }
}
