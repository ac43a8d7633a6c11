import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytesDecoded } from '../../../../packages/photo-files/src/decode.ts';
import { labOf, type Lab, type RgbSpace } from '../../../support/delta-e.ts';
import { sharedTestEngine, type TestEngine } from '../../../support/engine.ts';
import { readPixels } from '../../../support/images.ts';
import { tiffOf } from '../../../support/made-files.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let engine: TestEngine;
beforeAll(() => {
  engine = sharedTestEngine();
});
afterAll(() => engine.close());

async function enlarged(name: string, file: Buffer) {
  const sourcePath = join(engine.dir, name);
  writeFileSync(sourcePath, file);
  const passes = [nearestNetwork(join(engine.dir, 'networks'))];
  const { outputPath, report } = await engine.run({ sourcePath, passes });
  return { ...(await readPixels(outputPath)), report };
}

/** Counts the pixels of a result at 2x that differ from the source's pixels there. */
function wrongPixels(
  { data, width, height, channels }: Awaited<ReturnType<typeof enlarged>>,
  expected: (x: number, y: number, band: number) => number,
): number {
  let wrong = 0;
  for (let i = 0; i < width * height; i += 1) {
    const [x, y] = [Math.floor((i % width) / 2), Math.floor(i / width / 2)];
    for (let c = 0; c < channels; c += 1)
      if (data[i * channels + c] !== expected(x, y, c)) wrong += 1;
  }
  return wrong;
}

const [width, height] = [170, 90];
/** Makes samples with another number for each pixel and each band. */
const deepAt = (x: number, y: number, band: number) => (x * 379 + y * 701 + band * 20_011) % 65_536;
const plainAt = (x: number, y: number, band: number) => deepAt(x, y, band) >> 8;

describe('a TIFF whose colours lie in tiles of their own', () => {
  it.each([
    [16, 3, 64, false],
    [16, 4, 32, true],
    [8, 3, 32, false],
    [8, 2, 16, true],
  ] as const)(
    'is read number by number: %i bits, %i bands, tiles of %i, big-endian %s',
    async (bits, bands, tile, bigEndian) => {
      const numberAt = bits === 16 ? deepAt : plainAt;
      // Transparency goes through the network separately, so the picture is opaque here.
      const at: typeof numberAt = (x, y, band) =>
        bands % 2 === 0 && band === bands - 1 ? 2 ** bits - 1 : numberAt(x, y, band);
      const photometric = bands < 3 ? 1 : 2;
      const options = { bits, bands, photometric, tile, isInPlanes: true, bigEndian };
      const file = tiffOf(width, height, at, options);
      const result = await enlarged(`planes-${bits}-${bands}.tif`, file);
      expect(result.report.input).toMatchObject({ width, height, bitDepth: bits, channels: bands });
      expect(result.report.notes).toEqual([]);
      expect(result.channels).toBe(bands);
      expect(wrongPixels(result, at)).toBe(0);
    },
  );

  it('is read alike, of inks, as with its inks side by side', async () => {
    const inks = { bits: 8, bands: 4, photometric: 5, tile: 32 } as const;
    const [apart, beside] = await Promise.all([
      enlarged('inks-apart.tif', tiffOf(64, 48, plainAt, { ...inks, isInPlanes: true })),
      enlarged('inks-beside.tif', tiffOf(64, 48, plainAt, inks)),
    ]);
    expect(apart.report.notes).toEqual(beside.report.notes);
    expect(apart.data).toEqual(beside.data);
  });

  it('shows life by each of its planes while it is decoded', () => {
    const folder = temporaryFolder();
    for (let plane = 0; plane < 5; plane += 1) {
      const before = bytesDecoded(folder);
      writeFileSync(join(folder, `plane-${plane}.v`), Buffer.alloc(10));
      expect(bytesDecoded(folder)).toBe(before + 10);
    }
  });

  it('fails as damaged where tiles are missing', async () => {
    const options = { bits: 16, bands: 3, photometric: 2, tile: 64, isInPlanes: true } as const;
    const whole = tiffOf(width, height, deepAt, { ...options });
    // The list of tiles still has their offsets, which now lie behind the end of the file.
    const directory = whole.readUInt32LE(4);
    for (let at = directory + 2; whole.readUInt16LE(at) !== 0x0144; at += 12)
      expect(at).toBeLessThan(whole.length);
    const list = whole.readUInt32LE(whole.indexOf(Buffer.from([0x44, 1, 4, 0]), directory) + 8);
    whole.writeUInt32LE(whole.length - 10, list + 4);
    await expect(enlarged('missing.tif', whole)).rejects.toMatchObject({
      code: 'UNREADABLE_IMAGE',
    });
  });
});

