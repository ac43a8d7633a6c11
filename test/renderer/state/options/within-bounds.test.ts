import { describe, expect, it } from 'vitest';
import { withinBounds } from '../../../../renderer/state/options/within-bounds.ts';

describe('a number that is typed', () => {
  const pixels = { min: 16, max: 30_000, step: 1 };

  it('becomes the nearest one within the bounds', () => {
    const all = [3840, 0, -5, 99_999_999, 12.6, 100.4];
    expect(all.map((typed) => withinBounds(typed, pixels))).toEqual([
      3840, 16, 16, 30_000, 16, 100,
    ]);
  });

  it('is a multiple of the step, without what binary fractions add', () => {
    const tenths = { min: 0.1, max: 500, step: 0.1 };
    expect([0.3, 12.34, 0].map((typed) => withinBounds(typed, tenths))).toEqual([0.3, 12.3, 0.1]);
  });

  it('stays as it is where any is allowed', () => {
    expect(withinBounds(11.81, { min: 0.1, max: 100, step: 'any' })).toBe(11.81);
  });

  it('is none where nothing, or no number, was typed', () => {
    expect(withinBounds(NaN, pixels)).toBeUndefined();
  });
});
