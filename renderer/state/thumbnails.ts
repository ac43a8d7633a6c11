/** Small pictures of the files in the list, made one at a time and only for rows that are seen. */
import type { Photo } from './photo.svelte.ts';

const sidePx = 96;
const made = new WeakMap<Photo, Promise<string | undefined>>();
let last: Promise<unknown> = Promise.resolve();

/** A link to a small picture of the photo's own file; undefined where the browser cannot read it. */
export function thumbnailOf(photo: Photo): Promise<string | undefined> {
  const known = made.get(photo);
  if (known !== undefined) return known;
  const made_ = last.then(() => make(photo));
  last = made_;
  made.set(photo, made_);
  return made_;
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
