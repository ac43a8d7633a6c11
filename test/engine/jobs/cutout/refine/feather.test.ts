/** A cut-out's edge made softer, on rasters whose alpha is known. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createRaster,
  createSamples,
  openRaster,
} from '../../../../../electron/engine/raster/raster-file.ts';
import { writeFeathered } from '../../../../../electron/engine/jobs/cutout/refine/feather.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const [width, height] = [300, 420];
const all = { x: 0, y: 0, width, height };
/** The subject is left of it. */
const edgeX = 150;

/** Alpha after a feather of so many pixels, of a subject that fills the left half. */
async function softened(
  featherPx: number,
  bits: 8 | 16 = 8,
): Promise<(x: number, y: number) => number> {
  const dir = temporaryFolder();
  const top = 2 ** bits - 1;
  const subject = createRaster(join(dir, 'subject.v'), { width, height, bands: 4, bits });
  const samples = createSamples(subject.shape, width * height * 4);
  for (let at = 0; at < width * height; at += 1)
    samples.set([at % 251, 7, 9, at % width < edgeX ? top : 0], 4 * at);
  subject.writeRect(all, samples, 0, width * 4);
  const path = join(dir, 'feathered.v');
  await writeFeathered(subject, path, featherPx, new AbortController().signal);
  subject.close();
  const raster = openRaster(path);
  const read = createSamples(raster.shape, width * height * 4);
  raster.readRect(all, read, 0, width * 4);
  raster.close();
  expect(read.every((value, i) => i % 4 > 0 || value === (i / 4) % 251)).toBe(true);
  return (x, y) => (read[(y * width + x) * 4 + 3] as number) / top;
}

describe('a feathered edge', () => {
  for (const [featherPx, bits] of [
    [1, 8],
    [6, 8],
    [6, 16],
    [30, 8],
  ] as const)
    it(`of ${featherPx} pixels falls inwards as a Gaussian does, at ${bits} bits`, async () => {
      const alpha = await softened(featherPx, bits);
      for (const y of [0, 127, 128, 300, height - 1]) {
        expect(alpha(edgeX, y)).toBe(0);
        expect(alpha(edgeX - 1, y)).toBeLessThan(0.45);
        // The expected value is that of the error function at one deviation.
        expect(Math.abs(alpha(edgeX - Math.max(1, Math.round(featherPx)), y) - 0.68)).toBeLessThan(
          featherPx === 1 ? 0.35 : 0.06,
        );
        expect(alpha(edgeX - Math.ceil(3.5 * featherPx) - 1, y)).toBeGreaterThan(0.985);
        expect(alpha(0, y)).toBeGreaterThan(0.985);
      }
    });

  it('never grows: nothing of the surroundings comes to be seen', async () => {
    const alpha = await softened(9);
    for (let x = edgeX; x < width; x += 1) expect(alpha(x, 200)).toBe(0);
    for (let x = 1; x < edgeX; x += 1) expect(alpha(x, 200)).toBeLessThanOrEqual(alpha(x - 1, 200));
  });
});
