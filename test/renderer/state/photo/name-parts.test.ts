import { expect, it } from 'vitest';
import { nameParts } from '../../../../renderer/state/photo/name-parts.ts';

it('keeps the last characters of a name, and its ending', () => {
  expect(nameParts('IMG_20240712_0412.jpeg')).toEqual(['IMG_20240712_', '0412', '.jpeg']);
  expect(nameParts('a.png')).toEqual(['', 'a', '.png']);
  expect(nameParts('untitled')).toEqual(['unti', 'tled', '']);
  expect(nameParts('🙂🙂🙂🙂🙂.png')).toEqual(['🙂', '🙂🙂🙂🙂', '.png']);
});
