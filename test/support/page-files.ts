/** Picture files as a person has them, and the ways in which they get onto the page. */
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import sharp, { type JpegOptions } from 'sharp';
import { photo } from './images.ts';
import { bmpOf, dngOf } from './made-files.ts';

export interface PageFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Each a little wider than the one before, so that no two are the same. */
const makers: ((width: number) => Promise<[ending: string, bytes: Buffer]>)[] = [
  async (width) => ['jpg', await encoded(width).jpeg().toBuffer()],
  async (width) => ['png', await encoded(width).png().toBuffer()],
  async (width) => ['webp', await encoded(width).webp().toBuffer()],
  async (width) => ['tif', await encoded(width).tiff({ compression: 'lzw' }).toBuffer()],
  async (width) => ['gif', await encoded(width).gif().toBuffer()],
  (width) => Promise.resolve(['bmp', bmpOf(photo(width, 30))]),
  (width) => Promise.resolve(['dng', dngOf(64 + 2 * (width % 8), 48, 20_000)]),
];

function encoded(width: number) {
  const { data, height, channels } = photo(width, 30);
  return sharp(data, { raw: { width, height, channels } });
}

/** Files of all picture formats in turn, named photo-00, photo-01, … */
export function mixedFiles(count: number): Promise<PageFile[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const make = makers[index % makers.length]!;
      const [ending, buffer] = await make(40 + index);
      const name = `photo-${String(index).padStart(2, '0')}.${ending}`;
      return { name, mimeType: 'application/octet-stream', buffer };
    }),
  );
}

/** Named as a picture and none. */
export function brokenFile(name: string): PageFile {
  return { name, mimeType: 'image/jpeg', buffer: Buffer.from(`not a picture: ${name}`) };
}

/** The first half of the bytes of a photo of 300 x 200 pixels. */
export async function halfJpeg(name: string, options: JpegOptions = {}): Promise<PageFile> {
  const raw = { width: 300, height: 200, channels: 3 } as const;
  const whole = await sharp(randomBytes(300 * 200 * 3), { raw })
    .jpeg(options)
    .toBuffer();
  return { name, mimeType: 'image/jpeg', buffer: whole.subarray(0, whole.length / 2) };
}

/** Photo of one grey, in which no subject is found. */
export async function greyFile(name: string): Promise<PageFile> {
  const create = { width: 64, height: 48, channels: 3, background: '#808080' } as const;
  return { name, mimeType: 'image/png', buffer: await sharp({ create }).png().toBuffer() };
}

export const noisySize = { width: 240, height: 180 } as const;

/** Photo of noise, which networks reduce, so that their result is told from the plain enlargement. @param sigma in levels */
export async function noisyFile(name: string, sigma: number): Promise<PageFile> {
  const noise = { type: 'gaussian', mean: 120, sigma } as const;
  const create = { ...noisySize, channels: 3, background: '#888', noise } as const;
  return { name, mimeType: 'image/png', buffer: await sharp({ create }).png().toBuffer() };
}

/** Runs in the page, whose types the tests do not have. */
const dropScript = `(given) => {
  const transfer = new DataTransfer();
  for (const { name, base64 } of given) {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    transfer.items.add(new File([bytes], name));
  }
  const event = { bubbles: true, cancelable: true, dataTransfer: transfer };
  for (const type of ['dragenter', 'dragover', 'drop'])
    document.body.dispatchEvent(new DragEvent(type, event));
}`;

/** Lets the files fall on the middle of the page. */
export async function dropFiles(page: Page, files: readonly PageFile[]): Promise<void> {
  const listed = files.map(({ name, buffer }) => ({ name, base64: buffer.toString('base64') }));
  await page.evaluate(`(${dropScript})(${JSON.stringify(listed)})`);
}

/** As a person drags files out of a folder: the browser itself knows where they lie. */
export async function dragIn(page: Page, files: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const [x, y] = await page.evaluate<[number, number]>('[innerWidth / 2, innerHeight / 2]');
  const copying = 1;
  const data = { items: [], files: [...files], dragOperationsMask: copying };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x, y, data });
  await session.detach();
}

/** Chooses the files in the dialog that `open` makes appear. */
export async function chooseFiles(
  page: Page,
  open: () => Promise<void>,
  files: readonly PageFile[],
): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), open()]);
  await chooser.setFiles([...files]);
}
