/** Compares the guessed size of a result's file with what encoders make. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { OutputFormat } from '../../../packages/contract/src/formats.ts';
import { fileBytesOf } from '../../../electron/engine/plan/file-size.ts';
import { grainAt } from '../../../electron/engine/jobs/upscale/grain.ts';
import type { SourceInspection } from '../../../electron/engine/protocol/messages.ts';
import { photographs } from '../../support/shared.ts';

const source: SourceInspection = {
  ...{ format: 'jpeg', width: 3000, height: 2000, bitDepth: 8, channels: 3 },
  ...{ sizeBytes: 1_200_000, pages: 1, jpegQuality: 85, halfColour: false },
};
const planned = (format: OutputFormat, scale: number, bits: 8 | 16 = 8) => ({
  ...{ format, bits, width: source.width * scale, height: source.height * scale },
});

describe('the size of a file before it is made', () => {
  it('grows with the quality, and with what is in the photo', () => {
    const at = (quality: number) => fileBytesOf(source, planned('jpeg', 2), { quality });
    const sizes = [1, 40, 60, 80, 85, 92, 95, 97, 99, 100].map(at);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    const busy = { ...source, sizeBytes: 2_400_000 };
    expect(fileBytesOf(busy, planned('jpeg', 2))).toBeGreaterThan(1.5 * at(92));
  });

  it('takes a photo that was written at a higher quality for no busier one', () => {
    const finer = { ...source, jpegQuality: 95, sizeBytes: 1.88 * source.sizeBytes };
    const [one, other] = [source, finer].map((each) => fileBytesOf(each, planned('jpeg', 2)));
    expect(other! / one!).toBeCloseTo(1, 1);
  });

  it('is never more than the pixels themselves', () => {
    const noise = { ...source, sizeBytes: 17_000_000 };
    for (const format of ['png', 'tiff', 'jpeg', 'webp', 'avif', 'jxl'] as const)
      for (const scale of [1, 2, 4, 8, 16])
        expect(fileBytesOf(noise, planned(format, scale))).toBeLessThan(
          source.width * source.height * scale ** 2 * 3.1,
        );
  });

  it.each([
    ['a PNG that is full of noise', { format: 'png', sizeBytes: 17_500_000 }, 7],
    [
      'a lossless WebP full of noise',
      { format: 'webp', lossless: true, sizeBytes: 17_500_000 },
      15,
    ],
    ['a TIFF that holds pixels as they are', { format: 'tiff', sizeBytes: 18_000_100 }, 4],
    ['a PNG of 16 bits', { format: 'png', bitDepth: 16, sizeBytes: 24_000_000 }, 3.1],
    [
      'a lossless JPEG XL of 16 bits',
      { format: 'jxl', lossless: true, bitDepth: 16, sizeBytes: 24_000_000 },
      22.4,
    ],
  ])('goes by the size of %s, as its format packs', (_of, own, megabytes) => {
    const guessed = fileBytesOf({ ...source, ...own }, planned('jpeg', 2)) / 1e6;
    expect(guessed).toBeCloseTo(megabytes, 0);
  });

  it('is larger in 16 bits, and smaller for a subject alone', () => {
    const png = fileBytesOf(source, planned('png', 2));
    expect(fileBytesOf(source, planned('png', 2, 16))).toBeGreaterThan(1.5 * png);
    expect(fileBytesOf(source, planned('png', 2), { share: 0.4 })).toBeLessThan(0.5 * png);
  });
});

const hasPhotographs = existsSync(photographs);

describe.skipIf(!hasPhotographs)('what grain adds (needs the shared photographs)', () => {
  const [width, height] = [400, 300];
  it.each([
    ['jpeg', 92, 6],
    ['jpeg', 80, 12],
    ['png', 100, 6],
    ['webp', 92, 6],
  ] as const)('is within 40 percent in the median, as %s of %i with %i levels', async (...kind) => {
    const [format, quality, grain] = kind;
    const names = (await readdir(photographs)).filter((name) => name.endsWith('.jpg'));
    const laid = grainAt({ x: 0, y: 0, width, height }, { deviation: grain, softnessPx: 0.7 });
    const grow = fileBytesOf(source, planned(format, 2), { quality, grain });
    const told = grow - fileBytesOf(source, planned(format, 2), { quality });
    const toldPerPixel = told / (source.width * 2 * source.height * 2);
    const errors = await Promise.all(
      names
        .filter((_, i) => i % 8 === 3)
        .map(async (name) => {
          const small = await sharp(path.join(photographs, name)).resize(200, 150).png().toBuffer();
          const { data } = await sharp(small)
            .resize(width, height)
            .removeAlpha()
            .toColourspace('srgb')
            .raw()
            .toBuffer({ resolveWithObject: true });
          const bytesOf = async (pixels: Uint8Array) => {
            const picture = sharp(pixels, { raw: { width, height, channels: 3 } });
            // A quality makes sharp's PNGs ones of few colours.
            const options = format === 'png' ? {} : { quality };
            return (await picture.toFormat(format, options).toBuffer()).length;
          };
          const grained = Uint8Array.from(data, (value, i) =>
            Math.min(Math.max(Math.round(value + laid[Math.floor(i / 3)]!), 0), 255),
          );
          const added = (await bytesOf(grained)) - (await bytesOf(data));
          return toldPerPixel / (added / (width * height)) - 1;
        }),
    );
    const middle = errors.toSorted((a, b) => a - b)[errors.length >> 1]!;
    expect(Math.abs(middle)).toBeLessThan(0.4);
  });
});

describe.skipIf(!hasPhotographs)('over photographs (needs the shared ones)', () => {
  it.each(['jpeg', 'png', 'webp', 'tiff'] as const)(
    'is within 30 percent in the median at 2x, as %s',
    async (format) => {
      const names = (await readdir(photographs)).filter((name) => name.endsWith('.jpg'));
      const errors = await Promise.all(
        names
          .filter((_, i) => i % 5 === 2)
          .map((name) => errorOf(path.join(photographs, name), format)),
      );
      expect(errors.sort((a, b) => a - b)[errors.length >> 1]).toBeLessThan(0.3);
    },
  );
});

/** Lanczos stands for the network here. */
async function errorOf(file: string, format: 'jpeg' | 'png' | 'webp' | 'tiff'): Promise<number> {
  const [width, height] = [400, 300];
  const piece = await sharp(file)
    .extract({ left: 300, top: 200, width, height })
    .jpeg({ quality: 85, chromaSubsampling: '4:4:4' })
    .toBuffer();
  const large = sharp(piece).resize(2 * width, 2 * height, { kernel: 'lanczos3' });
  const made = {
    jpeg: () => large.jpeg({ quality: 92, chromaSubsampling: '4:4:4' }),
    png: () => large.png(),
    webp: () => large.webp({ quality: 92 }),
    tiff: () => large.tiff({ compression: 'deflate', predictor: 'horizontal' }),
  };
  const { length } = await made[format]().toBuffer();
  const given = { ...source, width, height, sizeBytes: piece.length };
  const foretold = fileBytesOf(given, { format, bits: 8, width: 2 * width, height: 2 * height });
  return Math.abs(foretold / length - 1);
}
