import { describe, expect, it } from 'vitest';
import {
  allowedLevels,
  compareSessions,
  differenceOf,
  objectionTo,
} from '../../../../electron/engine/inference/checks/check.ts';
import type { Session } from '../../../../electron/engine/inference/sessions/session.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

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

describe('compareSessions', () => {
  const network = nearestNetwork(temporaryFolder(), 1);
  const ran: string[] = [];
  /** @param run what it gives for a tile */
  const session = (name: string, run: (tile: Float32Array) => Float32Array) =>
    ({
      run: (tile: Float32Array) => {
        ran.push(name);
        return Promise.resolve(run(tile));
      },
    }) as unknown as Session;

  it('measures how far one is from the other, quickly by a run of the other one', async () => {
    ran.length = 0;
    const reference = session('reference', (tile) => tile);
    const brighter = session('one', (tile) => tile.map((value) => value + 1 / 255));
    const { difference } = await compareSessions(network, brighter, reference, 0);
    expect(difference.max).toBeCloseTo(1);
    expect(ran).toEqual(['one', 'reference', 'one']);
  });

  it('runs no reference for a device that fails', async () => {
    ran.length = 0;
    const reference = session('reference', (tile) => tile);
    const failing = session('one', () => {
      throw new Error('No adapter');
    });
    await expect(compareSessions(network, failing, reference)).rejects.toThrow('No adapter');
    expect(ran).toEqual(['one']);
  });
});
