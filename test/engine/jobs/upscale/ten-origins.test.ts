/** What the default asks for of photos of ten origins: as one who knows would choose by hand. */
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sharedTestEngine } from '../../../support/engine.ts';
import { asSharp, type Pixels } from '../../../support/images.ts';
import { dngOf } from '../../../support/made-files.ts';
import { toldNetwork } from '../../../support/networks-made.ts';
import {
  chance,
  decoded,
  encoded,
  normal,
  scene,
  withNoise,
  withNoiseOfLight,
} from '../../analysis/damaged-pictures.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());
const network = toldNetwork(join(engine.dir, 'networks'));

const clean = scene(6, 320);
const jpegOf = (picture: Pixels, quality: number) =>
  encoded(picture).jpeg({ quality, chromaSubsampling: '4:2:0' }).toBuffer();
const deepTiff = (picture: Pixels) => {
  const data = Uint16Array.from(picture.data, (value) => value * 257);
  return asSharp({ ...picture, data })
    .toColourspace('rgb16')
    .tiff({ compression: 'lzw' })
    .toBuffer();
};

/** Linear light of a soft scene on a sensor, with its noise. */
function rawPhoto(): Buffer {
  const random = chance(8);
  return dngOf(320, 240, (x, y) => {
    const light = 14_000 + 6000 * Math.sin(x / 40) * Math.cos(y / 33);
    return Math.round(Math.min(Math.max(light + 700 * normal(random), 0), 65_535));
  });
}

interface Origin {
  name: string;
  file: () => Promise<Buffer>;
  /** What is to be taken off; without a quality nothing of compression. */
  quality?: [least: number, most: number];
  noise: [least: number, most: number];
  /** Whether its own grain is plain. */
  isGrainy?: boolean;
  bits: 8 | 16;
  format: string;
}

const origins: Origin[] = [
  {
    name: "a camera's JPEG",
    file: () => jpegOf(withNoise(clean, 1.5), 95),
    quality: [88, 98],
    noise: [0, 2.5],
    bits: 8,
    format: 'jpeg',
  },
  {
    name: "a messenger's JPEG",
    file: () => jpegOf(clean, 60),
    quality: [55, 65],
    noise: [0, 2.5],
    bits: 8,
    format: 'jpeg',
  },
  {
    name: 'a PNG made of a JPEG',
    file: async () =>
      encoded(await decoded(await jpegOf(clean, 75)))
        .png()
        .toBuffer(),
    quality: [65, 85],
    noise: [0, 2.5],
    bits: 8,
    format: 'png',
  },
  {
    name: 'a WebP made of a JPEG',
    file: async () =>
      encoded(await decoded(await jpegOf(clean, 50)))
        .webp({ quality: 92 })
        .toBuffer(),
    quality: [40, 60],
    noise: [0, 3],
    bits: 8,
    format: 'webp',
  },
  {
    name: 'a photo at high ISO',
    file: () => jpegOf(withNoise(clean, 12), 92),
    quality: [90, 94],
    noise: [10, 14],
    isGrainy: true,
    bits: 8,
    format: 'jpeg',
  },
  {
    name: 'a clean TIFF of 16 bits',
    file: () => deepTiff(clean),
    noise: [0, 1.5],
    bits: 16,
    format: 'tiff',
  },
  {
    name: 'a camera RAW',
    file: () => Promise.resolve(rawPhoto()),
    noise: [0, 3],
    bits: 16,
    format: 'tiff',
  },
  {
    name: 'an AVIF',
    file: () => encoded(clean).avif({ quality: 50 }).toBuffer(),
    quality: [50, 85],
    noise: [0, 2.5],
    bits: 8,
    format: 'avif',
  },
  {
    name: 'a thumbnail',
    file: async () =>
      jpegOf(await decoded(await encoded(clean).resize(96, 96).png().toBuffer()), 80),
    quality: [75, 85],
    noise: [0, 3],
    bits: 8,
    format: 'jpeg',
  },
  {
    name: 'a scan of film',
    file: () => deepTiff(withNoiseOfLight(clean, 6)),
    noise: [4.5, 7.5],
    isGrainy: true,
    bits: 16,
    format: 'tiff',
  },
];

const isWithin =
  ([least, most]: [number, number]) =>
  (value: number | undefined) =>
    value !== undefined && value >= least && value <= most;

describe('the default', () => {
  it.each(origins)('asks for what one who knows would choose: $name', async (origin) => {
    const sourcePath = await engine.saved(await origin.file());
    const { report } = await engine.run({ sourcePath, passes: [network] });
    const { measured, output } = report;
    const { jpegQuality, noise = -1 } = measured?.restored ?? {};
    if (origin.quality) expect(jpegQuality).toSatisfy(isWithin(origin.quality));
    else expect(jpegQuality).toBeUndefined();
    expect(noise).toSatisfy(isWithin(origin.noise));
    expect(output).toMatchObject({ bitDepth: origin.bits, format: origin.format });
    // Without a wish for grain there is none; with 'auto' the result has the photo's own.
    expect(measured?.grain).toBeUndefined();
    const { report: grained } = await engine.run({ sourcePath, passes: [network], grain: 'auto' });
    const [, most] = origin.noise;
    if (origin.isGrainy)
      expect(grained.measured?.grain?.deviation).toSatisfy(isWithin(origin.noise));
    else expect(grained.measured?.grain?.deviation ?? 0).toBeLessThanOrEqual(most);
  });
});
