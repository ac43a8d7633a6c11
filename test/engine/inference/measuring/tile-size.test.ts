import { expect, it } from 'vitest';
import {
  defaultTilePx,
  outliers,
  fastestTile,
  tileCandidates,
  sizesToTry,
  speedOfDefaultTile,
  speedOfShared,
} from '../../../../electron/engine/inference/measuring/tile-size.ts';
import { columnCoreShare } from '../../../../electron/engine/tiles/run-columns.ts';
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
  const sizes = (scale: number, isStreamed: boolean) =>
    sizesToTry(embeddedNetwork(scale), {
      provider: 'cpu',
      ...(isStreamed && { openStream: () => Promise.reject(new Error('Not to be opened')) }),
    });
  expect(sizes(2, true)).toEqual([640, 256, 320, 192, 384, 160]);
  expect(sizes(4, true)).toEqual([512, 256, 320, 192, 384, 160]);
  expect(sizes(2, false)).toEqual([256, 320, 192, 384, 160]);
});

it('a network in integers begins with the large tile before anything was measured', () => {
  expect(defaultTilePx(embeddedNetwork(2), 'int8')).toBe(640);
  expect(defaultTilePx(embeddedNetwork(4), 'int8')).toBe(512);
  expect(defaultTilePx(embeddedNetwork(2), 'fp32')).toBe(256);
});

it('a speed that a check measured on a small tile is told for the tile that a photo has', () => {
  const network = { ...embeddedNetwork(2), marginPx: 16, multiple: 1 };
  const small = { tilePx: 96, megapixelsPerSecond: 0.1 };
  const told = speedOfDefaultTile(network, 'int8', small);
  // 608 of 640 pixels instead of 64 of 96, on each side.
  expect(told.tilePx).toBe(640);
  expect(told.megapixelsPerSecond).toBeCloseTo(0.1 * (608 / 640 / (64 / 96)) ** 2, 6);
  const same = speedOfDefaultTile(network, 'fp32', { ...small, tilePx: 256 });
  expect(same).toEqual({ tilePx: 256, megapixelsPerSecond: 0.1 });
});

/** Times at which every size computes the same core pixels a millisecond, but for some factors. */
function timesAlike(factors: Record<number, number>) {
  const { marginPx } = embeddedNetwork(2);
  return Object.entries(factors).map(([px, factor]) => {
    const tilePx = Number(px);
    const ms = ((tilePx - 2 * marginPx) ** 2 / 1000) * factor;
    return { tilePx, times: [ms * 1.01, ms, ms * 0.99] };
  });
}

it('the default stays unless another size is clearly faster', () => {
  const network = embeddedNetwork(2);
  expect(fastestTile(network, timesAlike({ 192: 0.98, 384: 1, 640: 1 }), 640).tilePx).toBe(640);
  expect(fastestTile(network, timesAlike({ 192: 0.9, 384: 1, 640: 1 }), 640).tilePx).toBe(192);
});

it('the speed of a picture in columns counts their margin, not that of square tiles', () => {
  const network = embeddedNetwork(4);
  const [square, columns] = timesAlike({ 256: 0.93, 512: 1 });
  if (!columns || !square) throw new Error('Expected two sizes');
  expect(fastestTile(network, [columns, square], 512).tilePx).toBe(256);
  const inColumns = { ...columns, coreShare: columnCoreShare(network) };
  expect(fastestTile(network, [inColumns, square], 512).tilePx).toBe(512);
});

it('large pictures are faster than a tile where two threads share them', () => {
  const network = embeddedNetwork(4);
  const openStream = () => Promise.reject(new Error('Not to be opened'));
  const gainOf = (tilePx: number, threads: number, session: { openStream?: typeof openStream }) =>
    speedOfShared(network, { tilePx, megapixelsPerSecond: 1 }, session, threads)
      .megapixelsPerSecond;
  expect(gainOf(512, 2, { openStream })).toBeGreaterThan(1.1);
  expect(gainOf(512, 1, { openStream })).toBe(1);
  expect(gainOf(512, 4, { openStream })).toBe(1);
  expect(gainOf(256, 2, { openStream })).toBe(1);
  expect(gainOf(512, 2, {})).toBe(1);
});

it('a size that is out of line with its neighbours is doubted', () => {
  const network = embeddedNetwork(2);
  expect(outliers(network, timesAlike({ 192: 1, 256: 1, 384: 1.05, 640: 1 }))).toEqual([]);
  expect(outliers(network, timesAlike({ 192: 1, 256: 0.7, 384: 1, 640: 1 }))).toContain(256);
});
