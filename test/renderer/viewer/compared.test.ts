import { describe, expect, it } from 'vitest';
import { comparedOf, withToggled } from '../../../renderer/state/viewer/panes.ts';

describe('versions that are compared', () => {
  const all = [1, 2, 3, 4, 5, 6, 7];

  it('are the latest five until a person chooses', () => {
    expect(comparedOf(all, undefined)).toEqual([3, 4, 5, 6, 7]);
    expect(comparedOf([1, 2], undefined)).toEqual([1, 2]);
  });

  it('are those that were chosen, in the order of the versions, as far as they are there', () => {
    expect(comparedOf(all, [6, 1, 9])).toEqual([1, 6]);
    expect(comparedOf(all, [9])).toEqual([3, 4, 5, 6, 7]);
  });

  it('come and go one at a time, at least one and at most five', () => {
    expect(withToggled([3, 4], 4)).toEqual([3]);
    expect(withToggled([3], 3)).toEqual([3]);
    expect(withToggled([3, 4, 5, 6, 7], 1)).toEqual([4, 5, 6, 7, 1]);
  });
});
