import { describe, expect, it } from 'vitest';
import { doubtOf } from '../../../../renderer/state/photo/to-check.ts';

describe('how unsure a result is', () => {
  it('goes by its grade first, then by whether the picture has notes', () => {
    const record = (grade: 'good' | 'look' | 'poor' | undefined, ...notes: string[]) => ({
      notes,
      ...(grade && { grade }),
    });
    const ordered = [
      record('poor', 'A note.'),
      record('poor'),
      record('look', 'A note.', 'Another one.'),
      record('look', 'The network was left for the CPU.'),
      record(undefined, 'A note.'),
      record('good'),
    ];
    const doubts = ordered.map((one) => doubtOf(one));
    expect(doubts).toEqual([...new Set(doubts)].toSorted((one, other) => other - one));
    expect(doubtOf(undefined)).toBe(doubtOf(record('good')));
  });
});
