import { expect, it } from 'vitest';
import { listedText } from '../../../../renderer/state/queue/listed-text.ts';

const rows = (...ids: number[]) => ids.map((id) => ({ id: `photo-${id}` }));

it('counts what meets the filter, where just that is listed', () => {
  expect(listedText(rows(1, 2, 3), rows(3, 1, 2))).toBe('3');
  expect(listedText([], [])).toBe('0');
});

it('says of how many rows where photos stay listed that were judged', () => {
  expect(listedText(rows(5, 6, 7), rows(1, 2, 3, 4, 5, 6, 7))).toBe('3 of 7');
  expect(listedText([], rows(1, 2))).toBe('none left');
});

it('says of how many photos a search lists some', () => {
  expect(listedText(rows(1, 2, 3), rows(2))).toBe('1 of 3');
});
