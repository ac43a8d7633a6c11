import { describe, expect, it } from 'vitest';
import {
  comparedOf,
  modeToTry,
  panesFor,
  sameSizeOf,
  shownAfter,
  withToggled,
  zoomedOf,
} from '../../../../renderer/state/viewer/panes.ts';

describe('pictures beside each other', () => {
  const wide = { width: 900, height: 600 };

  it('stand so that each is as large as can be', () => {
    expect(panesFor(2, wide, { width: 2, height: 3 })).toEqual({ columns: 2, rows: 1 });
    expect(panesFor(2, wide, { width: 3, height: 1 })).toEqual({ columns: 1, rows: 2 });
    expect(panesFor(4, wide, { width: 3, height: 2 })).toEqual({ columns: 2, rows: 2 });
    expect(panesFor(3, wide, { width: 1, height: 2 })).toEqual({ columns: 3, rows: 1 });
  });

  it('stand beside one another in a wide frame, unless they would be much smaller', () => {
    const photo = { width: 16, height: 9 };
    expect(panesFor(3, { width: 835, height: 710 }, photo)).toEqual({ columns: 3, rows: 1 });
    expect(panesFor(2, { width: 835, height: 710 }, photo)).toEqual({ columns: 2, rows: 1 });
    expect(panesFor(3, { width: 500, height: 900 }, photo)).toEqual({ columns: 1, rows: 3 });
  });

  it('stand in several rows where one would make many of them small', () => {
    const square = { width: 1, height: 1 };
    expect(panesFor(5, { width: 720, height: 420 }, square)).toEqual({ columns: 3, rows: 2 });
    expect(panesFor(4, { width: 800, height: 560 }, square)).toEqual({ columns: 2, rows: 2 });
    expect(panesFor(5, { width: 900, height: 200 }, square)).toEqual({ columns: 5, rows: 1 });
  });

  it('fill the frame where there is one, or none', () => {
    expect(panesFor(1, wide, wide)).toEqual({ columns: 1, rows: 1 });
    expect(panesFor(0, wide, wide)).toEqual({ columns: 1, rows: 1 });
  });
});

describe('the scale of versions beside each other', () => {
  const made = (name: string, width: number, height: number) => ({
    name,
    record: { output: { width, height } },
  });
  const [plain, first, second] = [
    made('plain', 1640, 1092),
    made('first', 2000, 2000),
    made('second', 2000, 2000),
  ];
  const compared = [plain, first, second];

  it('is that of the largest, whichever is picked', () => {
    expect(zoomedOf(compared)).toBe(first);
  });

  it('is the same for results of one size', () => {
    expect(compared.map((version) => sameSizeOf(version, compared).name)).toEqual([
      'plain',
      'first',
      'first',
    ]);
  });
});

describe('a place that is tried', () => {
  it('lies on whole pictures, however they were compared', () => {
    expect((['slider', 'side', 'result', 'versions'] as const).map(modeToTry)).toEqual([
      'result',
      'side',
      'result',
      'result',
    ]);
  });
});

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

  it('have the shown one among them, in the place of the earliest where there are five', () => {
    expect(comparedOf(all, [6, 1], 3)).toEqual([1, 3, 6]);
    expect(comparedOf(all, undefined, 1)).toEqual([1, 4, 5, 6, 7]);
    expect(comparedOf(all, undefined, 9)).toEqual([3, 4, 5, 6, 7]);
  });

  it('have another one shown once the shown one is hidden', () => {
    expect(shownAfter(all, [1, 5, 6], 3)).toBe(5);
    expect(shownAfter(all, [1, 2], 3)).toBe(2);
  });

  it('come and go one at a time, at least one and at most five', () => {
    expect(withToggled([3, 4], 4)).toEqual([3]);
    expect(withToggled([3], 3)).toEqual([3]);
    expect(withToggled([3, 4, 5, 6, 7], 1)).toEqual([4, 5, 6, 7, 1]);
  });
});
