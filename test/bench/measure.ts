/**
 * How near the measured damage of a photo comes to what was done to it: on shared photographs, halved so that
 * they are clean, as crops of three sizes. A table of shares within 10 quality points and 1.5 levels of noise.
 * `node test/bench/measure.ts [PICTURES]`, 40 unless told.
 */
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import {
  measurePicture,
  type Damage,
  type FileCompression,
} from '../../electron/engine/measure/measure-picture.ts';
import { stepsInJpeg } from '../../electron/engine/measure/jpeg-quality.ts';
import { bytesInMemory } from '../../electron/engine/metadata/tiff/tiff-directory.ts';
import {
  decoded,
  encoded,
  inMemory,
  withNoise,
  withNoiseOfLight,
} from '../engine/measure/damaged-pictures.ts';
import type { Pixels } from '../support/images.ts';
import { photographs } from '../support/shared.ts';
import { printTable } from './bench-pictures.ts';

interface Case {
  name: string;
  noise?: number;
  /** As soft as after a camera's interpolation of colours, or alike in all colours; else white. */
  noiseKind?: 'soft' | 'of light';
  quality?: number;
  /** Its file says nothing: a PNG made from the JPEG. */
  isHidden?: boolean;
}

const cases: Case[] = [
  { name: 'clean' },
  { name: 'noise 2', noise: 2 },
  { name: 'noise 5', noise: 5 },
  { name: 'noise 10', noise: 10 },
  { name: 'noise 15', noise: 15 },
  { name: 'noise 25', noise: 25 },
  { name: 'soft noise 5', noise: 5, noiseKind: 'soft' },
  { name: 'noise of light 3', noise: 3, noiseKind: 'of light' },
  { name: 'noise of light 6', noise: 6, noiseKind: 'of light' },
  { name: 'JPEG 92', quality: 92 },
  { name: 'JPEG 80', quality: 80 },
  { name: 'JPEG 60', quality: 60 },
  { name: 'noise 5, JPEG 92', noise: 5, quality: 92 },
  { name: 'noise 5, JPEG 80', noise: 5, quality: 80 },
  { name: 'noise 10, JPEG 80', noise: 10, quality: 80 },
  { name: 'PNG of JPEG 92', quality: 92, isHidden: true },
  { name: 'PNG of JPEG 80', quality: 80, isHidden: true },
  { name: 'PNG of JPEG 60', quality: 60, isHidden: true },
];
const sizes = [128, 256, 600];

const folders = [photographs, `${photographs}-2`].filter((folder) => existsSync(folder));
if (folders.length === 0) throw new Error('Expected the folder of shared photographs');
const all = folders.flatMap((folder) =>
  globSync('*.jpg', { cwd: folder })
    .toSorted()
    .map((name) => join(folder, name)),
);
const count = Math.min(Number(process.argv[2] ?? 40), all.length);
const chosen = Array.from(
  { length: count },
  (_, i) => all[Math.floor((i * all.length) / count)] ?? '',
);

async function crop(path: string, side: number): Promise<Pixels> {
  const { width, height } = await sharp(path).metadata();
  const half = { width: Math.floor(width / 2), height: Math.floor(height / 2) };
  const small = await sharp(path).resize(half).toColourspace('srgb').removeAlpha().png().toBuffer();
  const own = { width: Math.min(side, half.width), height: Math.min(side, half.height) };
  const left = Math.floor((half.width - own.width) / 2);
  const top = Math.floor((half.height - own.height) / 2);
  return decoded(
    await sharp(small)
      .extract({ left, top, ...own })
      .png()
      .toBuffer(),
  );
}

async function soft(picture: Pixels, deviation: number): Promise<Pixels> {
  const grey = { ...picture, data: new Uint8Array(picture.data.length).fill(128) };
  const blurred = await decoded(
    await encoded(withNoise(grey, 2 * deviation, 7))
      .blur(0.5)
      .png()
      .toBuffer(),
  );
  const values = [...blurred.data].map((value) => value - 128);
  const own = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
  const data = Uint8Array.from(picture.data, (value, i) =>
    Math.min(Math.max(Math.round(value + ((values[i] ?? 0) * deviation) / own), 0), 255),
  );
  return { ...picture, data };
}

async function noised(picture: Pixels, { noise = 0, noiseKind }: Case): Promise<Pixels> {
  if (noise === 0) return picture;
  if (noiseKind === 'soft') return soft(picture, noise);
  return (noiseKind === 'of light' ? withNoiseOfLight : withNoise)(picture, noise, 5);
}

async function measured(picture: Pixels, kind: Case): Promise<Damage> {
  const { quality } = kind;
  const noisy = await noised(picture, kind);
  if (quality === undefined)
    return measurePicture(inMemory(noisy), { kind: 'unsaid' }, () => Promise.resolve());
  const bytes = await encoded(noisy).jpeg({ quality, chromaSubsampling: '4:2:0' }).toBuffer();
  const steps = kind.isHidden ? undefined : stepsInJpeg(bytesInMemory(bytes));
  const file: FileCompression = steps ? { kind: 'jpeg', steps } : { kind: 'unsaid' };
  return measurePicture(inMemory(await decoded(bytes)), file, () => Promise.resolve());
}

const part = (values: boolean[]) =>
  `${Math.round((100 * values.filter(Boolean).length) / values.length)} %`;
const middle = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
const worst = (values: number[], truth: number) =>
  values.reduce(
    (most, value) => (Math.abs(value - truth) > Math.abs(most - truth) ? value : most),
    truth,
  );

const rows: (string | number)[][] = [];
for (const side of sizes) {
  const pictures = await Promise.all(chosen.map((path) => crop(path, side)));
  for (const kind of cases) {
    const found: Damage[] = [];
    for (const picture of pictures) found.push(await measured(picture, kind));
    const noise = kind.noise ?? 0;
    const quality = kind.quality ?? 100;
    const deviations = found.map(({ deviation }) => deviation);
    const qualities = found.map(({ jpegQuality = 100 }) => jpegQuality);
    rows.push([
      side,
      kind.name,
      part(deviations.map((value) => Math.abs(value - noise) <= 1.5)),
      middle(deviations).toFixed(1),
      worst(deviations, noise).toFixed(1),
      part(qualities.map((value) => Math.abs(value - quality) <= 10)),
      middle(qualities),
      worst(qualities, quality),
    ]);
  }
}
printTable(
  ['side', 'damage', 'noise right', 'median', 'worst', 'quality right', 'median', 'worst'],
  rows,
);
