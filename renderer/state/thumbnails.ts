/** Small pictures of the files in the list, made one at a time and only for rows that are seen. */
import type { Photo } from './photo.svelte.ts';

const sidePx = 96;
const made = new WeakMap<Photo, string>();
let last: Promise<unknown> = Promise.resolve();

/**
 * A link to a small picture of the photo's own file; undefined where the browser cannot read it, or
 * when its turn comes and it is not wanted any more: a row that was only scrolled past.
 */
export function thumbnailOf(photo: Photo, isWanted: () => boolean): Promise<string | undefined> {
  const turn = last.then(async () => {
    if (made.has(photo) || !isWanted()) return made.get(photo);
    const link = await make(photo);
    if (link !== undefined) made.set(photo, link);
    return link;
  });
  last = turn;
  return turn;
}

async function make(photo: Photo): Promise<string | undefined> {
  if (photo.file === undefined) return undefined;
  try {
    const bitmap = await createImageBitmap(photo.file);
    photo.sourceSize = { width: bitmap.width, height: bitmap.height };
    const link = await drawSmall(bitmap);
    bitmap.close();
    return link;
  } catch {
    return undefined;
  }
}

async function drawSmall(bitmap: ImageBitmap): Promise<string> {
  const shrink = Math.min(1, sidePx / Math.min(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * shrink));
  const height = Math.max(1, Math.round(bitmap.height * shrink));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser gives no canvas.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
  return URL.createObjectURL(blob);
}
