import { describe, expect, it } from 'vitest';
import type { Speed } from '../../../electron/service/store/speeds.ts';
import { estimateSeconds } from '../../../electron/service/planning/estimate.ts';

const pass = (scale: number) => ({ modelId: 'm', scale });
const speeds = (known: Record<number, number>) => ({
  latest: (modelId: string, scale: number): Speed | undefined => {
    const megapixelsPerSecond = known[scale];
    if (megapixelsPerSecond === undefined) return undefined;
    return { modelId, scale, provider: 'cpu', precision: 'fp32', megapixelsPerSecond };
  },
});

describe('an estimate', () => {
  it('counts the pixels that each pass takes in', () => {
    const known = speeds({ 2: 2, 4: 1 });
    expect(estimateSeconds([pass(2)], 10e6, known)).toBe(5);
    expect(estimateSeconds([pass(4), pass(2)], 1e6, known)).toBe(1 + 16 / 2);
    expect(estimateSeconds([pass(4), pass(4)], 1e6, known)).toBe(17);
  });

  it('is absent until all its networks were measured', () => {
    expect(estimateSeconds([pass(4), pass(2)], 1e6, speeds({ 4: 1 }))).toBeUndefined();
  });
});
