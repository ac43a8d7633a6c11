import { expect, it } from 'vitest';
import { allLossless, replacedFormats } from '../../../../renderer/state/options/written-format.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));

it('lists each format once that is only read, with what takes its place', () => {
  expect(replacedFormats(named('a.HEIC', 'b.jpg', 'c.heif', 'd.dng', 'e.png', 'f'))).toEqual([
    { from: 'heic', to: 'png' },
    { from: 'raw', to: 'tiff' },
  ]);
});

it('goes by what the file holds, once that is known', () => {
  const read = { name: 'a.heic', estimate: { input: { format: 'jpeg' } } };
  expect(replacedFormats([read])).toEqual([]);
  expect(allLossless([read])).toBe(false);
  expect(replacedFormats([{ name: 'a.jpg', record: { input: { format: 'bmp' } } }])).toEqual([
    { from: 'bmp', to: 'png' },
  ]);
});

it('finds no quality to choose where every result is lossless', () => {
  expect(allLossless(named('a.heic', 'b.png', 'c.gif'))).toBe(true);
  expect(allLossless(named('a.heic', 'b.jpg'))).toBe(false);
  expect(allLossless(named('a.heic', 'b'))).toBe(false);
  expect(allLossless([])).toBe(false);
});
