import { describe, expect, it } from 'vitest';
import type { TaskOptions } from '../../../../packages/contract/src/task.ts';
import { defaultChoices, type Choices } from '../../../../packages/contract/src/settings/page.ts';
import { planAmountPreview, unmixedOf } from '../../../../renderer/state/viewer/amount-preview.ts';

const options: TaskOptions = {
  ...{ model: 'natural', scale: 4, format: 'same', formatChosen: false },
  ...{ bitDepth: 'same', metadata: 'keep' },
};
const enlarged = (changed: Partial<TaskOptions> = {}) => ({
  record: {
    operation: 'upscale' as const,
    status: 'FINISHED' as const,
    imageUrl: 'http://result',
    options: { ...options, ...changed },
  },
});

describe('the preview of a painted area', () => {
  it('lies over the version that is the model alone, of the same request', () => {
    const plain = enlarged();
    expect(unmixedOf(plain, [plain])).toBe(plain);
    const painted = enlarged({ amountMask: 'everywhere', strokes: [] });
    const other = enlarged({ scale: 2 });
    expect(unmixedOf(painted, [other, plain, painted])).toBe(plain);
    expect(unmixedOf(painted, [other, painted])).toBeUndefined();
    expect(unmixedOf(enlarged({ amount: 40 }), [])).toBeUndefined();
  });

  it('is left to the engine where the result was finished after it was mixed', () => {
    const sharpened = enlarged({ sharpen: 20 });
    expect(unmixedOf(sharpened, [sharpened])).toBeUndefined();
  });
});

describe('the preview of a changed strength', () => {
  type Version = ReturnType<typeof enlarged>;
  /** Previews `wanted` over a version with these options, beside others. */
  function previewed(
    made: Partial<TaskOptions>,
    wanted: Partial<Choices>,
    others: readonly Version[] = [],
    choices: Choices = { ...defaultChoices, amount: made.amount ?? 100 },
  ) {
    const draft = { ...choices, ...wanted };
    const photo = { ...enlarged(made), choices, versions: { draft } };
    const preview = planAmountPreview<Version>(photo, [photo, ...others]);
    return typeof preview === 'object'
      ? {
          base: preview.base === photo ? 'itself' : others.indexOf(preview.base),
          gain: preview.gain,
        }
      : preview;
  }

  it('mixes the result anew, and goes up to twice beyond it', () => {
    expect(previewed({}, { amount: 40 })).toEqual({ base: 'itself', gain: 0.4 });
    expect(previewed({ amount: 80 }, { amount: 20 })).toEqual({ base: 'itself', gain: 0.25 });
    expect(previewed({ amount: 50 }, { amount: 100 })).toEqual({ base: 'itself', gain: 2 });
    expect(previewed({ amount: 40 }, { amount: 100 })).toBe('later');
    expect(previewed({ amount: 0 }, { amount: 10 })).toBe('later');
  });

  it('takes the strongest version of the same request and the same area', () => {
    const mask = { amountMask: 'subject', maskModel: 'cutout' } as const;
    const others = [
      enlarged({ scale: 2 }),
      enlarged({ amount: 70 }),
      enlarged(),
      enlarged({ ...mask, amount: 90 }),
    ];
    expect(previewed({ amount: 40 }, { amount: 90 }, others)).toEqual({ base: 2, gain: 0.9 });
    expect(previewed({ ...mask, amount: 30 }, { amount: 45 }, others)).toEqual({
      base: 3,
      gain: 0.5,
    });
    expect(previewed({ amountMask: 'background' }, { amount: 45 }, others)).toEqual({
      base: 'itself',
      gain: 0.45,
    });
  });

  it('is left to the engine where more is changed, or a later step followed', () => {
    expect(previewed({}, { amount: 40, detail: 10 })).toBe('later');
    expect(previewed({}, { amount: 40, scale: 4 })).toBe('later');
    expect(previewed({}, { amount: 40, amountMask: 'subject' })).toBe('later');
    expect(previewed({}, { amount: 40, quality: 70, format: 'png' })).toMatchObject({ gain: 0.4 });
    const sharpened = { ...defaultChoices, sharpen: 20 };
    expect(previewed({ sharpen: 20 }, { amount: 40 }, [], sharpened)).toBe('later');
  });

  it('is none where the strength stays, or a cut-out is wanted', () => {
    expect(previewed({}, { detail: 10 })).toBeUndefined();
    expect(previewed({}, { amount: 40, operation: 'remove-bg' })).toBeUndefined();
  });
});
