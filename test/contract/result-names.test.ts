import { describe, expect, it } from 'vitest';
import { resultsAmong } from '../../electron/contract/result-names.ts';

const among = (names: string[], ...templates: string[]) => [...resultsAmong(names, templates)];

describe('names of results', () => {
  it('are told by the photo that stands beside them', () => {
    expect(among(['a.jpg', 'a-2x.jpg', 'a-2x-2x.jpg', 'a-16x (3).png', 'A-1.75x.tif'])).toEqual([
      'a-2x.jpg',
      'a-2x-2x.jpg',
      'a-16x (3).png',
      'A-1.75x.tif',
    ]);
    expect(among(['a-2x.jpg', 'b-cutout.png', 'b.heic', 'bb-4x.jpg'])).toEqual(['b-cutout.png']);
  });

  it('follow a template, whatever it holds', () => {
    const names = ['a+.jpg', 'a+ by fine (2026-11-22).png', '03 a+.jpg', 'a+.png'];
    expect(among(names, '{name} by {model} ({date}).{ext}', '{n} {name}')).toEqual([
      'a+ by fine (2026-11-22).png',
      '03 a+.jpg',
    ]);
    expect(among(['1.jpg', '2.jpg'], '{n}.{ext}', '{name}.{ext}')).toEqual([]);
  });
});
