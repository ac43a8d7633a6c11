import { expect, it } from 'vitest';
import { groupFields } from '../../../../renderer/state/details/metadata-changes.ts';

const fields = [
  { group: 'EXIF', name: 'ISO', source: '100', result: '100' },
  { group: 'EXIF', name: 'Width', source: '10', result: '20' },
  { group: 'GPS', name: 'Latitude', source: '50' },
  { group: 'File', name: 'Software', result: 'Enlarger' },
] as const;

it('says of each field what became of it, by group', () => {
  const groups = groupFields([...fields], false);
  expect(groups.map(({ group, fields: own }) => [group, own.map(({ change }) => change)])).toEqual([
    ['EXIF', ['kept', 'changed']],
    ['GPS', ['removed']],
    ['File', ['added']],
  ]);
});

it('leaves out what is the same when only changes are asked for', () => {
  const names = groupFields([fields[0], fields[2]], true).flatMap((group) => group.fields);
  expect(names.map(({ name }) => name)).toEqual(['Latitude']);
});
