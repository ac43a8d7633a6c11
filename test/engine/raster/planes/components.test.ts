import { describe, expect, it } from 'vitest';
import {
  componentsOf,
  flood,
  withComponentsAt,
} from '../../../../electron/engine/raster/planes/components.ts';

/** Labels as they are drawn: a dot is 0. */
function drawn(...rows: string[]) {
  const labels = Uint8Array.from(
    rows
      .join('')
      .split('')
      .map((mark) => (mark === '.' ? 0 : Number(mark))),
  );
  return { labels, size: { width: (rows[0] as string).length, height: rows.length } };
}

describe('connected components', () => {
  const { labels, size } = drawn('11..2', '..1..', '1...2', '1..22');

  it('hang together at corners where eight neighbours count', () => {
    const found = componentsOf(labels, size, 8);
    expect(found.map(({ label, pixels }) => [label, pixels.length])).toEqual([
      [1, 3],
      [2, 1],
      [1, 2],
      [2, 3],
    ]);
  });

  it('do not where four count', () => {
    const sizes = componentsOf(labels, size, 4).map(({ pixels }) => pixels.length);
    expect(sizes).toEqual([2, 1, 1, 2, 3]);
  });

  it('set to a value leave the mask that was given as it was', () => {
    const mask = { ...size, data: Float32Array.from(labels) };
    const [first] = componentsOf(labels, size, 4);
    const filtered = withComponentsAt(mask, [first!], 7);
    expect([...filtered.data.subarray(0, 5)]).toEqual([7, 7, 0, 0, 2]);
    expect(mask.data[0]).toBe(1);
  });
});

it('a flood goes from the nearest places to the farther ones and stays inside', () => {
  const size = { width: 5, height: 3 };
  const distance = new Map([[7, 0]]);
  const reached = [7];
  flood(reached, size, 4, (next, from) => {
    if (distance.has(next)) return false;
    distance.set(next, distance.get(from)! + 1);
    return true;
  });
  expect(reached).toHaveLength(15);
  const far = reached.map((at) => distance.get(at)!);
  expect(far).toEqual(far.toSorted((one, other) => one - other));
  expect(distance.get(0)).toBe(3);
});
