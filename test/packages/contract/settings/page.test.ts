import { describe, expect, it } from 'vitest';
import { Value } from 'typebox/value';
import {
  Choices,
  PageSettings,
  defaultChoices,
  defaultPageSettings,
} from '../../../../packages/contract/src/settings/page.ts';

describe('what the page begins with', () => {
  it('has a value for each of its fields, within the bounds', () => {
    expect(Value.Check(Choices, defaultChoices)).toBe(true);
    expect(Value.Check(PageSettings, defaultPageSettings)).toBe(true);
  });

  it('is for the work what a submit takes as usual', () => {
    expect(defaultChoices).toMatchObject({ sharpen: 0, restore: 'auto', grain: 0, keep: '' });
    expect(defaultChoices).toMatchObject({ shadow: 0, feather: 0, decontaminate: 100 });
  });
});
