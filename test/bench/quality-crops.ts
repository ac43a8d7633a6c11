/** Crops of photographs at 100 %, and sheets of them side by side to look at. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import sharp, { type Region, type Sharp } from 'sharp';
import type { Pixels } from '../support/images.ts';

/** The side of a crop on a sheet. */
export const cropPx = 256;
/** What the sheets enlarge by. */
export const scale = 2;

/** Writes a PNG of `rows` of crops of `cropPx`. */
export async function writeSheet(
  path: string,
  rows: readonly (readonly Pixels[])[],
): Promise<void> {
  const tiles = rows.flatMap((row, y) =>
    row.map(async (crop, x) => ({ input: await pngOf(crop), left: x * cropPx, top: y * cropPx })),
  );
  const width = Math.max(...rows.map(({ length }) => length)) * cropPx;
  mkdirSync(dirname(path), { recursive: true });
  await sharp({ create: { width, height: rows.length * cropPx, channels: 3, background: 'white' } })
    .composite(await Promise.all(tiles))
    .png()
    .toFile(path);
}

/** Of even sides, sharp at 100 %. */
export async function opened(path: string): Promise<Pixels> {
  const { width, height } = await sharp(path).metadata();
  const { data, info } = await sharp(path)
    .extract({ left: 0, top: 0, width: width - (width % scale), height: height - (height % scale) })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: 3 };
}

export const rawOf = ({ data, width, height, channels }: Pixels) =>
  sharp(data, { raw: { width, height, channels } });

export async function cut(picture: Pixels, at: Region): Promise<Pixels> {
  const data = await rawOf(picture).extract(at).raw().toBuffer();
  return { ...picture, data, width: at.width, height: at.height };
}

export const reduced = (picture: Pixels) =>
  rawOf(picture).resize({
    width: picture.width / scale,
    height: picture.height / scale,
    kernel: 'cubic',
  });

export async function pixelsOf(picture: Sharp): Promise<Pixels> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: 3 };
}

const pngOf = (picture: Pixels) => rawOf(picture).png().toBuffer();
