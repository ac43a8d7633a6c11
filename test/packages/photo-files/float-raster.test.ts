/** Floating-point samples of libvips become 16 bits, also where one row is longer than what is read at once. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFromFloats } from '../../../packages/photo-files/src/float-raster.ts';
import { openRaster, samplesIn } from '../../../electron/engine/raster/raster-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A file of libvips in floats of 32 bits. */
function vipsFileOf(width: number, height: number, bands: number, samples: Float32Array): Buffer {
  const head = Buffer.alloc(64);
  head.writeUInt32LE(0x08f2a6b6, 0);
  const words = [width, height, bands, 32, 6];
  for (const [i, word] of words.entries()) head.writeInt32LE(word, 4 + 4 * i);
  return Buffer.concat([head, Buffer.from(samples.buffer)]);
}

const encoded = (share: number) =>
  Math.round(65_535 * (share <= 0.003_130_8 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055));

describe('samples of floating point', () => {
  it.each([
    ['a row in many rows', 30, 20],
    ['rows of five megabytes', 440_000, 3],
  ])('keep their places in %s', async (_, width, height) => {
    const bands = 3;
    const samples = Float32Array.from(
      { length: width * height * bands },
      (_, i) => ((i * 7919) % 1000) / 500,
    );
    const folder = temporaryFolder();
    const [from, to] = [join(folder, 'float.v'), join(folder, 'raster.v')];
    writeFileSync(from, vipsFileOf(width, height, bands, samples));
    const { white } = await writeFromFloats(from, to, 3);
    expect(white).toBeCloseTo(1.998, 3);
    const raster = openRaster(to);
    const found = samplesIn(raster, { x: 0, y: 0, width, height });
    raster.close();
    const wrong = found.findIndex(
      (sample, i) => Math.abs(sample - encoded(samples[i]! / white)) > 1,
    );
    expect(wrong).toBe(-1);
  });

  it('are divided by the alpha that they were multiplied with', async () => {
    const folder = temporaryFolder();
    const [from, to] = [join(folder, 'float.v'), join(folder, 'raster.v')];
    const samples = Float32Array.of(0.2, 0.1, 0.05, 0.5, 0.3, 0.3, 0.3, 0, 1, 0, 1, 1);
    writeFileSync(from, vipsFileOf(3, 1, 4, samples));
    expect(await writeFromFloats(from, to, 3, 3)).toEqual({ white: 1 });
    const raster = openRaster(to);
    const found = [...samplesIn(raster, { x: 0, y: 0, width: 3, height: 1 })];
    raster.close();
    const half = Math.round(65_535 / 2);
    expect(found.slice(0, 4)).toEqual([encoded(0.4), encoded(0.2), encoded(0.1), half]);
    expect(found.slice(8)).toEqual([65_535, 0, 65_535, 65_535]);
  });
});
