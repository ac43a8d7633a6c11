import { describe, expect, it } from 'vitest';
import { cutFrom, eachIn } from '../../../../../electron/engine/jobs/cutout/mask/mask-box.ts';
import type { Plane } from '../../../../../electron/engine/raster/planes/plane.ts';

const picture = { width: 800, height: 400 };
const box = { x: 200, y: 100, width: 400, height: 200 };

/** Values that grow by one from each column's middle to the next, the first being one half. */
const ramp = (width: number, height: number): Plane => ({
  width,
  height,
  data: Float32Array.from({ length: width * height }, (_, i) => (i % width) + 0.5),
});

describe('a box of a mask', () => {
  it('is cut out without a shift, at any size', () => {
    const mask = ramp(80, 40);
    for (const width of [20, 40, 100]) {
      const { data } = cutFrom(mask, box, picture, { width, height: 7 });
      expect(data).toHaveLength(width * 7);
      data.forEach((value, i) => {
        expect(value).toBeCloseTo(20 + (((i % width) + 0.5) * 40) / width, 3);
      });
    }
  });

  it('is laid back where it was', () => {
    const mask = ramp(80, 40);
    const ofBox = cutFrom(mask, box, picture, { width: 40, height: 20 });
    const seen: number[] = [];
    eachIn(mask, ofBox, box, picture, (at, value, x, y) => {
      seen.push(at);
      expect(value).toBeCloseTo(mask.data[at] as number, 3);
      expect(x).toBeCloseTo(((at % 80) + 0.5) * 10, 3);
      expect(y).toBeCloseTo((Math.floor(at / 80) + 0.5) * 10, 3);
    });
    expect(seen).toHaveLength(40 * 20);
    expect(Math.min(...seen)).toBe(10 * 80 + 20);
  });

  it('may end at the border of the picture or lie between two middles', () => {
    const mask = ramp(80, 40);
    const corner = { x: 600, y: 300, width: 200, height: 100 };
    const count = (of: typeof box) => {
      let places = 0;
      eachIn(mask, ramp(4, 4), of, picture, () => (places += 1));
      return places;
    };
    expect(count(corner)).toBe(20 * 10);
    expect(count({ x: 6, y: 6, width: 8, height: 8 })).toBe(0);
  });
});
