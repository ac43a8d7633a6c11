import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Stroke } from '../../../../../packages/contract/src/options/strokes.ts';
import {
  painted,
  sizeForPainting,
} from '../../../../../electron/engine/jobs/cutout/strokes/paint-strokes.ts';
import type { Colours, Plane } from '../../../../../electron/engine/raster/planes/plane.ts';

type At = (x: number, y: number) => number;

const px = 80;
const square = { width: px, height: px };
const planeOf = (valueAt: At, width = px, height = px): Plane => ({
  width,
  height,
  data: Float32Array.from({ length: width * height }, (_, i) =>
    valueAt(i % width, Math.floor(i / width)),
  ),
});
const greys = (valueAt: At, width = px, height = px): Colours => {
  const grey = () => planeOf(valueAt, width, height);
  return [grey(), grey(), grey()];
};
const none = planeOf(() => 0);
const all = planeOf(() => 1);
/** Dark up to the middle, then bright. */
const halves = greys((x) => (x < px / 2 ? 0.2 : 0.8));

const stroke = (kind: Stroke['kind'], radiusPx: number, ...points: [number, number][]): Stroke => ({
  kind,
  radius: radiusPx / px,
  points: points.map(([x, y]) => [x / px, y / px]),
});
const paint = (mask: Plane, strokes: Stroke[], colours = halves, picture = square) =>
  painted(mask, strokes, colours, picture, async () => {});
const at = ({ data, width }: Plane, x: number, y: number) => data[y * width + x] as number;
const sumOf = ({ data }: Plane) => data.reduce((sum, value) => sum + value, 0);

