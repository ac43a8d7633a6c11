/** Takes a finished result out of the page, to the clipboard or by dragging it to another program. */

import { resultName } from './save.ts';
import type { Photo } from '../photo/photo.svelte.ts';

/** Larger pictures are not copied: the clipboard holds them uncompressed, and programs that look copy them. */
export const maxCopiedPixels = 40_000_000;

type CopyOutcome = 'copied' | 'too-large' | 'unreadable';

/** Puts the picture on the clipboard as PNG. It rejects when the browser forbids that. */
export async function copyPicture({ record, taskId }: Photo): Promise<CopyOutcome> {
  const { output, imageUrl } = record ?? {};
  if (output === undefined || imageUrl === undefined) return 'unreadable';
  if (output.width * output.height > maxCopiedPixels) return 'too-large';
  if (taskId !== undefined && (await window.enlarger?.copyResult(taskId))) return 'copied';
  try {
    // The item is made at once and filled later, because the click's permission does not last.
    const item = new ClipboardItem({ 'image/png': pngOf(imageUrl, output.format) });
    await navigator.clipboard.write([item]);
    return 'copied';
  } catch (error) {
    if (error instanceof UnreadablePicture) return 'unreadable';
    throw error;
  }
}

class UnreadablePicture extends Error {}

async function pngOf(link: string, format: string): Promise<Blob> {
  const response = await fetch(link);
  if (!response.ok) throw new UnreadablePicture();
  const blob = await response.blob();
  if (format === 'png') return blob;
  const bitmap = await createImageBitmap(blob).catch(() => {
    throw new UnreadablePicture();
  });
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return canvas.convertToBlob({ type: 'image/png' });
}

const types: Record<string, string> = { tiff: 'image/tiff' };

/** Fetches what dragOut needs, and must be called in `pointerdown`. A drag that cannot be prepared says why itself. */
export function prepareDragOut({ taskId, record }: Photo): void {
  if (taskId === undefined || record?.output === undefined) return;
  window.enlarger?.prepareDrag([taskId]).catch(() => undefined);
}

/**
 * Begins to drag a result, and must be called in `dragstart`. The application gives the file itself; a
 * browser gives a link that file managers download under the result's name.
 * @returns the application's answer, which is an error with a sentence where the file cannot be given
 */
export function dragOut(event: DragEvent, photo: Photo): Promise<void> | undefined {
  const { taskId, record } = photo;
  const { output, imageUrl } = record ?? {};
  if (taskId === undefined || output === undefined || imageUrl === undefined) return undefined;
  if (window.enlarger !== undefined) {
    event.preventDefault();
    return window.enlarger.startDrag([taskId]);
  }
  event.dataTransfer?.setData('DownloadURL', downloadUrl(photo, output.format, imageUrl));
  event.dataTransfer?.setData('text/uri-list', imageUrl);
  event.dataTransfer?.setData('text/plain', imageUrl);
  return undefined;
}

/** Joins media type, file name and address as Chromium reads them. */
function downloadUrl(photo: Photo, format: string, imageUrl: string): string {
  const name = resultName(photo).replaceAll(':', '_');
  return `${types[format] ?? `image/${format}`}:${name}:${imageUrl}`;
}
