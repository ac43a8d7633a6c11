import { expect, it } from 'vitest';
import { tileCandidates } from '../../../electron/engine/inference/tile-size.ts';
import { embeddedNetwork } from '../../support/networks.ts';

const sized = (sizeBytes: number) => {
  const network = embeddedNetwork(2);
  const variants = network.variants.map((variant) => ({ ...variant, sizeBytes }));
  return { ...network, multiple: 1, marginPx: 18, tileExact: false, variants };
};

it('tiles of a large network that attends are small, so that each is done in seconds', () => {
  expect(tileCandidates(sized(47e6), true)[0]).toBe(192);
  expect(tileCandidates(sized(8e6), true)[0]).toBe(256);
  expect(tileCandidates(sized(2e6), true)[0]).toBe(512);
});

it('a tile is several times as large as its margins all the same', () => {
  expect(tileCandidates({ ...sized(47e6), marginPx: 48 }, true)).toEqual([192, 256]);
});
