import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coloursOf } from '../../../../../electron/engine/raster/planes/plane.ts';
import { decided, type Seen } from '../../../../../electron/engine/jobs/cutout/mask/decide-mask.ts';
import type { Mask } from '../../../../../electron/engine/tiles/mask-tensor.ts';
import { shippedTuning } from '../../../../support/networks-masks.ts';

type At<T> = (x: number, y: number) => T;
type Picture = Seen['colours'];
type Colour = [red: number, green: number, blue: number];

const px = 48;
const red: Colour = [0.8, 0.2, 0.15];
const blue: Colour = [0.1, 0.25, 0.7];

const maskOf = (valueAt: At<number>, side = px): Mask => ({
  width: side,
  height: side,
  data: Float32Array.from({ length: side * side }, (_, i) =>
    valueAt(i % side, Math.floor(i / side)),
  ),
});

const pictureOf = (colourAt: At<Colour>, side = px): Picture =>
  coloursOf(
    { width: side, height: side },
    Float32Array.from(
      { length: side * side * 3 },
      (_, i) => colourAt(Math.floor(i / 3) % side, Math.floor(i / 3 / side))[i % 3] as number,
    ),
  );

const within = (x: number, y: number, left: number, top: number, width: number, height: number) =>
  x >= left && x < left + width && y >= top && y < top + height;

const everything = { x: 0, y: 0, width: 1000, height: 1000 };
const decide = (mask: Mask, colours: Picture, box = everything, breathe = async () => {}) =>
  decided(mask, [{ box, colours }], everything, shippedTuning, breathe);
const at = (mask: Mask, x: number, y: number) => mask.data[y * mask.width + x] as number;

/** A red thing of 24 x 24 from (12, 12) on, on blue. */
const isThing: At<boolean> = (x, y) => within(x, y, 12, 12, 24, 24);
const thing = pictureOf((x, y) => (isThing(x, y) ? red : blue));

describe('a mask decided', () => {
  it('gives a doubtful part to the side that its surroundings and colours are on', async () => {
    const mask = maskOf((x, y) => {
      if (within(x, y, 24, 24, 12, 12)) return 0.4; // a quarter of the thing
      if (within(x, y, 36, 12, 8, 12)) return 0.6; // blue, beside the thing
      return isThing(x, y) ? 0.97 : 0.02;
    });
    const done = await decide(mask, thing);
    expect(at(done, 30, 30)).toBeGreaterThan(0.95);
    expect(at(done, 40, 18)).toBeLessThan(0.05);
  });

  it('puts a vague border where the photo has one', async () => {
    // The mask rises from 0 at column 4 to 1 at column 28: it is one half at 16, but the thing begins at 12.
    const mask = maskOf((x, y) =>
      y < 12 || y >= 36 || x >= 36 ? 0.02 : Math.min(Math.max((x - 4) / 24, 0.02), 0.98),
    );
    const done = await decide(mask, thing);
    expect(at(done, 10, 24)).toBeLessThan(0.1);
    expect(at(done, 13, 24)).toBeGreaterThan(0.9);
  });

  it('does not contradict what a mask is sure of, however thin', async () => {
    const mask = maskOf((x, y) => (isThing(x, y) || (x === 5 && y > 4) ? 0.99 : 0.01));
    const done = await decide(mask, thing);
    expect(at(done, 5, 30)).toBeGreaterThan(0.95);
    expect(at(done, 2, 30)).toBeLessThan(0.05);
  });

  it('finds no subject where the mask has none', async () => {
    const nothing = maskOf(() => 0.01);
    const done = await decide(nothing, thing);
    expect(Math.max(...done.data)).toBeLessThan(0.05);
  });

  it('keeps a mask that is larger than what was seen, and reduces a picture that is larger', async () => {
    const twice = maskOf((x, y) => (isThing(x / 2, y / 2) ? 0.7 : 0.2), 2 * px);
    const done = await decide(twice, thing);
    expect([done.width, done.height]).toEqual([2 * px, 2 * px]);
    expect(at(done, px, px)).toBeGreaterThan(0.95);
    expect(at(done, 4, 4)).toBeLessThan(0.05);
    const large = pictureOf((x, y) => (isThing((x * px) / 520, (y * px) / 520) ? red : blue), 520);
    const same = await decide(twice, large);
    expect(at(same, px, px)).toBeGreaterThan(0.95);
  });

  it('decides what was seen, where it was seen', async () => {
    const doubtful = maskOf((x, y) => (isThing(x, y) ? 0.7 : 0.3));
    // This is the right half, in which the thing is 12 of 24 columns wide.
    const half = { ...everything, x: 500, width: 500 };
    const done = await decide(
      doubtful,
      pictureOf((x, y) => (isThing(24 + x / 2, y) ? red : blue)),
      half,
    );
    expect(at(done, 30, 24)).toBeGreaterThan(0.95);
    expect(at(done, 40, 24)).toBeLessThan(0.05);
    for (const [x, y] of [
      [20, 24],
      [5, 24],
      [23, 40],
    ] as const)
      expect(at(done, x, y)).toBe(at(doubtful, x, y));
  });

  it('treats left and right alike, and stays within 0 and 1', async () => {
    const values = fc.array(fc.float({ min: 0, max: 1, noNaN: true }), {
      minLength: 64,
      maxLength: 64,
    });
    const mirrored = (data: Float32Array, bands: number) =>
      Float32Array.from(data, (_, i) => {
        const [pixel, band] = [Math.floor(i / bands), i % bands];
        return data[(pixel - (pixel % 8) + 7 - (pixel % 8)) * bands + band] as number;
      });
    await fc.assert(
      fc.asyncProperty(values, values, async (given, grey) => {
        const mask = { width: 8, height: 8, data: Float32Array.from(given) };
        const data = Float32Array.from(grey.flatMap((value) => [value, value, 1 - value]));
        const own = await decide(mask, coloursOf(mask, data));
        const other = await decide(
          { ...mask, data: mirrored(mask.data, 1) },
          coloursOf(mask, mirrored(data, 3)),
        );
        const back = mirrored(other.data, 1);
        own.data.forEach((value, i) => {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
          expect(back[i]).toBeCloseTo(value, 2);
        });
      }),
      { numRuns: 20 },
    );
  });

  it('stops when its job does', async () => {
    const stop = () => Promise.reject(new Error('stopped'));
    const doubtful = maskOf(() => 0.5);
    await expect(decide(doubtful, thing, everything, stop)).rejects.toThrow('stopped');
  });
});
