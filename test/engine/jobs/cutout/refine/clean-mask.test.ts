import { describe, expect, it } from 'vitest';
import { cleanMask } from '../../../../../electron/engine/jobs/cutout/refine/clean-mask.ts';
import { shippedTuning } from '../../../../support/networks-masks.ts';

/** 100 x 100, `ground` everywhere and `spot` on `side` x `side` pixels from (50, 50) on. */
function spotted(ground: number, spot: number, side: number) {
  const data = Float32Array.from({ length: 10_000 }, (_, i) => {
    const [x, y] = [(i % 100) - 50, Math.floor(i / 100) - 50];
    return x >= 0 && x < side && y >= 0 && y < side ? spot : ground;
  });
  return { width: 100, height: 100, data };
}

const spotOf = ({ data }: { data: Float32Array }) => data[50 * 100 + 50];

describe('settled', () => {
  it('fills a small faint hole and drops a small faint speck', () => {
    expect(spotOf(cleanMask(spotted(1, 0.25, 5), shippedTuning))).toBe(1);
    expect(spotOf(cleanMask(spotted(0, 0.75, 1), shippedTuning))).toBe(0);
  });

  it('leaves alone what the mask is sure of, and what is large', () => {
    for (const mask of [
      spotted(1, 0, 5),
      spotted(0, 1, 1),
      spotted(1, 0.25, 12),
      spotted(0, 0.75, 5),
    ]) {
      expect(cleanMask(mask, shippedTuning)).toEqual(mask);
    }
  });
});