/** sRGB by the matrix of Lindbloom that is adapted to D50. */
const srgbOfD50: RgbSpace = {
  toLinear: (v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4),
  toXyz: [
    [0.4360747, 0.3850649, 0.1430804],
    [0.2225045, 0.7168786, 0.0606169],
    [0.0139322, 0.0971045, 0.7141733],
  ],
};
const steps = [0, 3, 51, 102, 153, 204, 255];
/** The colours are all mixtures of seven levels from black to white, each with its L*a*b*. */
const colours = steps.flatMap((r) => steps.flatMap((g) => steps.map((b): Lab => [r, g, b])));
const labs = colours.map(([r, g, b]) => labOf(srgbOfD50, [r / 255, g / 255, b / 255]));
const size = [49, 7] as const;
const redOfD65: Lab = [53.24, 80.09, 67.2];

/** Encodes L*a*b* as TIFF stores it: with a sign, or with ICC's offset. */
function stored(value: number, band: number, bits: 8 | 16, isIcc: boolean): number {
  const unit = bits === 8 ? 1 : 256;
  const white = bits === 8 ? 255 : isIcc ? 0xff00 : 0xffff;
  if (band === 0) return Math.round((value / 100) * white);
  const whole = Math.round(value * unit);
  return isIcc ? whole + 128 * unit : (whole + 256 * unit) % (256 * unit);
}
const labAt = (bits: 8 | 16, isIcc: boolean) => (x: number, y: number, band: number) =>
  stored(labs[y * 49 + x]![band]!, band, bits, isIcc);

describe('a TIFF of L*a*b*', () => {
  it.each([
    ['CIE', 8],
    ['ICC', 9],
  ] as const)('in 16 bits by %s has the colours of D50 in sRGB', async (name, photometric) => {
    const at = labAt(16, photometric === 9);
    const file = tiffOf(...size, at, { bits: 16, bands: 3, photometric });
    const result = await enlarged(`lab-${name}.tif`, file);
    expect(result.report.notes).toContain('Its colours were converted from LAB to sRGB.');
    expect(result.report.output).toMatchObject({ bitDepth: 16, channels: 3 });
    const far = wrongPixels(
      { ...result, data: result.data.map((value) => Math.round(value / 257)) },
      (x, y, band) => colours[y * 49 + x]![band]!,
    );
    expect(far).toBe(0);
  });

  it.each([
    ['CIE', 8, {}],
    ['ICC', 9, {}],
    ['CIE, in planes of tiles,', 8, { tile: 16, isInPlanes: true }],
  ] as const)('in 8 bits by %s is what it is in 16', async (name, photometric, layout) => {
    const plain = labAt(8, photometric === 9);
    // The same L*a*b* with a sign, in 16 bits.
    const deepened = (x: number, y: number, band: number) => {
      const value = plain(x, y, band);
      if (band === 0) return value * 257;
      return photometric === 9 ? (value * 256 + 32_768) % 65_536 : value * 256;
    };
    const options = { bits: 8, bands: 3, photometric, ...layout } as const;
    const found = await enlarged(`lab-8-${name}.tif`, tiffOf(...size, plain, options));
    const deep = { bits: 16, bands: 3, photometric: 8 } as const;
    const expected = await enlarged(`lab-16-${name}.tif`, tiffOf(...size, deepened, deep));
    expect(found.report.output).toMatchObject({ bitDepth: 8, channels: 3 });
    const most = Math.max(
      ...found.data.map((value, i) => Math.abs(value * 257 - expected.data[i]!)),
    );
    expect(most).toBeLessThanOrEqual(129);
    const levels = Array.from(found.data, (value, i) => {
      const [x, y] = [
        Math.floor((Math.floor(i / 3) % found.width) / 2),
        Math.floor(i / 3 / found.width / 2),
      ];
      return Math.abs(value - colours[y * 49 + x]![i % 3]!);
    });
    expect(levels.reduce((sum, one) => sum + one) / levels.length).toBeLessThan(1.5);
  });

  it('is read by the white that the file names', async () => {
    const at = (_x: number, _y: number, band: number) => stored(redOfD65[band]!, band, 16, false);
    const white = [0.3127, 0.329] as const;
    const file = tiffOf(20, 20, at, { bits: 16, bands: 3, photometric: 8, white });
    const { data } = await enlarged('lab-d65.tif', file);
    const expected = [255, 0, 0];
    [...data.subarray(0, 3)].forEach((value, c) =>
      expect(Math.abs(value / 257 - expected[c]!)).toBeLessThan(1.5),
    );
  });

  it('has a thumbnail', async () => {
    const sourcePath = join(engine.dir, 'thumbed.tif');
    writeFileSync(
      sourcePath,
      tiffOf(...size, labAt(8, false), { bits: 8, bands: 3, photometric: 8 }),
    );
    const toPath = join(engine.dir, 'thumbed.webp');
    const limits = { sourcePixels: 1e6, resultPixels: 1e6 };
    await engine.host.work(
      'thumbnail',
      { sourcePath, toPath, scratchDir: engine.dir, limits },
      10_000,
    );
    expect(await sharp(toPath).metadata()).toMatchObject({ width: 49, height: 7 });
  });
});
