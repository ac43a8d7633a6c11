import { beforeEach, expect, it, vi } from 'vitest';
import { keepView, takeView } from '../../../../renderer/state/viewer/kept-view.ts';

const stored = new Map<string, string>();
beforeEach(() => {
  stored.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  });
});

it('is taken once, with and without a zoom', () => {
  for (const view of [{ zoom: 2, middle: { x: 0.25, y: 0.5 } }, { middle: { x: 0.5, y: 0.5 } }]) {
    keepView({ key: 'a', view });
    expect(takeView()).toEqual({ key: 'a', view });
    expect(takeView()).toBeUndefined();
  }
});

it.each([
  ['no JSON', '{'],
  ['another value', '7'],
  ['a view without a middle', '{"a":{"zoom":2}}'],
  ['a view whose numbers are none', '{"a":{"zoom":"2","middle":{"x":0.5,"y":null}}}'],
])('is none where %s is stored, and that is removed', (_, value) => {
  keepView({ key: 'a', view: { middle: { x: 0.5, y: 0.5 } } });
  const [name = ''] = stored.keys();
  stored.set(name, value);
  expect(takeView()).toBeUndefined();
  expect(stored.size).toBe(0);
});
