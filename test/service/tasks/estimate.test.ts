import { describe, expect, it } from 'vitest';
import type { Speed } from '../../../electron/service/store/speeds.ts';
import { estimateSeconds, speedFromReport } from '../../../electron/service/tasks/estimate.ts';
import { report } from './scripted-engine.ts';

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

describe('a measured speed', () => {
  it('is that of one network: half a megapixel in half a second', () => {
    expect(speedFromReport([pass(2)], report())?.megapixelsPerSecond).toBe(1);
    expect(speedFromReport([pass(2), pass(2)], report())?.megapixelsPerSecond).toBe(5);
    expect(speedFromReport([pass(4), pass(2)], report())).toBeUndefined();
  });
});
