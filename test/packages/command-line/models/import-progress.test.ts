import { describe, expect, it } from 'vitest';
import {
  createImportPrinter,
  importLine,
} from '../../../../packages/command-line/src/models/import-progress.ts';

describe('the progress of an import', () => {
  it.each([
    [{ step: 'waiting', runs: 0 } as const, 'Waiting for its turn.'],
    [{ step: 'reading', runs: 0 } as const, 'Reading the files.'],
    [{ step: 'trying', runs: 0 } as const, 'Trying it out on test pictures.'],
    [{ step: 'trying', runs: 3 } as const, 'Trying it out on test pictures: 3.'],
    [
      { step: 'trying', runs: 3, maxRuns: 30, secondsLeft: 81 } as const,
      'Trying it out on test pictures: 3 of at most 30, at most 81 s left.',
    ],
    [
      { step: 'trying', runs: 3, maxRuns: 30, secondsLeft: 200 } as const,
      'Trying it out on test pictures: 3 of at most 30, at most 3 min left.',
    ],
  ])('%o reads %s', (progress, line) => {
    expect(importLine(progress)).toBe(line);
  });

  it('is printed at each step, and every 5 s within one', () => {
    const lines: string[] = [];
    let nowMs = 0;
    const print = createImportPrinter(
      (line) => lines.push(line),
      () => nowMs,
    );
    print({ step: 'reading', runs: 0 });
    print({ step: 'trying', runs: 1 });
    print({ step: 'trying', runs: 2 });
    nowMs = 5000;
    print({ step: 'trying', runs: 3 });
    nowMs = 10_000;
    print({ step: 'trying', runs: 3 });
    expect(lines).toEqual([
      'Reading the files.',
      'Trying it out on test pictures: 1.',
      'Trying it out on test pictures: 3.',
    ]);
  });
});
