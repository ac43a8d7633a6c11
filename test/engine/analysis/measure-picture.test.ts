import { randomUUID } from 'node:crypto';
import { existsSync, globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  readFileCompression,
  type FileCompression,
} from '../../../packages/photo-files/src/compression/file-compression.ts';
import { stepsInJpeg } from '../../../packages/file-records/src/jpeg-quality.ts';
import { measurePicture } from '../../../electron/engine/analysis/measure-picture.ts';
import { bytesInMemory } from '../../../packages/file-records/src/tiff/tiff-directory.ts';
import type { Pixels } from '../../support/images.ts';
import { photographs } from '../../support/shared.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import {
  chance,
  decoded,
  encoded,
  inMemory,
  scene,
  steep,
  withNoise,
  withNoiseOfLight,
  withTexture,
} from './damaged-pictures.ts';

const measured = (picture: Pixels, file: FileCompression) =>
  measurePicture(inMemory(picture), file, () => Promise.resolve());
const unsaid = { kind: 'unsaid' } as const;
const seeds = Array.from({ length: 3 }, (_, i) => i + 1);
const within = (values: number[], truth: number, most: number) =>
  values.filter((value) => Math.abs(value - truth) <= most).length;

const folder = temporaryFolder();
const otherFormats = [
  { format: 'webp', options: { quality: 95 } },
  { format: 'avif', options: { quality: 80, effort: 2 } },
] as const;

const afterJpeg = async (picture: Pixels, quality: number) =>
  decoded(await encoded(picture).jpeg({ quality }).toBuffer());

/** Measures a picture as it is after a file of another lossy format, with what that file's head says. */
async function stored(
  picture: Pixels,
  { format, options }: { format: 'webp' | 'avif'; options: { quality: number; effort?: number } },
) {
  const bytes = await encoded(picture)[format](options).toBuffer();
  const file = path.join(folder, `${randomUUID()}.${format}`);
  writeFileSync(file, bytes);
  return measured(await decoded(bytes), readFileCompression(file, format));
}

