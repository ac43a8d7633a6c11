import { expect, it } from 'vitest';
import { namesakeHints } from '../../../../renderer/state/queue/namesakes.ts';

let addedAtMs = 0;
const photo = (name: string, imageUrl?: string) => ({
  ...{ name, addedAtMs: addedAtMs++ },
  ...(imageUrl !== undefined && { source: { imageUrl } }),
});

it('names photos of one name by their folders', () => {
  const all = [
    photo('1.jpg', 'file:///trips/Italy%202025/1.jpg'),
    photo('1.jpg', 'file:///trips/Norway/1.jpg'),
    photo('2.jpg', 'file:///trips/Norway/2.jpg'),
  ];
  const hints = namesakeHints(all);
  expect(all.map((one) => hints.get(one))).toEqual(['Italy 2025', 'Norway', undefined]);
});

it('counts them in the order of addition where folders do not tell them apart, or one is not known', () => {
  const alike = [photo('1.jpg', 'file:///a/raw/1.jpg'), photo('1.jpg', 'file:///b/raw/1.jpg')];
  const sent = [photo('2.jpg', 'file:///a/2.jpg'), photo('2.jpg', 'http://127.0.0.1/uploads/1')];
  const atRoot = [photo('3.jpg', 'file:///3.jpg'), photo('3.jpg', 'file:///a/3.jpg')];
  const all = [...alike, ...sent, ...atRoot];
  const hints = namesakeHints(all.toReversed());
  expect(all.map((one) => hints.get(one))).toEqual(['#1', '#2', '#1', '#2', '#1', '#2']);
});
