import { expect, it } from 'vitest';
import { distinctName } from '../../../../renderer/state/photo/distinct-name.ts';

const namesOf = (...versions: readonly (readonly [name: string, ...parts: string[]])[]) =>
  versions.map((version) =>
    distinctName(
      version,
      versions,
      ([name]) => name,
      ([, ...parts]) => parts,
    ),
  );

it('has the settings that not all versions have, also of one that has another model or strokes', () => {
  expect(
    namesOf(
      ['2×, Natural', 'PNG'],
      ['2×, Faithful', 'Strength: 40', 'PNG'],
      ['2×, Faithful, 4 strokes', 'Strength: 40', 'PNG'],
    ),
  ).toEqual(['2×, Natural', '2×, Faithful, Strength: 40', '2×, Faithful, 4 strokes, Strength: 40']);
});

it('is the plain name of versions that do not differ', () => {
  expect(namesOf(['2×', 'PNG'], ['2×', 'PNG'])).toEqual(['2×', '2×']);
});
