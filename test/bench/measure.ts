/**
 * How near the measured damage of a photo comes to what was done to it: on photographs that no training saw and on
 * others of the shared folder, halved so that they are clean, as crops of three sizes. A table of shares within 10
 * quality points and 1.5 levels of noise. The level is that before compression, where nothing is clipped.
 * `node test/bench/measure.ts [PICTURES] [SIDE] [DAMAGE]`, 40 of all three sizes and every damage unless told;
 * DAMAGE is a part of its name, such as JPEG.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { measurePicture } from '../../electron/engine/analysis/measure-picture.ts';
import type { FileCompression } from '../../packages/photo-files/src/compression/file-compression.ts';
import type { Damage } from '../../electron/engine/protocol/damage.ts';
import { stepsInJpeg } from '../../packages/file-records/src/jpeg-quality.ts';
import { bytesInMemory } from '../../packages/file-records/src/tiff/tiff-directory.ts';
import {
  decoded,
  encoded,
  inMemory,
  withNoise,
  withNoiseOfLight,
} from '../engine/analysis/damaged-pictures.ts';
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
  /** By half after the noise, which is as much less as it then measures. */
  isReduced?: boolean;
}

const noises = [0, 2, 5, 10, 15, 20, 25];
const allCases: Case[] = [
  ...noises.map((noise) => ({ name: `noise ${noise}`, noise })),
  ...[95, 90, 80, 70, 60, 50].flatMap((quality) =>
    noises.map((noise) => ({ name: `noise ${noise}, JPEG ${quality}`, noise, quality })),
  ),
  ...[5, 15].map((noise) => ({ name: `noise ${noise}, reduced`, noise, isReduced: true })),
  { name: 'soft noise 5', noise: 5, noiseKind: 'soft' },
  { name: 'noise of light 3', noise: 3, noiseKind: 'of light' },
  { name: 'noise of light 6', noise: 6, noiseKind: 'of light' },
  { name: 'PNG of JPEG 92', quality: 92, isHidden: true },
  { name: 'PNG of JPEG 80', quality: 80, isHidden: true },
  { name: 'PNG of JPEG 60', quality: 60, isHidden: true },
];
const [, , pictureCount = '40', side = 'all', damageName = ''] = process.argv;
const cases = allCases.filter(({ name }) => name.includes(damageName));
const sizes = side === 'all' ? [128, 400, 1500] : [Number(side)];

const folders = [photographs, `${photographs}-2`].filter((folder) => existsSync(folder));
if (folders.length === 0) throw new Error('Expected the folder of shared photographs');
/** Photographs of data.tsv that no training sees, and those that the noise regression did not see (noise.py). */
const heldBack = new Set(
  readFileSync(join(import.meta.dirname, '../../models/training/data.tsv'), 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([, , , , , sha256 = '', held]) => held === 'held' || /^[01][\da-f]+$/.test(sha256))
    .map(([name = '']) => name),
);
const all = folders.flatMap((folder) =>
  globSync('*.jpg', { cwd: folder })
    .toSorted()
    .map((name) => join(folder, name)),
);
const isHeld = (path: string) => heldBack.has(basename(path));
const held = all.filter(isHeld);
const others = all.filter((path) => !isHeld(path));
const count = Math.min(Number(pictureCount), all.length);
const spread = (paths: readonly string[], picked: number) =>
  Array.from({ length: picked }, (_, i) => paths[Math.floor((i * paths.length) / picked)] ?? '');
const chosen = [
  ...spread(held, Math.min(count, held.length)),
  ...spread(others, Math.max(0, count - held.length)),
];

async function crop(path: string, side: number): Promise<Pixels> {
  const { width, height } = await sharp(path).metadata();
  // Of the largest size the whole photograph is seen, reduced so far that its own file's traces are gone.
  const by = side > 1000 ? 1.4 : 2;
  const half = { width: Math.floor(width / by), height: Math.floor(height / by) };
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

async function halved(picture: Pixels): Promise<Pixels> {
  const size = { width: picture.width >> 1, height: picture.height >> 1 };
  return decoded(await encoded(picture).resize(size).png().toBuffer());
}

const rootMeanSquare = (a: Pixels, b: Pixels) =>
  Math.sqrt(
    Array.from(a.data).reduce((sum, value, i) => sum + (value - (b.data[i] ?? 0)) ** 2, 0) /
      a.data.length,
  );

const atOnce = () => Promise.resolve();

/** What was measured, and the noise that was there. */
async function measured(picture: Pixels, kind: Case): Promise<{ damage: Damage; noise: number }> {
  const { quality, noise = 0 } = kind;
  const noisy = await noised(picture, kind);
  if (kind.isReduced) {
    const small = await halved(noisy);
    const damage = await measurePicture(inMemory(small), { kind: 'unsaid' }, atOnce);
    return { damage, noise: rootMeanSquare(small, await halved(picture)) };
  }
  if (quality === undefined)
    return { damage: await measurePicture(inMemory(noisy), { kind: 'unsaid' }, atOnce), noise };
  const bytes = await encoded(noisy).jpeg({ quality, chromaSubsampling: '4:2:0' }).toBuffer();
  const steps = kind.isHidden ? undefined : stepsInJpeg(bytesInMemory(bytes));
  const file: FileCompression = steps ? { kind: 'jpeg', steps } : { kind: 'unsaid' };
  return { damage: await measurePicture(inMemory(await decoded(bytes)), file, atOnce), noise };
}

const part = (values: boolean[]) =>
  `${Math.round((100 * values.filter(Boolean).length) / values.length)} %`;
const middle = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
const worst = (values: number[]) =>
  values.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);

const rows: (string | number)[][] = [];
for (const own of sizes) {
  const pictures = await Promise.all(chosen.map((path) => crop(path, own)));
  for (const kind of cases) {
    const found: { damage: Damage; noise: number }[] = [];
    for (const picture of pictures) found.push(await measured(picture, kind));
    const quality = kind.quality ?? 100;
    const off = found.map(({ damage, noise }) => damage.deviation - noise);
    const qualities = found.map(({ damage }) => (damage.jpegQuality ?? 100) - quality);
    rows.push([
      own,
      kind.name,
      part(off.map((value) => Math.abs(value) <= 1.5)),
      middle(off).toFixed(1),
      worst(off).toFixed(1),
      part(qualities.map((value) => Math.abs(value) <= 10)),
      middle(qualities),
      worst(qualities),
    ]);
  }
}
printTable(
  ['side', 'damage', 'noise right', 'median off', 'worst', 'quality right', 'median off', 'worst'],
  rows,
);
