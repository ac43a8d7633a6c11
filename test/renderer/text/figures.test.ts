import { describe, expect, it } from 'vitest';
import { ownSeconds } from '../../../renderer/text/figures.ts';

describe('the time that a photo took', () => {
  it('is its own, without its waiting for another one', () => {
    expect(ownSeconds({ totalMs: 120_000, waitMs: 117_500 })).toBe(2.5);
    expect(ownSeconds({ totalMs: 1500 })).toBe(1.5);
    expect(ownSeconds({})).toBeUndefined();
  });
});