describe('strokes on a mask', () => {
  it('take what is like their middle, and stop at an edge', async () => {
    const mask = await paint(none, [stroke('keep', 12, [34, 20], [34, 60])]);
    expect([at(mask, 34, 40), at(mask, 24, 40), at(mask, 39, 40)]).toEqual([1, 1, 1]);
    for (let x = 40; x < px; x += 1) expect(at(mask, x, 40)).toBe(0);
    expect([at(mask, 20, 40), at(mask, 34, 74)]).toEqual([0, 0]);
  });

  it('stop at soft edges too', async () => {
    const soft = greys((x) => 0.2 + 0.6 * Math.min(Math.max((x - 30) / 20, 0), 1));
    const mask = await paint(none, [stroke('keep', 25, [20, 40])], soft);
    expect([at(mask, 30, 40), at(mask, 42, 40)]).toEqual([1, 0]);
  });

  it('stop where a pale thing ends before a pale wall, and fill what is as noisy as that', async () => {
    const noise = (x: number, y: number) => ((x * 37 + y * 101) % 11) / 11 - 0.5;
    const pale = (noisiness: number) =>
      greys((x, y) => (x < 40 ? 0.85 : 0.9) + noisiness * noise(x, y));
    const sure = await paint(none, [stroke('keep', 14, [32, 40])], pale(0.01));
    const noisy = await paint(none, [stroke('keep', 14, [32, 40])], pale(0.1));
    for (let x = 20; x < 40; x += 1) expect([at(sure, x, 40), at(noisy, x, 40)]).toEqual([1, 1]);
    for (let x = 40; x < 46; x += 1) expect(at(sure, x, 40)).toBe(0);
  });

  it('fill textures', async () => {
    const checks = greys((x, y) => (x < 40 ? 0.3 + 0.25 * ((x + y) % 2) : 0.95));
    const mask = await paint(none, [stroke('keep', 14, [32, 40])], checks);
    for (let x = 20; x < 40; x += 1) expect(at(mask, x, 40)).toBe(1);
    expect(at(mask, 43, 40)).toBe(0);
  });

  it('take their core whatever it shows', async () => {
    const mask = await paint(none, [stroke('keep', 20, [40, 40])]);
    expect([at(mask, 36, 40), at(mask, 44, 40)]).toEqual([1, 1]);
  });

  it.each([
    ['remove', all],
    ['keep', none],
  ] as const)('%s leaves no thin rest along a blurred edge', async (kind, before) => {
    const blurred = greys((x) => [0.2, 0.4, 0.6][Math.min(Math.max(x - 39, 0), 2)] as number);
    const mask = await paint(
      before,
      [stroke(kind, 14, [30, 40]), stroke(kind, 14, [50, 40])],
      blurred,
    );
    for (let x = 26; x < 54; x += 1) expect(at(mask, x, 40)).toBe(kind === 'keep' ? 1 : 0);
  });

  it('leave no specks of what they removed, but keep what was dabbed', async () => {
    const dots = greys((x, y) => (x % 10 === 5 && y % 20 === 10 ? 1 : 0.2));
    const speckled = planeOf((x, y) => (y < 40 ? 1 : Number(x % 10 === 5 && y % 20 === 10)));
    const [remove, keep] = [stroke('remove', 19, [40, 60]), stroke('keep', 1, [70, 70])];
    const mask = await paint(speckled, [remove, keep], dots);
    expect([at(mask, 45, 50), at(mask, 35, 70), at(mask, 5, 50)]).toEqual([0, 0, 0]);
    expect([at(mask, 70, 70), at(mask, 40, 20)]).toEqual([1, 1]);
  });

  it('take the faint edge of what they removed with it', async () => {
    const faint = planeOf((x) => (x < 30 ? 1 : x < 36 ? 0.4 - (x - 30) / 20 : 0));
    const even = greys((x) => (x < 30 ? 0.2 : 0.9));
    const mask = await paint(faint, [stroke('remove', 18, [20, 40])], even);
    for (let x = 22; x < px; x += 1) expect(at(mask, x, 40)).toBe(0);
    expect(at(mask, 32, 5)).toBeCloseTo(0.3);
  });

  it('count in their order', async () => {
    const keep = stroke('keep', 10, [20, 40]);
    const remove = stroke('remove', 10, [20, 40]);
    expect(at(await paint(none, [remove, keep]), 20, 40)).toBe(1);
    expect(at(await paint(all, [keep, remove]), 20, 40)).toBe(0);
  });

  it('are round on the picture where the mask has another aspect', async () => {
    const colours = greys(() => 0.5, 40, px);
    const mask = await paint(
      planeOf(() => 0, 40, px),
      [stroke('keep', 20, [40, 40])],
      colours,
    );
    expect([at(mask, 20, 22), at(mask, 11, 40), at(mask, 8, 40), at(mask, 20, 18)]).toEqual([
      1, 1, 0, 0,
    ]);
  });

  it('are seen when they are finer than a pixel, and beyond the frame are nowhere', async () => {
    expect(sumOf(await paint(none, [stroke('keep', 0.01, [10.5, 10.5])]))).toBeGreaterThan(0);
    expect(sumOf(await paint(none, [stroke('keep', 5, [-40, -40], [-40, 120])]))).toBe(0);
  });

  it('are whole lines where they are finer than a pixel, also on the largest mask', async () => {
    const side = 1024;
    const wide = greys(() => 0.5, side, side);
    const picture = { width: side, height: side };
    const fine: Stroke = {
      kind: 'keep',
      radius: 1e-6,
      points: [
        [0.0004, 0],
        [1.0004, 1],
      ],
    };
    const mask = await paint(
      planeOf(() => 0, side, side),
      [fine],
      wide,
      picture,
    );
    for (let x = 0; x < side; x += 1) expect(at(mask, x, x)).toBe(1);
    expect(at(mask, 20, 18)).toBe(0);
  });

  it('change nothing beyond their breadth, and only to 0 or 1 of their kind', async () => {
    const place = fc.integer({ min: -20, max: 100 });
    const point = fc.tuple(place, place);
    const points = fc.array(point, { minLength: 1, maxLength: 4 });
    const kinds = fc.constantFrom('keep' as const, 'remove' as const);
    await fc.assert(
      fc.asyncProperty(
        kinds,
        fc.integer({ min: 1, max: 20 }),
        points,
        async (kind, radius, path) => {
          const half = planeOf(() => 0.4); // no part of a subject yet
          const mask = await paint(half, [stroke(kind, radius, ...path)]);
          mask.data.forEach((value, i) => {
            if (value !== half.data[i]) expect(value).toBe(kind === 'keep' ? 1 : 0);
            const [x, y] = [(i % px) + 0.5, Math.floor(i / px) + 0.5];
            const [first] = path;
            if (path.length === 1 && Math.hypot(x - first![0], y - first![1]) > radius + 0.001)
              expect(value).toBe(half.data[i]);
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  it('stop when the work is not wanted any more', async () => {
    const gone = () => Promise.reject(new Error('gone'));
    const one = [stroke('keep', 5, [40, 40])];
    await expect(painted(none, one, halves, square, gone)).rejects.toThrow('gone');
  });

  it('are painted on a mask of the picture, or of 1,024 pixels a side', () => {
    expect(sizeForPainting({ width: 6000, height: 800 })).toEqual({ width: 1024, height: 800 });
  });
});
