import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { sharedTestEngine } from '../../support/engine.ts';
import { hasExiftool, readTags, withoutExiftool, writeTags } from '../../support/exiftool.ts';
import { asSharp, grey, photo, readPixels } from '../../support/images.ts';
import { bmpOf, dngOf, paletteBmpOf } from '../../support/made-files.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { differenceOf, repeated } from '../../support/pixels.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

/** Finds the corner whose quarter of the picture is the brightest. */
async function brightCorner(path: string): Promise<string> {
  const { data, width, height } = await readPixels(path);
  const sample = (x: number, y: number) => data[(y * width + x) * 3]!;
  const [left, right] = [width >> 2, (width >> 2) * 3];
  const [top, bottom] = [height >> 2, (height >> 2) * 3];
  const found = {
    'top left': sample(left, top),
    'top right': sample(right, top),
    'bottom left': sample(left, bottom),
    'bottom right': sample(right, bottom),
  };
  return Object.entries(found).toSorted((one, other) => other[1] - one[1])[0]![0];
}
const enlarge = (sourcePath: string) =>
  engine.run({ sourcePath, passes: [nearestNetwork(join(engine.dir, 'networks'))] });

describe('BMP', () => {
  it('becomes PNG with the same numbers', async () => {
    const source = photo(61, 40);
    const { outputPath, report } = await enlarge(await engine.saved(bmpOf(source)));
    expect(report.input).toMatchObject({ format: 'bmp', width: 61, height: 40 });
    expect(report.output.format).toBe('png');
    expect(differenceOf(await readPixels(outputPath), repeated(source, 2)).most).toBe(0);
  });

  it('that is grey stays grey', async () => {
    const source = grey(photo(61, 40));
    const { outputPath, report } = await enlarge(await engine.saved(paletteBmpOf(source)));
    expect([report.input.channels, report.output.channels]).toEqual([1, 1]);
    expect(differenceOf(await readPixels(outputPath), repeated(source, 2)).most).toBe(0);
  });

  it('keeps the colours of its palette', async () => {
    const source = grey(photo(61, 40));
    const file = paletteBmpOf(source, (i) => [i, 255 - i, i >> 1]);
    const { outputPath } = await enlarge(await engine.saved(file));
    const { data } = await readPixels(outputPath);
    const first = source.data[0]!;
    expect([...data.subarray(0, 3)]).toEqual([first >> 1, 255 - first, first]);
  });

  /** A BMP of Windows 3 whose pixels are given as they stand in the file. */
  function rawBmp(
    [width, height]: readonly [number, number],
    bits: number,
    compression: number,
    table: readonly number[],
    pixels: readonly number[],
  ): Buffer {
    const file = Buffer.alloc(54 + table.length + pixels.length);
    file.write('BM', 'latin1');
    [54 + table.length, 40, width, height].forEach((value, i) =>
      file.writeInt32LE(value, 10 + 4 * i),
    );
    file.writeUInt16LE(1, 26);
    file.writeUInt16LE(bits, 28);
    file.writeUInt32LE(compression, 30);
    file.set(table, 54);
    file.set(pixels, 54 + table.length);
    return file;
  }
  const [red, green, blue] = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
  ] as const;
  /** The palette's entries stand as blue, green, red and nothing. */
  const palette = [red, green, blue].flatMap(([r, g, b]) => [b, g, r, 0]);
  const masks = [0xf800, 0x07e0, 0x001f].flatMap((mask) => [mask & 255, mask >> 8, 0, 0]);

  it.each([
    [
      'of 1 bit',
      rawBmp([3, 2], 1, 0, palette.slice(0, 8), [0b01000000, 0, 0, 0, 0b10100000, 0, 0, 0]),
      [green, red, green, red, green, red],
    ],
    [
      'of 4 bits',
      rawBmp(
        [3, 2],
        4,
        0,
        [...palette, ...new Array<number>(52).fill(0)],
        [0x01, 0x20, 0, 0, 0x21, 0x00, 0, 0],
      ),
      [blue, green, red, red, green, blue],
    ],
    [
      'of 8 bits in run lengths',
      rawBmp(
        [3, 2],
        8,
        1,
        [...palette, ...new Array<number>(1012).fill(0)],
        [3, 1, 0, 0, 0, 3, 2, 1, 0, 0, 0, 1],
      ),
      [blue, green, red, green, green, green],
    ],
    [
      'of 8 bits in run lengths with a jump',
      rawBmp(
        [3, 2],
        8,
        1,
        [...palette, ...new Array<number>(1012).fill(0)],
        [1, 2, 0, 2, 1, 1, 1, 1, 0, 1],
      ),
      [red, red, green, blue, red, red],
    ],
    [
      'of 4 bits in run lengths',
      rawBmp(
        [3, 2],
        4,
        2,
        [...palette, ...new Array<number>(52).fill(0)],
        [3, 0x12, 0, 0, 3, 0, 0, 1],
      ),
      [red, red, red, green, blue, green],
    ],
    [
      'of 16 bits by masks',
      rawBmp([3, 1], 16, 3, masks, [0x00, 0xf8, 0xe0, 0x07, 0x1f, 0x00, 0, 0]),
      [red, green, blue],
    ],
  ] as const)('%s has its colours', async (_, file, expected) => {
    const { outputPath } = await enlarge(await engine.saved(file));
    const { data, width, height, channels } = await readPixels(outputPath);
    const found = [];
    for (let y = 0; y < height; y += 2)
      for (let x = 0; x < width; x += 2) {
        const at = (y * width + x) * channels;
        found.push([...data.subarray(at, at + 3)]);
      }
    expect(found).toEqual(expected);
  });

  it('is refused when it is cut short or lies about its size', async () => {
    const file = bmpOf(photo(61, 40));
    const refusal = { code: 'UNREADABLE_IMAGE' };
    await expect(enlarge(await engine.saved(file.subarray(0, 4000)))).rejects.toMatchObject(
      refusal,
    );
    file.writeInt32LE(20_000, 18);
    await expect(enlarge(await engine.saved(file))).rejects.toMatchObject(refusal);
    file.writeInt32LE(2_000_000_000, 18);
    await expect(enlarge(await engine.saved(file))).rejects.toMatchObject({
      code: 'IMAGE_TOO_LARGE',
    });
  });
});

