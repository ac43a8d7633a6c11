import { beforeAll, describe, expect, it } from 'vitest';
import type { NetworkFile } from '../../../electron/engine/protocol/messages.ts';
import { planTiles } from '../../../electron/engine/tiles/tile-plan.ts';
import {
  countTiles,
  tilesInRegion,
  dilate,
  type RegionMask,
} from '../../../electron/engine/tiles/region-mask.ts';
import { deep, grey, photo, withAlpha, type Pixels } from '../../support/images.ts';
import { blurNetwork, pooledNetwork } from '../../support/networks-made.ts';
import { passOver, withSession } from '../../support/passes.ts';
import { repeated } from '../../support/pixels.ts';
import { pixelAt } from '../../support/subjects.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A grid of 10 x 6 cells with some of them wanted. */
const gridOf = (...cells: (readonly [x: number, y: number])[]): RegionMask => {
  const data = new Uint8Array(60);
  for (const [x, y] of cells) data[y * 10 + x] = 1;
  return { width: 10, height: 6, data };
};
const cellsOf = ({ width, data }: RegionMask) =>
  [...data].flatMap((value, at) => (value === 1 ? [[at % width, Math.floor(at / width)]] : []));

describe('the wanted part of a picture', () => {
  it('grows by a share of the longer side, not over the border', () => {
    expect(cellsOf(dilate(gridOf([0, 2]), 0.1))).toEqual([
      ...[0, 1].map((x) => [x, 1]),
      ...[0, 1].map((x) => [x, 2]),
      ...[0, 1].map((x) => [x, 3]),
    ]);
    expect(cellsOf(dilate(gridOf([9, 5]), 0.11))).toHaveLength(9);
    expect(cellsOf(dilate(gridOf(), 1))).toEqual([]);
  });

  it('is in each tile that has a pixel of it', () => {
    const picture = { width: 100, height: 60 };
    const needs = { marginPx: 0, multiple: 1, minSizePx: 1, tileExact: true };
    const plan = planTiles(picture, needs, 20);
    const isWanted = tilesInRegion(picture, gridOf([3, 0], [4, 5]));
    const found = plan.rows.flatMap((row) =>
      plan.columns.filter((column) => isWanted(row, column)).map(({ start }) => [start, row.start]),
    );
    expect(found).toEqual([
      [20, 0],
      [40, 40],
    ]);
    expect(countTiles(plan, isWanted)).toBe(2);
    expect(countTiles(plan, tilesInRegion(picture, undefined))).toBe(15);
  });
});

describe('a pass over what is wanted', () => {
  let dir: string;
  beforeAll(() => {
    dir = temporaryFolder();
  });

  const region = gridOf([2, 1], [3, 1]);
  /** What is wanted of a picture of 300 x 180, at 2x. */
  const box = { left: 120, top: 60, right: 240, bottom: 120 };

  async function bothWays(network: NetworkFile, picture: Pixels, tilePx: number) {
    return withSession(network, 'fp32', async (session) => ({
      whole: await passOver(picture, network, session, tilePx),
      part: await passOver(picture, network, session, tilePx, { region }),
    }));
  }

  it.each([
    ['RGB', photo(300, 180)],
    ['grey', grey(photo(300, 180))],
    ['16-bit', deep(photo(300, 180))],
    ['half transparent', withAlpha(photo(300, 180), 90)],
  ] as const)('gives the very pixels there, and repeats them elsewhere: %s', async (_, picture) => {
    const { whole, part } = await bothWays(blurNetwork(dir), picture, 40);
    expect(part.tiles).toBeLessThan(whole.tiles / 3);
    for (let y = box.top; y < box.bottom; y += 1)
      for (let x = box.left; x < box.right; x += 1)
        expect(pixelAt(part.picture, x, y)).toEqual(pixelAt(whole.picture, x, y));
    const far = repeated(picture, 2);
    expect(pixelAt(part.picture, 5, 5)).toEqual(pixelAt(far, 5, 5));
    expect(pixelAt(part.picture, 599, 359)).toEqual(pixelAt(far, 599, 359));
  });

  it('is the same where several tiles are run in one call', async () => {
    const network = blurNetwork(dir, 4, 'n');
    const [single, several] = await withSession(network, 'fp32', async (session) => [
      await passOver(photo(300, 180), network, session, 40, { region }),
      await passOver(photo(300, 180), network, session, 40, { region, batch: 4 }),
    ]);
    expect(several.tiles).toBe(single.tiles);
    expect(several.picture.data).toEqual(single.picture.data);
  });

  it('blends there as ever, of a network whose tiles overlap', async () => {
    const { whole, part } = await bothWays(pooledNetwork(dir), photo(300, 180), 64);
    expect(part.tiles).toBeLessThan(whole.tiles);
    for (let y = box.top; y < box.bottom; y += 1)
      for (let x = box.left; x < box.right; x += 1)
        expect(pixelAt(part.picture, x, y)).toEqual(pixelAt(whole.picture, x, y));
  });
});
