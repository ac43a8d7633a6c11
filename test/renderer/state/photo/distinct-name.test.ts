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

it('has the settings in which versions of one name differ, and no others', () => {
  expect(
    namesOf(
      ['2×, Natural', 'PNG'],
      ['2×, Natural', 'Strength: 50', 'PNG'],
      ['4×, Natural', 'JPEG'],
    ),
  ).toEqual(['2×, Natural', '2×, Natural, Strength: 50', '4×, Natural']);
});

it('is the plain name of versions that do not differ', () => {
  expect(namesOf(['2×', 'PNG'], ['2×', 'PNG'])).toEqual(['2×', '2×']);
});
