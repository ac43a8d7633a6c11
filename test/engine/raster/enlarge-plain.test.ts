import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cubic, enlargePlain, lanczos3 } from '../../../electron/engine/raster/enlarge-plain.ts';
import {
  openRaster,
  samplesIn,
  writeRaster,
  type RasterShape,
} from '../../../electron/engine/raster/raster-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const dir = temporaryFolder();
let last = 0;

async function enlarged(
  shape: RasterShape,
  valueAt: (x: number, y: number) => number[],
  { scale = 2, kernel = cubic } = {},
) {
  const fromPath = join(dir, `${(last += 1)}.v`);
  const toPath = join(dir, `${last}-large.v`);
  const values = Array.from({ length: shape.width * shape.height }, (_, i) =>
    valueAt(i % shape.width, Math.floor(i / shape.width)),
  ).flat();
  const samples = shape.bits === 8 ? Uint8Array.from(values) : Uint16Array.from(values);
  writeRaster(fromPath, shape, samples);
  const source = openRaster(fromPath);
  const size = { width: shape.width * scale, height: shape.height * scale };
  const { signal } = new AbortController();
  const made = await enlargePlain(source, toPath, size, { signal, kernel });
  source.close();
  const result = openRaster(toPath);
  const data = samplesIn(result, { x: 0, y: 0, width: made.width, height: made.height });
  result.close();
  return {
    shape: made,
    at: (x: number, y: number) => data[(y * made.width + x) * made.bands] ?? NaN,
    data,
  };
}

describe('a plain enlargement', () => {
  const kernels = Object.entries({ cubic, lanczos3 });

  it.each(kernels)('keeps a flat picture to the level, in 8 and 16 bits: %s', async (_, kernel) => {
    for (const [bits, level] of [
      [8, 77],
      [16, 30_001],
    ] as const) {
      const shape = { width: 9, height: 5, bands: 3, bits };
      const { data } = await enlarged(shape, () => [level, level, level], { kernel });
      expect(new Set(data)).toEqual(new Set([level]));
    }
  });

  it.each(kernels)('shifts nothing: a ramp stays in its place by %s', async (_, kernel) => {
    const shape = { width: 24, height: 24, bands: 1, bits: 8 } as const;
    const { at } = await enlarged(shape, (x, y) => [4 * x + 5 * y], { kernel });
    for (const [x, y] of [
      [8, 8],
      [17, 30],
      [31, 12],
    ] as const) {
      const exact = 4 * ((x + 0.5) / 2 - 0.5) + 5 * ((y + 0.5) / 2 - 0.5);
      expect(Math.abs(at(x, y) - exact)).toBeLessThanOrEqual(0.5);
    }
  });

  it('has the values of the cubic kernel at an edge', async () => {
    const { at } = await enlarged({ width: 8, height: 1, bands: 1, bits: 8 }, (x) => [
      x < 4 ? 50 : 150,
    ]);
    // A quarter of a pixel beside the centres: weights -0.0703, 0.8672, 0.2266, -0.0234 of a = -1/2.
    expect([5, 6, 7, 8, 9, 10].map((x) => at(x, 0))).toEqual([48, 43, 70, 130, 157, 152]);
  });

  it("has Lanczos's values at an edge, which are steeper", async () => {
    const { at } = await enlarged(
      { width: 8, height: 1, bands: 1, bits: 8 },
      (x) => [x < 4 ? 50 : 150],
      { kernel: lanczos3 },
    );
    // Weights 0.0074, -0.0680, 0.2710, 0.8928, -0.1333, 0.0301 beside the centres, which sum to 1.
    expect([6, 7, 8, 9].map((x) => at(x, 0))).toEqual([40, 71, 129, 160]);
  });

  it('takes no colour from transparent pixels', async () => {
    const { data } = await enlarged({ width: 8, height: 2, bands: 4, bits: 8 }, (x) =>
      x < 4 ? [200, 100, 50, 255] : [0, 255, 0, 0],
    );
    for (let i = 0; i < data.length; i += 4)
      if ((data[i + 3] ?? 0) > 1)
        expect(
          Math.max(Math.abs((data[i] ?? 0) - 200), Math.abs((data[i + 1] ?? 0) - 100)),
        ).toBeLessThanOrEqual(1);
  });
});
