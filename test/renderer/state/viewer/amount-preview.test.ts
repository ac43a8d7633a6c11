import { describe, expect, it } from 'vitest';
import type { TaskOptions } from '../../../../electron/contract/task.ts';
import { defaultChoices } from '../../../../electron/contract/settings/page.ts';
import { draftOpacity, unmixedOf } from '../../../../renderer/state/viewer/amount-preview.ts';

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
  it('mixes a result that is the model alone, and no other', () => {
    const draft = { ...defaultChoices, amount: 40 };
    expect(draftOpacity(defaultChoices, draft, {})).toBe(0.4);
    expect(draftOpacity(defaultChoices, draft, { amountMask: 'everywhere' })).toBeUndefined();
    expect(draftOpacity(defaultChoices, undefined, {})).toBeUndefined();
  });
});