describe('measurePicture', () => {
  it.each([0, 2, 5, 10, 15])('tells noise of %i levels on all', async (deviation) => {
    const found = await Promise.all(
      seeds.map(async (seed) => {
        const noisy = withNoise(scene(seed), deviation, seed);
        return (await measured(noisy, unsaid)).deviation;
      }),
    );
    expect(within(found, deviation, 1.5)).toBe(seeds.length);
  });

  it.each([0, 5])(
    'tells noise of %i levels under texture that all colours share',
    async (deviation) => {
      const found = await Promise.all(
        seeds.map(async (seed) => {
          const noisy = withNoise(withTexture(scene(seed), seed), deviation, seed);
          return (await measured(noisy, unsaid)).deviation;
        }),
      );
      expect(within(found, deviation, 1.5)).toBe(seeds.length);
    },
  );

  it('tells noise of brightness alone on all', async () => {
    const found = await Promise.all(
      seeds.map(
        async (seed) => (await measured(withNoiseOfLight(scene(seed), 4, seed), unsaid)).deviation,
      ),
    );
    expect(within(found, 4, 1.5)).toBe(seeds.length);
  });

  it.each([2, 3])('tells it at %i levels where no place is flat', async (deviation) => {
    const found = await Promise.all(
      seeds.map(async (seed) => {
        const noisy = withNoiseOfLight(steep(), deviation, seed);
        return (await measured(noisy, unsaid)).deviation;
      }),
    );
    expect(within(found, deviation, 0.5)).toBe(seeds.length);
    expect((await measured(steep(), unsaid)).deviation).toBeLessThan(1.5);
  });

  it.each([60, 80, 92])('tells quality %i from pixels on all', async (quality) => {
    const found = await Promise.all(
      seeds.map(async (seed) => {
        const file = await encoded(scene(seed)).jpeg({ quality }).toBuffer();
        return (await measured(await decoded(file), unsaid)).jpegQuality ?? 100;
      }),
    );
    expect(within(found, quality, 10)).toBe(seeds.length);
  });

  it('tells it where the picture was cut out of a larger one', async () => {
    const file = await encoded(scene(3)).jpeg({ quality: 70 }).toBuffer();
    const cut = await encoded(await decoded(file))
      .extract({ left: 5, top: 3, width: 215, height: 221 })
      .png()
      .toBuffer();
    const { jpegQuality = 0, toldBy } = await measured(await decoded(cut), unsaid);
    expect(toldBy).toBe('pixels');
    expect(Math.abs(jpegQuality - 70)).toBeLessThanOrEqual(10);
  });

  it('finds no compression in pictures that had none', async () => {
    const found = await Promise.all(seeds.map((seed) => measured(scene(seed), unsaid)));
    expect(found.filter(({ toldBy }) => toldBy === 'nothing').length).toBe(seeds.length);
  });

  it('finds the stronger compression in a file that was saved again', async () => {
    const first = await encoded(scene(4)).jpeg({ quality: 50 }).toBuffer();
    const again = await encoded(await decoded(first))
      .jpeg({ quality: 95 })
      .toBuffer();
    const steps = stepsInJpeg(bytesInMemory(again)) ?? [];
    const { jpegQuality = 100 } = await measured(await decoded(again), { kind: 'jpeg', steps });
    expect(Math.abs(jpegQuality - 50)).toBeLessThanOrEqual(10);
  });

  it.each([85, 90])('finds it where it was saved again at %i', async (quality) => {
    const again = await encoded(await afterJpeg(scene(4), 50))
      .jpeg({ quality })
      .toBuffer();
    const steps = stepsInJpeg(bytesInMemory(again)) ?? [];
    const damage = await measured(await decoded(again), { kind: 'jpeg', steps });
    expect(damage).toMatchObject({ toldBy: 'pixels', jpegQuality: 51 });
  });

  describe.each(otherFormats)('of a file of $format', (kind) => {
    it.each([40, 50])('finds the JPEG of quality %i that it was made from', async (quality) => {
      const found = await Promise.all(
        seeds.map(async (seed) => stored(await afterJpeg(scene(seed), quality), kind)),
      );
      expect(found.map(({ toldBy }) => toldBy)).toEqual(seeds.map(() => 'pixels'));
      const qualities = found.map(({ jpegQuality = 100 }) => jpegQuality);
      expect(within(qualities, quality, 5)).toBe(seeds.length);
    });

    it('believes the header where nothing was compressed before', async () => {
      const found = await Promise.all(seeds.map((seed) => stored(scene(seed), kind)));
      expect(found.map(({ toldBy }) => toldBy)).toEqual(seeds.map(() => 'header'));
    });
  });

  it.each([
    [80, 5],
    [80, 10],
    [92, 5],
  ])('tells the noise before a JPEG of quality %i with noise of %i', async (quality, deviation) => {
    const found = await Promise.all(
      seeds.map(async (seed) => {
        const noisy = withNoise(scene(seed, 360), deviation, seed);
        const file = await encoded(noisy).jpeg({ quality }).toBuffer();
        const steps = stepsInJpeg(bytesInMemory(file)) ?? [];
        const damage = await measured(await decoded(file), { kind: 'jpeg', steps });
        expect(Math.abs((damage.jpegQuality ?? 0) - quality)).toBeLessThanOrEqual(1);
        return damage.deviation;
      }),
    );
    expect(within(found, deviation, 1.5)).toBe(seeds.length);
  });

  it('knows soft noise from white noise', async () => {
    const noise = withNoise({ ...scene(1), data: new Uint8Array(232 * 232 * 3).fill(128) }, 12);
    const soft = await decoded(await encoded(noise).blur(0.6).png().toBuffer());
    const white = await measured(noise, unsaid);
    const softened = await measured(soft, unsaid);
    expect(white.softnessPx).toBeLessThan(0.25);
    expect(softened.softnessPx).toBeGreaterThan(0.35);
  });

  it('says nothing of a picture smaller than a block, or clipped all over', async () => {
    const tiny = {
      data: new Uint8Array(3 * 5 * 4).fill(9),
      width: 5,
      height: 4,
      channels: 3 as const,
    };
    const white = { ...scene(1), data: new Uint8Array(232 * 232 * 3).fill(255) };
    for (const picture of [tiny, white]) {
      const damage = await measured(picture, unsaid);
      expect(damage).toEqual({ deviation: 0, softnessPx: 0, toldBy: 'nothing', blockiness: 0 });
    }
  });

  it('measures 16 bits as 8', async () => {
    const noisy = withNoise(scene(2), 6);
    const random = chance(1);
    const deep = Uint16Array.from(noisy.data, (value) => value * 257 + Math.floor(random() * 100));
    const { deviation } = await measured({ ...noisy, data: deep }, unsaid);
    expect(Math.abs(deviation - 6)).toBeLessThan(1);
  });
});

