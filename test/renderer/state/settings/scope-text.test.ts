import { expect, it } from 'vitest';
import { scopeText } from '../../../../renderer/state/settings/scope-text.ts';

const ready = { isEditable: true };
const refused = { isEditable: true, obstacle: { code: 'IMAGE_TOO_LARGE' } };
const begun = { isEditable: false };
const many = <Row>(count: number, row: Row) => new Array<Row>(count).fill(row);

it('tells photos that may still wait in a started queue from those that have begun', () => {
  // Of thirteen started photos two run: the others were started as well.
  expect(scopeText([...many(11, ready), ...many(2, begun)], false)).toBe(
    'For the selected photos: 11 still to run, 2 already begun (as a new version).',
  );
  expect(scopeText([ready, refused, begun], false)).toContain('1 still to run, 1 already begun');
});

it('says so where all of them are of one kind', () => {
  expect(scopeText([], true)).toBe('For the next photos you add.');
  expect(scopeText([ready, refused], false)).toBe('For the selected photo.');
  expect(scopeText([refused, refused], false)).toBe('For the 2 selected photos.');
  expect(scopeText([ready, ready], true)).toContain('and the next ones you add');
  expect(scopeText([begun, begun], false)).toBe('For new versions of the 2 selected photos.');
});
