/** Which pictures the stage can show for a photo, and what to say where it cannot. */
import { text } from '../text/text.ts';
import type { Photo } from './photo.svelte.ts';

/** Decoded at four bytes a pixel, this is what a page can hold without trouble. */
const mostPixels = 100_000_000;
const browserFormats = ['jpeg', 'png', 'webp', 'avif', 'gif'];

export interface AfterPicture {
  link: string;
  note?: string;
}

/** The result, or its thumbnail with a sentence that says why. */
export function afterPicture({ record }: Photo): AfterPicture | undefined {
  const { imageUrl, thumbUrl, output } = record ?? {};
  if (imageUrl === undefined || output === undefined) return undefined;
  const pixels = output.width * output.height;
  const small = thumbUrl ?? imageUrl;
  if (!browserFormats.includes(output.format)) return { link: small, note: text.cannotShow };
  if (pixels <= mostPixels) return { link: imageUrl };
  return { link: small, note: text.tooLargeToShow(Math.round(pixels / 1e6).toLocaleString()) };
}