const isShared = existsSync(photographs);

describe.skipIf(!isShared)(
  `measurePicture of photographs${isShared ? '' : ': skipped, there is no shared folder'}`,
  () => {
    const names = isShared ? globSync('*.jpg', { cwd: photographs }).toSorted() : [];
    const chosen = Array.from({ length: 10 }, (_, i) => names[i * 6] ?? '');
    /** The photographs are halved, so that the damage of their own files is gone. */
    let pictures: Pixels[];
    beforeAll(async () => {
      pictures = await Promise.all(
        chosen.map(async (name) => {
          const file = sharp(path.join(photographs, name)).resize({
            width: 360,
            height: 360,
            fit: 'inside',
          });
          return decoded(await file.toColourspace('srgb').removeAlpha().png().toBuffer());
        }),
      );
    });

    it.each([0, 5, 25])('tells noise of %i levels on nine of ten', async (deviation) => {
      const found: number[] = [];
      for (const picture of pictures)
        found.push((await measured(withNoise(picture, deviation, 3), unsaid)).deviation);
      expect(within(found, deviation, 1.5)).toBeGreaterThanOrEqual(9);
    });

    it.each([
      [92, 10, 9],
      [80, 15, 8],
      [60, 0, 9],
      [50, 2, 9],
    ])(
      'tells of a JPEG of quality %i the noise of %i before it on %i of ten',
      async (quality, deviation, least) => {
        const found: number[] = [];
        for (const picture of pictures) {
          const file = await encoded(withNoise(picture, deviation, 3))
            .jpeg({ quality })
            .toBuffer();
          const steps = stepsInJpeg(bytesInMemory(file)) ?? [];
          found.push((await measured(await decoded(file), { kind: 'jpeg', steps })).deviation);
        }
        expect(within(found, deviation, 1.5)).toBeGreaterThanOrEqual(least);
      },
    );

    it('takes no texture of thumbnails for noise', async () => {
      const found: number[] = [];
      for (const picture of pictures) {
        const small = encoded(picture).resize(160, 160, { fit: 'inside' });
        const file = await small.jpeg({ quality: 80 }).toBuffer();
        const steps = stepsInJpeg(bytesInMemory(file)) ?? [];
        found.push((await measured(await decoded(file), { kind: 'jpeg', steps })).deviation);
      }
      expect(within(found, 0, 3)).toBeGreaterThanOrEqual(9);
    });

    it.each([60, 92])('tells quality %i from pixels on nine of ten', async (quality) => {
      const found: number[] = [];
      for (const picture of pictures) {
        const file = await encoded(picture).jpeg({ quality }).toBuffer();
        found.push((await measured(await decoded(file), unsaid)).jpegQuality ?? 100);
      }
      expect(within(found, quality, 10)).toBeGreaterThanOrEqual(9);
    });

    it.each(otherFormats)('finds a JPEG of quality 50 before a file of $format', async (kind) => {
      const found: number[] = [];
      for (const picture of pictures)
        found.push((await stored(await afterJpeg(picture, 50), kind)).jpegQuality ?? 100);
      expect(within(found, 50, 10)).toBeGreaterThanOrEqual(9);
    });

    it.each([
      { format: 'webp', qualities: [60, 95] },
      { format: 'avif', qualities: [40, 80] },
    ] as const)('believes the header of $format on all', async ({ format, qualities }) => {
      for (const [half, quality] of qualities.entries())
        for (const picture of pictures.slice(5 * half, 5 * half + 5)) {
          const { toldBy } = await stored(picture, { format, options: { quality, effort: 2 } });
          expect(toldBy).toBe('header');
        }
    });
  },
);
