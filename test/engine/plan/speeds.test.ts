import { describe, expect, it } from 'vitest';
import {
  cutoutMegapixels,
  secondsOf,
  secondsOfCutout,
  secondsOfPasses,
  speedAmong,
} from '../../../electron/engine/plan/speeds.ts';

const pass = (scale: number) => ({ modelId: 'm', scale });
const at = (known: Record<number, number>) =>
  speedAmong(
    Object.entries(known).map(([scale, megapixelsPerSecond]) => ({
      modelId: 'm',
      scale: Number(scale),
      provider: 'cpu',
      precision: 'fp32',
      megapixelsPerSecond,
    })),
  );
const size = (megapixels: number) => ({ width: megapixels * 1000, height: 1000 });

describe('seconds from measured speeds', () => {
  it('count the pixels that each pass takes in', () => {
    const known = at({ 2: 2, 4: 1 });
    expect(secondsOf([pass(2)], size(10), known)).toBe(5);
    expect(secondsOf([pass(4), pass(2)], size(1), known)).toBe(1 + 16 / 2);
    expect(secondsOf([pass(4), pass(4)], size(1), known)).toBe(17);
  });

  it('are absent until all networks were measured', () => {
    expect(secondsOf([pass(4), pass(2)], size(1), at({ 4: 1 }))).toBeUndefined();
    expect(secondsOfPasses([pass(4), pass(2)], size(1), at({ 4: 1 }))).toEqual([1, undefined]);
  });
});

describe('seconds of a cut-out', () => {
  const known = speedAmong([
    { modelId: 'm', scale: 1, provider: 'cpu', precision: 'fp32', megapixelsPerSecond: 4 },
  ]);

  it('are those of the usual photo at its speed, and hardly less for small ones', () => {
    expect(secondsOfCutout('m', size(12), known)).toBe(3);
    // As measured on two cores: 1.1 s of 0.1 megapixels, 2.4 s of 3.
    expect(secondsOfCutout('m', size(0.1), known)).toBeCloseTo(1.2, 1);
    expect(secondsOfCutout('m', size(3), known)).toBeCloseTo(1.65, 2);
    expect(secondsOfCutout('other', size(3), known)).toBeUndefined();
  });

  it('come back from what was measured of any size', () => {
    for (const megapixels of [1, 6, 24, 100]) {
      const seconds = secondsOfCutout('m', size(megapixels), known) ?? 0;
      expect(cutoutMegapixels(megapixels) / seconds).toBeCloseTo(4);
    }
  });
});
