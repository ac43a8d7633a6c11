/** A hard brush on the finished cut-out: exactly what it covers, in photos of any size. */
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Stroke } from '../../../../../packages/contract/src/options/strokes.ts';
import {
  createRaster,
  createSamples,
  type Raster,
} from '../../../../../electron/engine/raster/raster-file.ts';
import { paintHard } from '../../../../../electron/engine/jobs/cutout/strokes/hard-strokes.ts';
import { coverage } from '../../../../../packages/painting/src/brush-path.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const [width, height] = [400, 300];
const all = { x: 0, y: 0, width, height };
const { signal } = new AbortController();

function rasters(bits: 8 | 16): { source: Raster; subject: Raster } {
  const dir = temporaryFolder();
  const make = (name: string, bands: number, valueOf: (at: number) => number) => {
    const raster = createRaster(join(dir, name), { width, height, bands, bits });
    const samples = createSamples(raster.shape, width * height * bands);
    for (let at = 0; at < samples.length; at += 1) samples[at] = valueOf(at);
    raster.writeRect(all, samples, 0, width * bands);
    return raster;
  };
  const source = make('source.v', 3, (at) => (at * 7) % 251);
  const subject = make('subject.v', 4, () => 123);
  onTestFinished(() => {
    source.close();
    subject.close();
  });
  return { source, subject };
}

function pixelsOf(raster: Raster) {
  const { bands } = raster.shape;
  const samples = createSamples(raster.shape, width * height * bands);
  raster.readRect(all, samples, 0, width * bands);
  return samples;
}

const stroke = (kind: Stroke['kind'], widthPx: number, hardness?: number): Stroke => ({
  kind,
  radius: widthPx / 2 / width,
  points: [
    [0.25, 0.5],
    [0.75, 0.5],
  ],
  ...(hardness !== undefined && { hardness }),
});

describe('a hard stroke', () => {
  for (const bits of [8, 16] as const)
    it(`of 8 pixels is alpha 0 or full, and nothing beside it changes, at ${bits} bits`, async () => {
      const { source, subject } = rasters(bits);
      const top = 2 ** bits - 1;
      await paintHard(source, subject, [stroke('keep', 8, 100)], signal);
      const own = pixelsOf(source);
      const kept = pixelsOf(subject);
      let painted = 0;
      for (let y = 0; y < height; y += 1)
        for (let x = 0; x < width; x += 1) {
          const across = Math.max(0, 100 - (x + 0.5), x + 0.5 - 300);
          const isIn = Math.hypot(across, y + 0.5 - 150) <= 4;
          const at = (y * width + x) * 4;
          painted += Number(isIn);
          const expected = isIn
            ? [...own.subarray((y * width + x) * 3, (y * width + x) * 3 + 3), top]
            : [123, 123, 123, 123];
          if (String([...kept.subarray(at, at + 4)]) !== String(expected))
            throw new Error(`At ${x}, ${y}: ${kept.subarray(at, at + 4).join()}`);
        }
      expect(painted).toBeGreaterThan(1600);
      await paintHard(source, subject, [stroke('remove', 8, 100)], signal);
      const removed = pixelsOf(subject);
      expect(removed[(150 * width + 200) * 4 + 3]).toBe(0);
    });

  it('that seeks edges is left to the mask', async () => {
    const { source, subject } = rasters(8);
    await paintHard(source, subject, [stroke('keep', 8)], signal);
    expect(new Set(pixelsOf(subject))).toEqual(new Set([123]));
  });

  it('is softer the less hard it is', () => {
    expect([coverage(0.9, 1), coverage(1.01, 1)]).toEqual([1, 0]);
    expect([coverage(0.4, 0.5), coverage(0.75, 0.5), coverage(1, 0.5)]).toEqual([1, 0.5, 0]);
  });
});
