import { expect, it } from 'vitest';
import { GrantedField } from '../../../../renderer/state/settings/granted-field.ts';

it('asks once more for a folder that was refused', async () => {
  const field = new GrantedField();
  expect(await field.isGranted()).toBe(false);
  const asked: string[] = [];
  const ask = (granted: boolean) => () => {
    asked.push(String(granted));
    field.follow(Promise.resolve(granted), '/a', ask(granted));
  };
  field.follow(Promise.resolve(false), '/a', ask(true));
  expect(await field.isGranted()).toBe(true);
  expect(await field.isGranted()).toBe(true);
  expect(asked).toEqual(['true']);
  field.follow(Promise.resolve(false), '/b', ask(false));
  expect(await field.isGranted()).toBe(false);
});
