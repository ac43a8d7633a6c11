import { describe, expect, it } from 'vitest';
import {
  cutoutMegapixels,
  encodeSeconds,
  encodeSpeed,
  passSpeed,
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
    expect(secondsOf([pass(4), pass(1)], size(1), at({ 4: 1 }))).toBeUndefined();
    expect(secondsOfPasses([pass(4), pass(1)], size(1), at({ 4: 1 }))).toEqual([1, undefined]);
    expect(secondsOf([pass(4)], size(1), at({ 1: 3 }))).toBeUndefined();
    const other = { modelId: 'other', scale: 4 };
    expect(secondsOf([other], size(1), at({ 2: 1 }))).toBeUndefined();
  });

  it('follow those of another scale until their own is measured', () => {
    // 12 megapixels took 39.4 s at 4x and 30.2 s at 2x.
    expect(secondsOf([pass(4)], size(10), at({ 2: 1 }))).toBeCloseTo(13.05, 1);
    expect(secondsOf([pass(2)], size(10), at({ 4: 1 }))).toBeCloseTo(7.66, 1);
    expect(secondsOf([pass(4)], size(10), at({ 2: 1, 4: 2 }))).toBe(5);
  });

  it('follow those of a shipped model alike, at the same scale before any other', () => {
    const speed = { provider: 'cpu', precision: 'int8' } as const;
    const natural = { ...speed, modelId: 'natural', scale: 2, megapixelsPerSecond: 2 };
    const larger = { ...natural, scale: 4, megapixelsPerSecond: 1 };
    const detail = { ...speed, modelId: 'detail', scale: 4, megapixelsPerSecond: 5 };
    const of = (modelId: string, scale: number) => ({ modelId, scale });
    const known = speedAmong([natural, larger]);
    expect([known(of('detail', 2)), known(of('faithful', 4))]).toEqual([2, 1]);
    expect(speedAmong([natural, larger, detail])(of('detail', 2))).toBe(2);
    expect(speedAmong([natural, larger, detail])(of('detail', 4))).toBe(5);
    expect(speedAmong([{ ...natural, isDoubtful: true }])(of('detail', 2))).toBeUndefined();
    expect(known(of('restore', 2))).toBeUndefined();
    // Networks that clean only differ more.
    expect(speedAmong([{ ...natural, scale: 1 }])(of('detail', 1))).toBeUndefined();
  });

  it('are not taken from a doubtful speed of another scale', () => {
    const speed = { modelId: 'm', provider: 'cpu', precision: 'fp32' } as const;
    const doubtful = { ...speed, scale: 2, megapixelsPerSecond: 1, isDoubtful: true } as const;
    const calm = { ...speed, scale: 4, megapixelsPerSecond: 1 } as const;
    expect(speedAmong([doubtful])(pass(4))).toBeUndefined();
    expect(speedAmong([calm, doubtful])(pass(2))).toBeGreaterThan(1);
    const doubted = { ...calm, isDoubtful: true } as const;
    expect(speedAmong([calm, doubted])(pass(2))).toBeUndefined();
  });
});

describe('the speed that a pass tells', () => {
  const pass = { megapixels: 0.9, computed: 1.2, seconds: 3, isBusy: false };
  const small = { ...pass, megapixels: 0.12, computed: 0.16 };

  it('is rough beside other programs', () => {
    expect(passSpeed(pass, true)).toEqual({ megapixelsPerSecond: 0.3 });
    expect(passSpeed({ ...pass, isBusy: true }, false)).toMatchObject({ isBusy: true });
  });

  it('is rough, too, of a small photo that took long where no calm one is known', () => {
    const slow = { ...small, seconds: 12 };
    expect(passSpeed(slow, false)).toEqual({ megapixelsPerSecond: 0.01, isBusy: true });
    expect(passSpeed(slow, true)).toBeUndefined();
    // Most of it may be the loading of its network.
    expect(passSpeed({ ...small, seconds: 0.6 }, false)).toBeUndefined();
  });
});

describe('seconds of a cut-out', () => {
  const known = speedAmong([
    { modelId: 'm', scale: 1, provider: 'cpu', precision: 'fp32', megapixelsPerSecond: 4 },
  ]);

  it('are those of the usual photo at its speed', () => {
    expect(secondsOfCutout('m', { width: 4000, height: 3000 }, known)).toBeCloseTo(3);
    expect(secondsOfCutout('other', size(3), known)).toBeUndefined();
  });

  it.each([
    [640, 480, 0.26],
    [1200, 900, 0.62],
    // Solved at full size, so it takes longer than one of 3 megapixels.
    [1600, 1250, 1],
    [2000, 1500, 0.68],
    [3000, 2000, 1.01],
    [4000, 3000, 1.26],
    [6000, 4000, 1.66],
  ])('are near those measured on two cores for %i x %i: %f s', (width, height, measured) => {
    const seconds = secondsOfCutout('m', { width, height }, known) ?? 0;
    const ofReference = 1.26 / 3;
    expect(Math.abs(seconds * ofReference - measured)).toBeLessThan(
      Math.max(0.07, 0.15 * measured),
    );
  });

  it('come back from what was measured of any size', () => {
    for (const megapixels of [1, 6, 24, 100]) {
      const seconds = secondsOfCutout('m', size(megapixels), known) ?? 0;
      expect(cutoutMegapixels(size(megapixels)) / seconds).toBeCloseTo(4);
    }
  });
});

describe('seconds of an encoder', () => {
  const written = { width: 4000, height: 2000, format: 'jxl', frames: 1 } as const;

  it('are assumed until a job has shown them, and then those of its format and of its losses', () => {
    const assumed = encodeSeconds(written, undefined, () => undefined);
    const shown = encodeSpeed(written, 80, { compareMs: 500, encodeMs: 1500, networkMs: 9000 });
    const speedOf = speedAmong(shown ? [shown] : []);
    expect(encodeSeconds(written, 80, speedOf)).toBeCloseTo(2);
    expect(encodeSeconds({ ...written, width: 6000 }, 90, speedOf)).toBeCloseTo(3);
    expect(encodeSeconds(written, 100, speedOf)).toBe(assumed);
    const [jpeg, avif] = (['jpeg', 'avif'] as const).map((format) =>
      encodeSeconds({ ...written, format }, 80, speedOf),
    );
    expect(avif).toBeGreaterThan(10 * (jpeg ?? Infinity));
  });

  it('are longer for a result whose tiles are cut beside it, as assumed until one has shown it', () => {
    const large = { ...written, height: 4000 };
    const small = encodeSpeed(written, 80, { encodeMs: 1000 });
    const tiled = encodeSpeed(large, 80, { encodeMs: 4000 });
    if (!small || !tiled) throw new Error('Both are large enough');
    expect(encodeSeconds(large, 80, speedAmong([small]))).toBeGreaterThan(2.2);
    for (const known of [speedAmong([small, tiled]), speedAmong([tiled, small])]) {
      expect(encodeSeconds(large, 80, known)).toBeCloseTo(4);
      expect(encodeSeconds(written, 80, known)).toBeCloseTo(1);
    }
  });

  it('are not learned from small results, nor from timings that are missing', () => {
    expect(encodeSpeed({ ...written, width: 400 }, 80, { encodeMs: 1500 })).toBeUndefined();
    expect(encodeSpeed(written, 80, {})).toBeUndefined();
  });
});
