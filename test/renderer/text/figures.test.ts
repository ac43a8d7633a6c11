import { describe, expect, it } from 'vitest';
import { ownSeconds, stepsOf } from '../../../renderer/text/figures.ts';

describe('the time that a photo took', () => {
  it('is its own, without its waiting for another one', () => {
    expect(ownSeconds({ totalMs: 120_000, waitMs: 117_500 })).toBe(2.5);
    expect(ownSeconds({ totalMs: 1500 })).toBe(1.5);
    expect(ownSeconds({})).toBeUndefined();
  });
});

describe('the steps of a photo', () => {
  it('are few, and add up what belongs together', () => {
    const timings = { queuedMs: 50, waitMs: 3000, fetchMs: 40, decodeMs: 200, measureMs: 60 };
    expect(stepsOf({ ...timings, networkMs: 9000, encodeMs: 500, publishMs: 20 })).toEqual([
      { step: 'waited', durationMs: 3050 },
      { step: 'read', durationMs: 300 },
      { step: 'network', durationMs: 9000 },
      { step: 'written', durationMs: 520 },
    ]);
  });

  it('are left out where they took next to no time, as the edge of what is no cut-out', () => {
    expect(stepsOf({ queuedMs: 4, refineMs: 0, composeMs: 1, encodeMs: 30 })).toEqual([]);
    expect(stepsOf({ refineMs: 400 })).toEqual([{ step: 'refined', durationMs: 400 }]);
    expect(stepsOf()).toEqual([]);
  });

  it('have the network that ran, however short', () => {
    const timings = { decodeMs: 8, networkMs: 31, encodeMs: 2 };
    expect(stepsOf(timings)).toEqual([{ step: 'network', durationMs: 31 }]);
  });
});
