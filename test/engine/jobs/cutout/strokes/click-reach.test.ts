/** How far a click counts: over what looks alike around it, and not across an edge. */
import { describe, expect, it } from 'vitest';
import { withReach } from '../../../../../electron/engine/jobs/cutout/strokes/click-reach.ts';
import type { Colours, Plane } from '../../../../../electron/engine/raster/planes/plane.ts';

const px = 60;
const planeOf = (value: (x: number, y: number) => number): Plane => ({
  width: px,
  height: px,
  data: Float32Array.from({ length: px * px }, (_, at) => value(at % px, Math.floor(at / px))),
});

/** Dark, with a light square from 26 to 34 in both directions. */
const isInside = (x: number, y: number) => x >= 26 && x < 34 && y >= 26 && y < 34;
const level = planeOf((x, y) => (isInside(x, y) ? 0.9 : 0.1));
const colours: Colours = [level, level, level];

const hintsAt = (kept: readonly (readonly [number, number])[], removed: typeof kept = []) => {
  const hints = new Float32Array(3 * px * px);
  for (const [x, y] of kept) hints[px * px + y * px + x] = 1;
  for (const [x, y] of removed) hints[2 * px * px + y * px + x] = 1;
  return hints;
};
const countOf = (mask: Plane, isCounted: (x: number, y: number) => boolean) =>
  mask.data.reduce(
    (count, value, at) => count + Number(value > 0.5 && isCounted(at % px, Math.floor(at / px))),
    0,
  );
const isOutside = (x: number, y: number) => !isInside(x, y);

describe('the reach of clicks', () => {
  it('fills what looks alike, and ends at its edge', () => {
    const mask = withReach(
      planeOf(() => 0.2),
      colours,
      hintsAt([[29, 31]]),
    );
    expect([countOf(mask, isInside), countOf(mask, isOutside)]).toEqual([64, 0]);
  });

  it('removes what looks alike, where the mask was sure of it', () => {
    const mask = withReach(
      planeOf(() => 0.9),
      colours,
      hintsAt([], [[31, 28]]),
    );
    expect([countOf(mask, isInside), countOf(mask, isOutside)]).toEqual([0, px * px - 64]);
  });

  it('falls with the distance on one ground', () => {
    const flat = planeOf(() => 0.5);
    const { data } = withReach(
      planeOf(() => 0.2),
      [flat, flat, flat],
      hintsAt([[0, 30]]),
    );
    const row = Array.from(data.subarray(30 * px, 31 * px));
    expect(row.every((value, x) => value <= (row[x - 1] ?? 1))).toBe(true);
    expect([(row[2] ?? 0) > 0.95, (row[59] ?? 1) < 0.25]).toEqual([true, true]);
  });

  it('weighs clicks of both kinds against each other', () => {
    const flat = planeOf(() => 0.5);
    const hints = hintsAt([[20, 30]], [[40, 30]]);
    const { data } = withReach(flat, [flat, flat, flat], hints);
    const at = (x: number) => data[30 * px + x] ?? NaN;
    expect([at(20) > 0.8, at(40) < 0.2]).toEqual([true, true]);
    expect(at(30)).toBeCloseTo(0.5);
  });

  it('changes nothing without clicks', () => {
    const mask = withReach(
      planeOf((x) => x / px),
      colours,
      hintsAt([]),
    );
    expect(mask.data[30 * px + 45]).toBeCloseTo(0.75, 4);
  });
});
