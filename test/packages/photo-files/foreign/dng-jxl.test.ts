/** DNGs whose sensor data are JPEG XL, as current phones write them: the same as uncompressed ones. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { writeJxl } from '../../../../packages/photo-files/src/foreign/jxl.ts';
import { writeRaster } from '../../../../electron/engine/raster/raster-file.ts';
import { sharedTestEngine } from '../../../support/engine.ts';
import { photo, readPixels } from '../../../support/images.ts';
import { dngOf } from '../../../support/made-files.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';
import { differenceOf } from '../../../support/pixels.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

const [width, height] = [96, 72];
const source = photo(width, height);
const levelAt = (x: number, y: number, band: number) =>
  200 * (source.data[(y * width + x) * 3 + band] ?? 0);
type LevelAt = typeof levelAt;

let tiles = 0;

/** A picture of 16 bits as JPEG XL. */
async function jxlOf(size: { width: number; height: number }, bands: 1 | 3, at: LevelAt) {
  const samples = Uint16Array.from({ length: size.width * size.height * bands }, (_, i) => {
    const site = Math.floor(i / bands);
    return at(site % size.width, Math.floor(site / size.width), i % bands);
  });
  const rasterPath = join(engine.dir, `tile-${(tiles += 1)}.v`);
  const outputPath = join(engine.dir, 'tile.jxl');
  writeRaster(rasterPath, { ...size, bands, bits: 16 }, samples, size.width * bands);
  await writeJxl({ rasterPath, outputPath, lossless: true, quality: 100 });
  return readFileSync(outputPath);
}

const entryAt = (file: Buffer, tag: number) => {
  for (let i = 0; i < file.readUInt16LE(8); i += 1)
    if (file.readUInt16LE(10 + 12 * i) === tag) return 10 + 12 * i;
  throw new Error(`No entry ${tag}`);
};

/** The file with its strip replaced. */
function packed(file: Buffer, strip: Buffer): Buffer {
  const copy = Buffer.concat([file, strip]);
  copy.writeUInt16LE(52_546, entryAt(copy, 0x0103) + 8);
  copy.writeUInt32LE(file.length, entryAt(copy, 0x0111) + 8);
  copy.writeUInt32LE(strip.length, entryAt(copy, 0x0117) + 8);
  return copy;
}

const enlarge = async (file: Buffer) =>
  engine.run({
    sourcePath: await engine.saved(file),
    passes: [nearestNetwork(join(engine.dir, 'networks'))],
  });
const developed = async (file: Buffer) => readPixels((await enlarge(file)).outputPath);

describe('a DNG in JPEG XL', () => {
  it('of three colours is developed as the uncompressed one', async () => {
    const plain = dngOf(width, height, levelAt, { bands: 3 });
    const file = packed(plain, await jxlOf({ width, height }, 3, levelAt));
    const found = await developed(file);
    expect(new Set(found.data).size).toBeGreaterThan(100);
    expect(differenceOf(found, await developed(plain)).most).toBe(0);
  });

  it('of a Bayer pattern whose rows and columns lie by fields is put in order', async () => {
    const siteAt = (x: number, y: number) => levelAt(x, y, (x % 2) + (y % 2));
    const plain = dngOf(width, height, siteAt);
    const furtherFields: [number, 3, number[]][] = [
      [0xc71f, 3, [2]],
      [0xcd43, 3, [2]],
    ];
    const fielded = dngOf(width, height, siteAt, { furtherFields });
    const orderOf = (length: number) =>
      Array.from({ length }, (_, i) => (i < length / 2 ? 2 * i : 2 * i - length + 1));
    const [columns, rows] = [orderOf(width), orderOf(height)];
    const strip = await jxlOf({ width, height }, 1, (x, y) => siteAt(columns[x]!, rows[y]!));
    const found = await developed(packed(fielded, strip));
    expect(differenceOf(found, await developed(plain)).most).toBe(0);
  });

  it('fails when a tile is of another size than the file states', async () => {
    const plain = dngOf(width, height, levelAt, { bands: 3 });
    const small = await jxlOf({ width: 32, height: 24 }, 3, levelAt);
    await expect(enlarge(packed(plain, small))).rejects.toMatchObject({
      code: 'UNREADABLE_IMAGE',
      message: expect.stringContaining('compressed by JPEG XL') as string,
    });
  });

  it('fails when a tile is cut', async () => {
    const plain = dngOf(width, height, levelAt, { bands: 3 });
    const strip = await jxlOf({ width, height }, 3, levelAt);
    await expect(enlarge(packed(plain, strip.subarray(0, strip.length / 2)))).rejects.toMatchObject(
      { code: 'UNREADABLE_IMAGE' },
    );
  });
});
