import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  planTiles,
  smallestTilePx,
  type TileSpan,
} from '../../../electron/engine/tiles/tile-plan.ts';

const needs = fc.record({
  marginPx: fc.integer({ min: 0, max: 40 }),
  multiple: fc.constantFrom(1, 2, 4, 8, 16),
  minSizePx: fc.integer({ min: 1, max: 64 }),
  tileExact: fc.boolean(),
});
const picture = fc.record({
  width: fc.integer({ min: 1, max: 3000 }),
  height: fc.integer({ min: 1, max: 3000 }),
});
const tilePx = fc.integer({ min: 16, max: 1024 });

const own = (spans: TileSpan[]) => spans.reduce((sum, s) => sum + s.length - s.shared, 0);

describe('planTiles', () => {
  it('covers every pixel once, apart from the shared ones', () => {
    fc.assert(
      fc.property(picture, needs, tilePx, (size, network, tile) => {
        const plan = planTiles(size, network, tile);
        expect(own(plan.columns)).toBe(size.width);
        expect(own(plan.rows)).toBe(size.height);
        if (network.tileExact) expect(plan.columns.every((s) => s.shared === 0)).toBe(true);
      }),
    );
  });

  it('gives every core its margin inside a window of the right multiple', () => {
    fc.assert(
      fc.property(picture, needs, tilePx, (size, network, tile) => {
        const plan = planTiles(size, network, tile);
        for (const span of plan.rows) {
          expect(span.start - span.windowStart).toBeGreaterThanOrEqual(network.marginPx);
          const after = span.windowStart + plan.windowHeight - span.start - span.length;
          expect(after).toBeGreaterThanOrEqual(network.marginPx);
        }
        expect(plan.windowWidth % network.multiple).toBe(0);
        expect(plan.windowHeight % network.multiple).toBe(0);
      }),
    );
  });

  it('never asks for tiles over the wanted size, except for the smallest that can work', () => {
    fc.assert(
      fc.property(picture, needs, tilePx, (size, network, tile) => {
        const plan = planTiles(size, network, tile);
        const most = Math.max(tile, smallestTilePx(network));
        expect(plan.windowWidth).toBeLessThanOrEqual(most);
        expect(plan.windowHeight).toBeLessThanOrEqual(most);
      }),
    );
  });

  it('makes tiles taller where that is allowed, and columns as tall as the picture', () => {
    fc.assert(
      fc.property(picture, needs, tilePx, tilePx, (size, network, tile, heightPx) => {
        const square = planTiles(size, network, tile);
        const tall = planTiles(size, network, tile, heightPx);
        const columns = planTiles(size, network, tile, Infinity);
        expect(tall.columns).toEqual(square.columns);
        expect(tall.windowHeight).toBeLessThanOrEqual(
          Math.max(heightPx, tile, smallestTilePx(network)),
        );
        expect(columns.columns).toEqual(square.columns);
        expect(columns.rows.map(({ length }) => length)).toEqual([size.height]);
      }),
    );
  });

  it('makes one tile, margins around it, of a picture smaller than a tile', () => {
    const network = { marginPx: 16, multiple: 1, minSizePx: 1, tileExact: true };
    const plan = planTiles({ width: 1, height: 40 }, network, 192);
    expect([plan.columns.length, plan.rows.length]).toEqual([1, 1]);
    expect([plan.windowWidth, plan.windowHeight]).toEqual([33, 72]);
  });

  it('spreads the cores evenly rather than leave a sliver at the end', () => {
    const network = { marginPx: 13, multiple: 1, minSizePx: 1, tileExact: true };
    const plan = planTiles({ width: 4000, height: 3000 }, network, 192);
    expect(new Set(plan.columns.map((s) => s.length)).size).toBeLessThanOrEqual(2);
    expect(plan.columns.length).toBe(Math.ceil(4000 / 166));
  });
});
