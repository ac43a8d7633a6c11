import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { sharedTestEngine, type JobOptions } from '../../support/engine.ts';
import {
  asSharp,
  deep,
  grey,
  photo,
  readPixels,
  withAlpha,
  type Pixels,
} from '../../support/images.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { differenceOf } from '../../support/pixels.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

async function enlarge(picture: Pixels, wish: Partial<JobOptions>) {
  const sourcePath = await engine.saved(picture);
  const network = nearestNetwork(join(engine.dir, 'networks'));
  const choices = [[network], [network, network]];
  const ran = await engine.run({ sourcePath, passes: [network], choices, ...wish });
  return { ...ran, picture: await readPixels(ran.outputPath) };
}

describe('a size to reach', () => {
  it('keeps the profile and the metadata of the source', async () => {
    const sourcePath = join(engine.dir, 'described.jpg');
    const picture = asSharp(photo(100, 60))
      .withIccProfile('p3')
      .withExifMerge({ IFD0: { Artist: 'A. Photographer' } });
    writeFileSync(sourcePath, await picture.jpeg().toBuffer());
    const target = { kind: 'width', value: 150 } as const;
    const network = nearestNetwork(join(engine.dir, 'networks'));
    const ran = await engine.run({ sourcePath, passes: [network], choices: [[network]], target });
    const { icc, exif } = await sharp(ran.outputPath).metadata();
    expect(icc).toEqual((await sharp(sourcePath).metadata()).icc);
    expect(exif?.includes('A. Photographer')).toBe(true);
  });

  it.each([
    ['width', 150, 1],
    ['longEdge', 320, 2],
    ['megapixels', 0.02, 1],
  ] as const)(
    'by %s is met to the pixel, by as few passes as it needs',
    async (kind, value, passes) => {
      const { picture, report } = await enlarge(photo(100, 60), { target: { kind, value } });
      const sizes = { width: [150, 90], longEdge: [320, 192], megapixels: [183, 110] } as const;
      expect([picture.width, picture.height]).toEqual(sizes[kind]);
      expect(report.output).toMatchObject({ width: picture.width, height: picture.height });
      expect(report.ran).toHaveLength(passes);
    },
  );

  it.each([
    ['RGB', photo(64, 48)],
    ['16-bit grey', deep(grey(photo(64, 48)))],
    ['RGB with alpha', withAlpha(photo(64, 48), 0)],
  ])('brings a %s picture back to itself when it is its own size', async (_, source) => {
    const { picture } = await enlarge(source, { target: { kind: 'width', value: 64 } });
    expect(picture.channels).toBe(source.channels);
    expect(picture.data instanceof Uint16Array).toBe(source.data instanceof Uint16Array);
    // Squares of equal pixels, reduced with Lanczos, are nearly the pixels again, and not shifted.
    expect(differenceOf(picture, source).mean).toBeLessThan(2.5);
  });

  it('fails before the network when it cannot be reached', async () => {
    await expect(
      enlarge(photo(100, 60), { target: { kind: 'width', value: 401 } }),
    ).rejects.toMatchObject({ code: 'IMAGE_TOO_LARGE' });
  });

  it('tells what it will make and take before it begins', async () => {
    const estimates: unknown[] = [];
    const sourcePath = join(engine.dir, 'told.png');
    writeFileSync(sourcePath, await asSharp(photo(100, 60)).png().toBuffer());
    const passes = [nearestNetwork(join(engine.dir, 'networks'))];
    await engine.run({ sourcePath, passes }, undefined, ({ estimate, step }) => {
      if (estimate) estimates.push([step, estimate]);
    });
    expect(estimates).toMatchObject([['decode', { width: 200, height: 120, format: 'png' }]]);
  });
});

describe('sharpening', () => {
  it('raises the contrast of edges and leaves the mean', async () => {
    const plain = (await enlarge(photo(80, 60), {})).picture;
    const crisp = (await enlarge(photo(80, 60), { sharpen: 60 })).picture;
    const mean = ({ data }: Pixels) =>
      Array.from(data).reduce((sum, value) => sum + value, 0) / data.length;
    const edges = ({ data }: Pixels) =>
      Array.from(data).reduce((sum, value, i) => sum + Math.abs(value - (data[i + 3] ?? value)), 0);
    expect(Math.abs(mean(crisp) - mean(plain))).toBeLessThan(1);
    expect(edges(crisp)).toBeGreaterThan(1.1 * edges(plain));
  });

  it.each([
    ['RGB', photo(80, 60)],
    ['grey', grey(photo(80, 60))],
    ['16-bit RGB', deep(photo(80, 60))],
    ['RGB with alpha', withAlpha(photo(80, 60), 20)],
  ])('keeps the kind of a %s picture, also in TIFF', async (_, source) => {
    for (const target of [{}, { target: { kind: 'width', value: 100 } as const }]) {
      const wish = { sharpen: 30, format: 'tiff' as const, formatChosen: true, ...target };
      const { picture, outputPath } = await enlarge(source, wish);
      const { depth } = await sharp(outputPath).metadata();
      expect(depth).toBe(source.data instanceof Uint16Array ? 'ushort' : 'uchar');
      expect(picture.channels).toBe(source.channels);
    }
  });

  it('keeps sixteen bits', async () => {
    const { picture } = await enlarge(deep(photo(80, 60)), { sharpen: 30 });
    expect(picture.data).toBeInstanceOf(Uint16Array);
    expect(new Set(picture.data).size).toBeGreaterThan(4096);
  });
});
