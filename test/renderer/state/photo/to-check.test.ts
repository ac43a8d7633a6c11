import { describe, expect, it } from 'vitest';
import { note, readNote } from '../../../../packages/contract/src/notes/notes.ts';
import { isToCheck } from '../../../../renderer/state/photo/to-check.ts';

const noted = (...notes: string[]) => ({
  notes,
  noteCodes: notes.map((sentence) => readNote(sentence) ?? { code: 'OTHER', values: {} }),
});

describe('a result to check', () => {
  const isListed = (record: NonNullable<Parameters<typeof isToCheck>[0]['record']>) =>
    isToCheck({ phase: 'FINISHED', record });

  it('is an unsure cut-out or one with a note on the picture, until it is judged', () => {
    expect(isListed({ notes: [], grade: 'look' })).toBe(true);
    expect(isListed({ notes: ['A note.'] })).toBe(true);
    expect(isListed({ notes: [], grade: 'good' })).toBe(false);
    expect(isListed(noted(note('DEVICE_LEFT', { device: 'CUDA', reason: 'Why.' })))).toBe(false);
    const compared = note('COMPARED_BEFORE', { steps: 'grain' });
    const held = note('HELD_BEFORE', { steps: 'grain', levels: 1 });
    expect(isListed(noted(compared, held))).toBe(false);
    expect(isListed(noted(compared, note('TRANSPARENCY_FILLED')))).toBe(true);
    expect(isListed({ notes: ['A note.'], grade: 'poor', mark: 'accepted' })).toBe(false);
  });
});
