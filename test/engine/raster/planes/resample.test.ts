import { describe, expect, it } from 'vitest';
import { createPlane } from '../../../../electron/engine/raster/planes/plane.ts';
import {
  areaTapsOf,
  createRowResampler,
  resample,
} from '../../../../electron/engine/raster/planes/resample.ts';

describe('taps', () => {
  it.each([
    [4000, 320],
    [333, 320],
    [7, 3],
    [100, 320],
    [1, 5],
    [5, 5],
  ])('from %d to %d sum up to 1 and stay inside', (from, to) => {
    for (const { first, weights } of areaTapsOf(from, to)) {
      expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 9);
      expect(first).toBeGreaterThanOrEqual(0);
      expect(first + weights.length).toBeLessThanOrEqual(from);
    }
  });

  it('take no side: the middle of all weights is the middle of the place', () => {
    for (const [at, { first, weights }] of areaTapsOf(1000, 300).entries()) {
      const middle = weights.reduce((sum, weight, i) => sum + weight * (first + i + 0.5), 0);
      expect(middle).toBeCloseTo(((at + 0.5) * 1000) / 300, 0);
    }
  });
});

describe('a resampled plane', () => {
  const ramp = createPlane(8, 4);
  ramp.data.forEach((_, at) => (ramp.data[at] = (at % 8) + 0.5));

  it('keeps a ramp where it was, and its border beyond the outer centres', () => {
    const { data } = resample(ramp, 16, 4);
    expect([...data.subarray(0, 4)]).toEqual([0.5, 0.75, 1.25, 1.75]);
    expect(data[15]).toBe(7.5);
  });

  it('is the same row by row', () => {
    const whole = resample(ramp, 13, 9);
    const rowAt = createRowResampler(ramp, { width: 13, height: 9 });
    for (let y = 0; y < 9; y += 1)
      rowAt(y).forEach((value, x) => expect(value).toBeCloseTo(whole.data[y * 13 + x]!, 5));
  });
});
