import { describe, expect, it } from 'vitest';
import { heldBefore, measuredBefore } from '../../../../electron/contract/comparison-notes.ts';
import { isToCheck } from '../../../../renderer/state/photo/to-check.ts';

describe('a result to check', () => {
  const isListed = (record: NonNullable<Parameters<typeof isToCheck>[0]['record']>) =>
    isToCheck({ phase: 'FINISHED', record });

  it('is an unsure cut-out or one with a note on the picture, until it is judged', () => {
    expect(isListed({ notes: [], grade: 'look' })).toBe(true);
    expect(isListed({ notes: ['A note.'] })).toBe(true);
    expect(isListed({ notes: [], grade: 'good' })).toBe(false);
    expect(isListed({ notes: ['The network was left for the CPU.'] })).toBe(false);
    expect(isListed({ notes: [measuredBefore('grain'), heldBefore('grain', 1)] })).toBe(false);
    expect(isListed({ notes: ['A note.'], grade: 'poor', mark: 'accepted' })).toBe(false);
  });
});
