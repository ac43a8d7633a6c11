import { describe, expect, it } from 'vitest';
import {
  chooseGrain,
  chooseRestoring,
  conditionOf,
  recordOfDamage,
} from '../../../electron/engine/plan/choose-restoring.ts';
import type { Damage } from '../../../electron/engine/protocol/damage.ts';

const clean: Damage = { deviation: 0.4, softnessPx: 0, toldBy: 'nothing', blockiness: 0.02 };
const rough: Damage = {
  deviation: 6,
  softnessPx: 0.4,
  jpegQuality: 70,
  toldBy: 'tables',
  blockiness: 0.6,
};

describe('what is taken off', () => {
  it('is nothing of a clean photo', () => {
    expect(chooseRestoring('auto', clean)).toEqual({ jpeg: 0, noise: 0, blur: 0 });
    expect(chooseRestoring('auto', undefined)).toEqual({ jpeg: 0, noise: 0, blur: 0 });
  });

  it('is what was measured, in the units that networks take', () => {
    const restoring = chooseRestoring('auto', rough);
    expect(restoring.jpeg).toBeCloseTo(0.5);
    expect(restoring.noise).toBeCloseTo(0.4);
    const condition = { constant: 'condition', values: ['noise' as const, 'jpeg' as const] };
    expect(conditionOf(condition, restoring)).toEqual([restoring.noise, restoring.jpeg]);
  });

  it('is told beside the share of a gentler network, by default none of it', () => {
    const restoring = chooseRestoring('auto', rough);
    const condition = { constant: 'condition', values: ['jpeg' as const, 'natural' as const] };
    const shares = [undefined, 100, 30, 0].map((detail) =>
      conditionOf(condition, restoring, detail),
    );
    expect(shares.map(([jpeg]) => jpeg)).toEqual(shares.map(() => restoring.jpeg));
    expect(shares.map(([, natural]) => natural)).toEqual([0, 0, expect.closeTo(0.7), 1]);
  });

  it('is the rather less of faint noise the less it is, and nothing of what texture measures to', () => {
    const noiseOf = (deviation: number) =>
      15 * chooseRestoring('auto', { ...clean, deviation }).noise;
    expect([1, 1.5, 2.25, 3, 4].map(noiseOf)).toEqual(
      [0, 0, 1.5, 3, 4].map((value) => expect.closeTo(value) as number),
    );
  });

  describe('of blur', () => {
    const blurOf = (deviationPx: number, errorPx = 0.06) =>
      1.5 * chooseRestoring('auto', { ...clean, blur: { deviationPx, errorPx } }).blur;

    it('is less than was measured by its expected error, in steps', () => {
      expect(blurOf(0.8)).toBeCloseTo(0.6);
      expect(blurOf(1.2)).toBeCloseTo(1);
      expect(blurOf(1.2, 0.2)).toBeCloseTo(0.8);
    });

    it('is nothing where the photo may be sharp, and at most what makes no bands', () => {
      expect(blurOf(0.4)).toBe(0);
      expect(blurOf(0.7, 0.25)).toBe(0);
      expect(blurOf(5)).toBeCloseTo(1);
    });

    it('is nothing of a photo whose blocks or noise would be sharpened', () => {
      const blur = { deviationPx: 1.2, errorPx: 0.06 };
      expect(chooseRestoring('auto', { ...clean, blur, jpegQuality: 50 }).blur).toBe(0);
      expect(chooseRestoring('auto', { ...clean, blur, deviation: 12 }).blur).toBe(0);
    });

    it('follows the dial, and is never more than was measured', () => {
      const soft = { ...clean, blur: { deviationPx: 1.2, errorPx: 0.06 } };
      expect(1.5 * chooseRestoring(50, soft).blur).toBeCloseTo(0.4);
      expect(1.5 * chooseRestoring(100, soft).blur).toBeCloseTo(1);
      expect(chooseRestoring(0, soft).blur).toBe(0);
    });

    it('is told in the record', () => {
      const soft = { ...clean, blur: { deviationPx: 0.84, errorPx: 0.06 } };
      const record = recordOfDamage(soft, 'auto', chooseRestoring('auto', soft), undefined);
      expect(record.blurPx).toBe(0.84);
      expect(record.restored).toEqual({ noise: 0, blurPx: 0.6 });
      expect(record.why).toBe(
        'No trace of JPEG was found, and no noise. Its sharpest places are blurred by at least 0.8 pixels. Sharpened by 0.6 pixels.',
      );
    });
  });

  it('stays within what networks were taught', () => {
    const worst = chooseRestoring('auto', { ...rough, jpegQuality: 1, deviation: 60 });
    expect(worst).toEqual({ jpeg: 1.05, noise: 1.33, blur: 0 });
  });

  it('is what a person asked for, whatever was measured', () => {
    expect(chooseRestoring(0, rough)).toEqual({ jpeg: 0, noise: 0, blur: 0 });
    expect(chooseRestoring(100, clean).jpeg).toBeCloseTo(1);
    expect(chooseRestoring(50, clean).noise).toBeCloseTo(1 / 3);
  });
});

describe('grain', () => {
  it('is none unless it is asked for', () => {
    expect(chooseGrain(undefined, rough, 2)).toBeUndefined();
    expect(chooseGrain(0, rough, 2)).toBeUndefined();
    expect(chooseGrain('auto', clean, 2)).toBeUndefined();
  });

  it("is as strong as the photo's own, and coarser by the scale", () => {
    const grain = chooseGrain('auto', rough, 4);
    expect(grain?.deviation).toBe(6);
    expect(grain?.softnessPx).toBeGreaterThan(4 * 0.4);
    expect(chooseGrain(50, clean, 2)?.deviation).toBe(6);
  });
});

describe('the record of it', () => {
  it('says what was measured, what was taken off, and why', () => {
    expect(recordOfDamage(rough, 'auto', chooseRestoring('auto', rough), undefined)).toEqual({
      jpegQuality: 70,
      toldBy: 'tables',
      noise: 6,
      softnessPx: 0.4,
      blockiness: 0.6,
      restored: { jpegQuality: 70, noise: 6 },
      why: 'Compressed as a JPEG of quality 70, as its quantisation tables say, and noise of 6 levels. As much was removed.',
    });
  });
});
