import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createRaster,
  createSamples,
  type RasterShape,
} from '../../../../electron/engine/raster/raster-file.ts';
import { grainAt, addGrain } from '../../../../electron/engine/jobs/upscale/grain.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const dir = temporaryFolder();

const deviationOf = (values: Iterable<number>) => {
  const all = [...values];
  const mean = all.reduce((sum, value) => sum + value, 0) / all.length;
  return Math.sqrt(all.reduce((sum, value) => sum + (value - mean) ** 2, 0) / all.length);
};

async function laidOver(shape: RasterShape, level: number, deviation: number, softnessPx: number) {
  const raster = createRaster(join(dir, `${Math.random()}.v`), shape);
  const samples = createSamples(shape, shape.width * shape.height * shape.bands).fill(level);
  const whole = { x: 0, y: 0, width: shape.width, height: shape.height };
  raster.writeRect(whole, samples, 0, shape.width * shape.bands);
  await addGrain(raster, { deviation, softnessPx }, { signal: new AbortController().signal });
  raster.readRect(whole, samples, 0, shape.width * shape.bands);
  raster.close();
  return samples;
}

describe('grain', () => {
  const place = { x: 0, y: 0, width: 200, height: 160 };

  it.each([0, 0.7, 2])('is as strong as asked at a softness of %f pixels', (softnessPx) => {
    const grain = grainAt(place, { deviation: 6, softnessPx });
    expect(Math.abs(deviationOf(grain) - 6)).toBeLessThan(0.9);
  });

  it('is the same wherever its strip begins', () => {
    const look = { deviation: 5, softnessPx: 1.3 };
    const whole = grainAt(place, look);
    const part = grainAt({ x: 31, y: 57, width: 40, height: 9 }, look);
    const same = part.map((_, i) => whole[(57 + Math.floor(i / 40)) * 200 + 31 + (i % 40)] ?? NaN);
    const apart = part.map((value, i) => Math.abs(value - (same[i] ?? NaN)));
    expect(Math.max(...apart)).toBeLessThan(1e-4);
  });

  it.each([8, 16] as const)(
    'lies over %i bits, alike in the colours, and leaves alpha',
    async (bits) => {
      const unit = (2 ** bits - 1) / 255;
      const shape = { width: 120, height: 90, bands: 4, bits };
      const samples = await laidOver(shape, Math.round(128 * unit), 8, 0.5);
      const red = samples.filter((_, i) => i % 4 === 0);
      const alpha = samples.filter((_, i) => i % 4 === 3);
      expect(Math.abs(deviationOf(red) / unit - 8)).toBeLessThan(1);
      expect(samples.filter((_, i) => i % 4 === 1)).toEqual(red);
      expect(new Set(alpha)).toEqual(new Set([Math.round(128 * unit)]));
    },
  );

  it('leaves black black and white white', async () => {
    const shape = { width: 40, height: 40, bands: 3, bits: 8 } as const;
    expect(new Set(await laidOver(shape, 0, 10, 0))).toEqual(new Set([0]));
    expect(new Set(await laidOver(shape, 255, 10, 0))).toEqual(new Set([255]));
  });
});
