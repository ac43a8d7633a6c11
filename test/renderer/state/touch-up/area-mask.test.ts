import { describe, expect, it } from 'vitest';
import { coverage } from '../../../../packages/painting/src/brush-path.ts';
import { linesOf } from '../../../../renderer/state/touch-up/area-mask.ts';

/** Opacity at a distance from the path, in radii: lines lie over each other. */
const opacityAt = (hardness: number | undefined, distance: number): number =>
  linesOf(hardness === undefined ? {} : { hardness })
    .filter(({ width }) => distance <= width)
    .reduce((under, { opacity }) => under + (1 - under) * opacity, 0);

describe('a stroke of an area', () => {
  it.each([0, 50, 80])('fades as the engine paints it, with a hardness of %i %', (hardness) => {
    for (let distance = 0; distance <= 1.2; distance += 0.05)
      expect(
        Math.abs(opacityAt(hardness, distance) - coverage(distance, hardness / 100)),
        `at ${distance}`,
      ).toBeLessThanOrEqual(1 / 16 + 1e-9);
  });

  it('has a hard edge, or a soft one where no hardness was given', () => {
    expect(linesOf({ hardness: 100 })).toEqual([{ width: 1, opacity: 1 }]);
    expect(linesOf({})).toEqual(linesOf({ hardness: 50 }));
  });
});