describe('camera RAW', () => {
  it('is developed into sRGB of 16 bits as a TIFF', async () => {
    const { outputPath, report } = await enlarge(await engine.saved(dngOf(160, 120, 32_768)));
    expect(report.input).toMatchObject({ format: 'raw', width: 160, height: 120, bitDepth: 16 });
    expect(report.output).toMatchObject({ format: 'tiff', width: 320, height: 240, bitDepth: 16 });
    expect(report.notes.join()).toContain('developed in sRGB');
    const { data, width } = await readPixels(outputPath);
    const middle = (120 * width + 160) * 3;
    // Half of full white, by the curve of sRGB.
    const expected = (1.055 * 0.5 ** (1 / 2.4) - 0.055) * 65_535;
    for (let c = 0; c < 3; c += 1) {
      expect(Math.abs(data[middle + c]! - expected) / 65_535).toBeLessThan(0.01);
    }
  });

  /** Where the sensor's first pixel is seen: the sides of EXIF 2.3's table of orientations. */
  const corners = ['top left', 'top right', 'bottom right', 'bottom left'];
  const seenAt = [...corners, 'top left', 'top right', 'bottom right', 'bottom left'];

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is upright with orientation %i', async (orientation) => {
    const inCorner = (x: number, y: number) => (x < 80 && y < 60 ? 50_000 : 5_000);
    const file = await engine.saved(dngOf(160, 120, inCorner, { orientation }));
    const { outputPath, report } = await enlarge(file);
    const [width, height] = orientation > 4 ? [120, 160] : [160, 120];
    expect(report.input).toMatchObject({ width, height });
    expect(await brightCorner(outputPath)).toBe(seenAt[orientation - 1]);
    expect((await sharp(outputPath).metadata()).orientation ?? 1).toBe(1);
  });

  it('gets square pixels, also turned', async () => {
    for (const [orientation, width, height] of [
      [1, 320, 120],
      [6, 120, 320],
    ] as const) {
      const file = dngOf(160, 120, 20_000, { orientation, aspect: [2, 1] });
      const { report } = await enlarge(await engine.saved(file));
      expect(report.input).toMatchObject({ width, height });
    }
  });

  it.skipIf(!hasExiftool)(
    `keeps its EXIF${hasExiftool ? '' : ` (${withoutExiftool})`}`,
    async () => {
      const { outputPath } = await enlarge(await engine.saved(dngOf(160, 120, 20_000)));
      expect(await readTags(outputPath)).toMatchObject({
        'IFD0:Model': 'Test DNG',
        'IFD0:Copyright': '(c) Jane Doe',
      });
    },
  );

  it('is refused when it is cut short', async () => {
    const file = dngOf(160, 120, 20_000);
    await expect(enlarge(await engine.saved(file.subarray(0, 20_000)))).rejects.toMatchObject({
      code: 'UNREADABLE_IMAGE',
    });
  });
});

const hasHeif = ['heif-enc', 'heif-convert'].every((name) => !spawnSync(name, ['-h']).error);
const withoutHeif = hasHeif ? '' : ' (skipped: no libheif-examples)';

describe.skipIf(!hasHeif)(`HEIC${withoutHeif}`, () => {
  async function heic(name: string, ...args: string[]): Promise<string> {
    const picture = asSharp(photo(120, 80)).withIccProfile('p3').png();
    // heif-enc goes by the ending.
    const png = join(engine.dir, `${name}.png`);
    renameSync(await engine.saved(picture), png);
    const path = join(engine.dir, `${name}.heic`);
    execFileSync('heif-enc', ['-q', '90', ...args, png, '-o', path], { stdio: 'ignore' });
    return path;
  }

  it('gives the numbers that libheif itself gives, with profile and EXIF', async () => {
    const sourcePath = await heic('phone');
    if (hasExiftool)
      await writeTags(sourcePath, '-Make=Phone Works', '-GPSLatitude=47', '-GPSLatitudeRef=N');
    const reference = join(engine.dir, 'reference.png');
    execFileSync('heif-convert', [sourcePath, reference], { stdio: 'ignore' });
    const { outputPath, report } = await enlarge(sourcePath);
    expect(report.input).toMatchObject({ format: 'heic', width: 120, height: 80 });
    expect(report.output.format).toBe('png');
    const expected = repeated(await readPixels(reference), 2);
    expect(differenceOf(await readPixels(outputPath), expected).mean).toBeLessThan(1);
    expect((await sharp(outputPath).metadata()).icc?.length).toBeGreaterThan(400);
    if (hasExiftool)
      expect(await readTags(outputPath)).toMatchObject({
        'IFD0:Make': 'Phone Works',
        'GPS:GPSLatitude': 47,
      });
  });

  it('is refused when it is cut short', async () => {
    const whole = readFileSync(await heic('cut'));
    const cut = await engine.saved(whole.subarray(0, whole.length - 1000));
    await expect(enlarge(cut)).rejects.toMatchObject({ code: 'UNREADABLE_IMAGE' });
  });
});
