import { expect, it } from 'vitest';
import {
  tileCandidates,
  triedSizes,
} from '../../../../electron/engine/inference/measuring/tile-size.ts';
import { embeddedNetwork } from '../../../support/networks.ts';

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

it('a network that computes tiles in steps is tried with a large one, whose answer is of bounded size', () => {
  const sizes = (scale: number, carriesRows: boolean) =>
    triedSizes(embeddedNetwork(scale), { provider: 'cpu', carriesRows });
  expect(sizes(2, true)).toEqual([256, 640, 320, 192, 384, 160]);
  expect(sizes(4, true)).toEqual([256, 512, 320, 192, 384, 160]);
  expect(sizes(2, false)).toEqual([256, 320, 192, 384, 160]);
});
