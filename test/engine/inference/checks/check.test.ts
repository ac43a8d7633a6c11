import { describe, expect, it } from 'vitest';
import {
  allowedLevels,
  differenceOf,
  objectionTo,
} from '../../../../electron/engine/inference/checks/check.ts';

const range = [0, 1] as const;
const numbers = (...values: number[]) => Float32Array.from(values);

describe('differenceOf', () => {
  it('measures in levels of 255 whatever the range', () => {
    const { max, mean } = differenceOf(numbers(0, 1), numbers(0, 0.5), range);
    expect(max).toBeCloseTo(127.5);
    expect(mean).toBeCloseTo(63.75);
    expect(differenceOf(numbers(0, 200), numbers(0, 100), [0, 255]).max).toBeCloseTo(100);
  });

  it('does not count what is cut away beyond black and white', () => {
    expect(differenceOf(numbers(-0.3, 1.4), numbers(0, 1), range).max).toBe(0);
  });

  it('takes NaN and a wrong length for as far as can be', () => {
    expect(differenceOf(numbers(NaN, 1), numbers(0, 1), range)).toEqual({ max: 255, mean: 255 });
    expect(differenceOf(numbers(1), numbers(1, 1), range).max).toBe(255);
  });
});

describe('objectionTo', () => {
  it('allows one level in fp32 and in fp16, six in int8 with a small mean', () => {
    expect(objectionTo({ max: 1, mean: 0.1 }, allowedLevels.fp32)).toBeUndefined();
    expect(objectionTo({ max: 1.5, mean: 0.1 }, allowedLevels.fp32)).toContain(
      '1.50 levels of 255',
    );
    expect(objectionTo({ max: 1, mean: 0.1 }, allowedLevels.fp16)).toBeUndefined();
    expect(objectionTo({ max: 2, mean: 0.1 }, allowedLevels.fp16)).toContain('2.00 levels');
    expect(objectionTo({ max: 6, mean: 0.5 }, allowedLevels.int8)).toBeUndefined();
    expect(objectionTo({ max: 3, mean: 0.6 }, allowedLevels.int8)).toContain('mean 0.60');
  });
});
