import { describe, expect, it } from 'vitest';
import { resultsAmong, saysMadeByEnlarger } from '../../../packages/contract/src/result-names.ts';

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

describe('the history of a picture', () => {
  const attribute = (agent: string) =>
    `<rdf:li stEvt:softwareAgent="${agent}" stEvt:when="2026-11-23"/>`;
  const element = (agent: string, space = '') =>
    `<rdf:li><stEvt:softwareAgent${space}>${agent}</stEvt:softwareAgent>\n</rdf:li>`;

  it.each([
    ['an attribute', attribute('Enlarger 1.2.3')],
    ['an element', element('Enlarger 1.2.3')],
    ['an element with its namespace', element('Enlarger 1.2.3', ' xmlns:stEvt="http://a.b/c#"')],
    ['the last of several', attribute('Darkroom 3') + element('Enlarger 1.2.3')],
  ])('says in %s that Enlarger made it', (_, text) => {
    expect(saysMadeByEnlarger(text)).toBe(true);
  });

  it('names who worked on it last', () => {
    expect(saysMadeByEnlarger(element('Enlarger 1.2.3') + element('Darkroom 3'))).toBe(false);
    expect(saysMadeByEnlarger(element('Enlarger 1.2.3') + attribute('Darkroom 3'))).toBe(false);
  });

  it('that is hostile takes no time', () => {
    const begun = performance.now();
    for (const text of ['softwareAgent ', 'softwareAgent= ', 'softwareAgent a'])
      saysMadeByEnlarger(text.repeat(25_000) + ' '.repeat(50_000));
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});
