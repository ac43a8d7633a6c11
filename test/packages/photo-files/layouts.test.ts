import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sharp } from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { sharedTestEngine } from '../../support/engine.ts';
import { hasExiftool } from '../../support/exiftool.ts';
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
import { differenceOf, repeated } from '../../support/pixels.ts';

/** Makes a picture of black and white, and nothing between. */
const drawing: Pixels = (() => {
  const source = grey(photo(61, 40));
  return { ...source, data: source.data.map((value) => (value > 127 ? 255 : 0)) };
})();

const lzw = { compression: 'lzw' } as const;
/** Each row has a way in which a file can hold its pixels, what exiftool must say of it, and the pixels. */
const layouts: [
  name: string,
  source: Pixels,
  encoded: (p: Sharp) => Sharp,
  said: [string, string],
][] = [
  ['a PNG of one bit', drawing, (p) => p.png({ palette: true, colours: 2 }), ['BitDepth', '1']],
  ['a PNG with a palette', drawing, (p) => p.png({ palette: true }), ['ColorType', 'Palette']],
  [
    'an interlaced PNG',
    photo(61, 40),
    (p) => p.png({ progressive: true }),
    ['Interlace', 'Adam7 Interlace'],
  ],
  ['a PNG of 16-bit grey', deep(grey(photo(61, 40))), (p) => p.png(), ['BitDepth', '16']],
  [
    'a PNG of grey with alpha',
    withAlpha(grey(photo(61, 40)), 0),
    (p) => p.png(),
    ['ColorType', 'Grayscale with Alpha'],
  ],
  [
    'a TIFF of one bit',
    drawing,
    (p) => p.tiff({ compression: 'ccittfax4', bitdepth: 1 }),
    ['BitsPerSample', '1'],
  ],
  [
    'a tiled TIFF',
    photo(300, 200),
    (p) => p.tiff({ ...lzw, tile: true, tileWidth: 128, tileHeight: 128 }),
    ['TileWidth', '128'],
  ],
  ['a BigTIFF', deep(photo(61, 40)), (p) => p.tiff({ ...lzw, bigtiff: true }), ['FileType', 'BTF']],
];

describe('a picture laid out as', () => {
  const engine = sharedTestEngine();
  afterAll(() => engine.close());

  const enlarge = (sourcePath: string) =>
    engine.run({ sourcePath, passes: [nearestNetwork(join(engine.dir, 'networks'))] });

  it.each(layouts)('%s comes out with its numbers', async (name, source, encoded, [tag, value]) => {
    const sourcePath = join(engine.dir, name);
    writeFileSync(sourcePath, await encoded(asSharp(source)).toBuffer());
    if (hasExiftool)
      expect(
        execFileSync('exiftool', ['-s3', `-${tag}`, sourcePath])
          .toString()
          .trim(),
      ).toBe(value);
    const { outputPath, report } = await enlarge(sourcePath);
    const result = await readPixels(outputPath);
    expect([result.width, result.height]).toEqual([source.width * 2, source.height * 2]);
    expect(report.notes).toEqual([]);
    const expected = repeated(source, 2);
    const isGrey = result.channels < 3;
    const asFound = isGrey === source.channels < 3 ? expected : asRgb(expected);
    expect(differenceOf(result, asFound).most).toBe(0);
  });

  /** Palettes hold colours. */
  const asRgb = (picture: Pixels): Pixels => ({
    ...picture,
    channels: 3,
    data: Uint8Array.from(
      { length: picture.data.length * 3 },
      (_, i) => picture.data[Math.floor(i / 3)]!,
    ),
  });

  it('a progressive JPEG comes out as the same numbers as a plain one', async () => {
    const sizes = await Promise.all(
      [true, false].map(async (progressive) => {
        const sourcePath = join(engine.dir, `progressive-${String(progressive)}.jpg`);
        writeFileSync(sourcePath, await asSharp(photo(61, 40)).jpeg({ progressive }).toBuffer());
        return readPixels((await enlarge(sourcePath)).outputPath);
      }),
    );
    expect(differenceOf(sizes[0]!, sizes[1]!).most).toBe(0);
  });

  it.each([
    ['a JPEG', (p: Sharp) => p.jpeg().toBuffer()],
    ['a PNG', (p: Sharp) => p.png().toBuffer()],
    ['a TIFF', (p: Sharp) => p.tiff().toBuffer()],
    ['a WebP', (p: Sharp) => p.webp().toBuffer()],
  ])('%s that is cut short fails in our words alone', async (name, encoded) => {
    const sourcePath = join(engine.dir, `${name} cut short`);
    const whole = await encoded(asSharp(photo(300, 200)));
    writeFileSync(sourcePath, whole.subarray(0, whole.length * 0.6));
    const failed = await enlarge(sourcePath).catch((error: unknown) => String(error));
    expect(failed).toMatch(
      /(300 x 200 pixels is damaged or cut short|begins like a \w+ but cannot be read)\.$/,
    );
  });

  it.each([
    [1, 1],
    [3000, 2],
  ])('%d x %d pixels is no special case', async (width, height) => {
    const sourcePath = join(engine.dir, `${width}.png`);
    const source = photo(width, height);
    writeFileSync(sourcePath, await asSharp(source).png().toBuffer());
    const { outputPath } = await enlarge(sourcePath);
    expect(differenceOf(await readPixels(outputPath), repeated(source, 2)).most).toBe(0);
  });
});
