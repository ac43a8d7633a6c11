/** Makes small pictures off the page's thread, where it decodes, reduces and encodes photos. */
export interface ThumbnailAsked {
  id: number;
  file: Blob;
  /** The shorter side gets this length. */
  sidePx: number;
}
export type ThumbnailMade =
  | { id: number; width: number; height: number; blob: Blob }
  | { id: number; failed: true };

addEventListener('message', ({ data }: MessageEvent<ThumbnailAsked>) => {
  void make(data).then((made) => postMessage(made));
});

async function make({ id, file, sidePx }: ThumbnailAsked): Promise<ThumbnailMade> {
  try {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    const blob = await drawSmall(bitmap, sidePx);
    bitmap.close();
    return { id, width, height, blob };
  } catch {
    // The browser cannot read this format, which the service may still read.
    return { id, failed: true };
  }
}

function drawSmall(bitmap: ImageBitmap, sidePx: number): Promise<Blob> {
  const shrink = Math.min(1, sidePx / Math.min(bitmap.width, bitmap.height));
  const width = Math.max(1, Math.round(bitmap.width * shrink));
  const height = Math.max(1, Math.round(bitmap.height * shrink));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser gives no canvas.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, width, height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 });
}
