import { describe, expect, it } from 'vitest';
import type { MeasuredDamage, TaskOptions } from '../../../../packages/contract/src/task.ts';
import { isFinishedLater, sharpeningOf } from '../../../../renderer/state/viewer/finished-later.ts';

const options = { model: 'natural', sharpen: 0 } as TaskOptions;
const measured = { grain: { deviation: 3, softnessPx: 1 } } as MeasuredDamage;

describe('whether a result was finished after it was held against its photo', () => {
  it('is so where it was sharpened or given grain', () => {
    expect(isFinishedLater({ options })).toBe(false);
    expect(isFinishedLater({ options: { ...options, sharpen: 20 } })).toBe(true);
    expect(isFinishedLater({ options, measured })).toBe(true);
  });

  it('follows how a cut-out was enlarged', () => {
    const enlarge = { model: 'natural', sharpen: 20, first: 'enlarge' } as const;
    expect(isFinishedLater({ options: { ...options, enlarge } })).toBe(true);
    expect(sharpeningOf({ options: { ...options, enlarge } })).toBe(20);
  });
});
