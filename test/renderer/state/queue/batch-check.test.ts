import { expect, it } from 'vitest';
import { batchToCheck } from '../../../../renderer/state/queue/batch-check.ts';

it('counts the photos of the batch alone, whichever version of them is to be checked', () => {
  const [cut, print, earlier] = [{}, {}, {}];
  const before = { name: 'cut 1', versions: cut };
  const done = [
    { name: 'cut 2', versions: cut },
    { name: 'print', versions: print },
  ];
  const toCheck = [before, { name: 'earlier', versions: earlier }];
  expect(batchToCheck(done, toCheck)).toEqual([before]);
  expect(batchToCheck([], toCheck)).toEqual([]);
});
