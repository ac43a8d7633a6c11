import { expect, it } from 'vitest';
import { defaultChoices } from '../../../../packages/contract/src/settings/page.ts';
import { dialParts } from '../../../../renderer/state/settings/dial-parts.ts';

it('words the dials of an enlargement that are not as usual', () => {
  expect(dialParts(defaultChoices)).toEqual([]);
  expect(dialParts({ ...defaultChoices, sharpen: 30 })).toEqual(['Sharpen: 30']);
});

it('words none for a cut-out, unless it is enlarged', () => {
  const cutout = { ...defaultChoices, operation: 'remove-bg', sharpen: 30 } as const;
  expect(dialParts({ ...cutout, isEnlarged: false })).toEqual([]);
  expect(dialParts({ ...cutout, isEnlarged: true })).toEqual(['Sharpen: 30']);
});
