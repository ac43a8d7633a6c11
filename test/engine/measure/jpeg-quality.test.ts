import { describe, expect, it } from 'vitest';
import {
  qualityOfSteps,
  stepsInJpeg,
  stepsOfQuality,
} from '../../../electron/engine/measure/jpeg-quality.ts';
import { quantiserIndexOf } from '../../../electron/engine/measure/webp-quality.ts';
import { bytesInMemory } from '../../../electron/engine/metadata/tiff/tiff-directory.ts';
import { encoded, scene } from './damaged-pictures.ts';

describe('JPEG quality from its tables', () => {
  it.each([10, 35, 50, 60, 75, 80, 92, 100])('reads %i from a file of libjpeg', async (quality) => {
    const file = await encoded(scene(1)).jpeg({ quality }).toBuffer();
    const steps = stepsInJpeg(bytesInMemory(file));
    expect(steps).toEqual(stepsOfQuality(quality));
    expect(qualityOfSteps(steps ?? [])).toBe(quality);
  });

  it('comes near with the tables of another encoder', async () => {
    const file = await encoded(scene(1)).jpeg({ quality: 70, quantisationTable: 3 }).toBuffer();
    const steps = stepsInJpeg(bytesInMemory(file)) ?? [];
    expect(steps).not.toEqual(stepsOfQuality(70));
    expect(Math.abs(qualityOfSteps(steps) - 70)).toBeLessThanOrEqual(10);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['half a table', Buffer.from([0xff, 0xd8, 0xff, 0xdb, 0, 67, 0, 1, 2, 3])],
    ['fill bytes alone', Buffer.alloc(5000, 0xff)],
    ['a segment without a length', Buffer.from([0xff, 0xd8, 0xff, 0xdb, 0, 0])],
  ])('finds none in %s', (_, bytes) => {
    expect(stepsInJpeg(bytesInMemory(bytes))).toBeUndefined();
  });
});

describe('the quantiser of a WebP', () => {
  it('is coarser for a lower quality, and missing without loss', async () => {
    const indexOf = async (options: { quality?: number; lossless?: boolean }) =>
      quantiserIndexOf(bytesInMemory(await encoded(scene(1)).webp(options).toBuffer()));
    const found = await Promise.all([95, 80, 60, 30].map((quality) => indexOf({ quality })));
    expect(found).toEqual([...found].sort((a, b) => (a ?? 0) - (b ?? 0)));
    expect(found[0]).toBeLessThan(8);
    expect(found[3]).toBeGreaterThan(40);
    expect(await indexOf({ lossless: true })).toBeUndefined();
  });
});
