/** What the pictures of `bench:quality` go through before they are enlarged, the same at every run. */
import sharp from 'sharp';
import { chance, normal } from '../engine/analysis/damaged-pictures.ts';
import type { Pixels } from '../support/images.ts';
import { convolved, planeOf } from '../support/perceptual/plane.ts';

export interface DamageKind {
  name: string;
  /** libjpeg's, with colour at half the resolution; absent: no JPEG. */
  jpegQuality?: number;
  /** White, in levels of 255. */
  noise?: number;
  /** Standard deviation of a Gaussian in pixels, before noise and JPEG. */
  blurPx?: number;
  /** How many decibels Natural is to lie above the better of Faithful and Restore (clean: above Faithful), by scale. */
  must: Record<number, number>;
}

export const damageKinds: readonly DamageKind[] = [
  { name: 'clean', must: { 2: -0.05, 4: -0.05 } },
  { name: 'JPEG 92', jpegQuality: 92, must: { 2: 0.4, 4: 0.15 } },
  { name: 'JPEG 80', jpegQuality: 80, must: { 2: 0.5, 4: 0.25 } },
  { name: 'JPEG 60', jpegQuality: 60, must: { 2: 0.7, 4: 0.35 } },
  { name: 'noise 5', noise: 5, must: { 2: 0.3, 4: 0.3 } },
  { name: 'noise 15', noise: 15, must: { 2: 0.3, 4: 0.3 } },
  { name: 'noise 5, JPEG 80', noise: 5, jpegQuality: 80, must: { 2: 0.3, 4: 0.3 } },
  { name: 'noise 15, JPEG 80', noise: 15, jpegQuality: 80, must: { 2: 0.3, 4: 0.3 } },
  // At 4x many of the sets' pictures are too small to be measured.
  { name: 'blur 0.8', blurPx: 0.8, must: {} },
  { name: 'blur 1.2', blurPx: 1.2, must: { 2: 1 } },
];

/** A file of the picture with that damage: PNG, or JPEG where it is compressed. */
export async function damagedFile(whole: Pixels, kind: DamageKind): Promise<Buffer> {
  const { noise = 0, jpegQuality, blurPx } = kind;
  const picture = blurPx === undefined ? whole : blurred(whole, blurPx);
  const { width, height, channels } = picture;
  const random = chance(1);
  const data =
    noise === 0
      ? Uint8Array.from(picture.data)
      : Uint8Array.from(picture.data, (value) =>
          Math.min(Math.max(Math.round(value + noise * normal(random)), 0), 255),
        );
  const open = sharp(data, { raw: { width, height, channels } });
  return jpegQuality === undefined
    ? open.png().toBuffer()
    : open.jpeg({ quality: jpegQuality, chromaSubsampling: '4:2:0' }).toBuffer();
}

/** By a Gaussian whose taps are not rounded, as libvips' are. */
function blurred({ data, width, height, channels }: Pixels, deviation: number): Pixels {
  const radius = Math.ceil(3 * deviation);
  const taps = Array.from({ length: 2 * radius + 1 }, (_, k) =>
    Math.exp(-0.5 * ((k - radius) / deviation) ** 2),
  );
  const sum = taps.reduce((a, b) => a + b, 0);
  const kernel = taps.map((tap) => tap / sum);
  const planes = Array.from({ length: channels }, (_, band) =>
    convolved(
      planeOf({ width, height }, (x, y) => data[(y * width + x) * channels + band]!),
      kernel,
    ),
  );
  const soft = Uint8Array.from(data, (_, i) =>
    Math.round(planes[i % channels]!.data[Math.floor(i / channels)]!),
  );
  return { data: soft, width, height, channels };
}
