import { describe, expect, it } from 'vitest';
import { minLevelOf, seenTiles, tileAbove } from '../../../../renderer/state/viewer/tile-grid.ts';

const grid = { width: 3000, height: 2000, tileSize: 512, maxLevel: 12 };
const frame = { width: 801, height: 601 };
const placed = (zoom: number, x = 0, y = 0) => ({
  frame,
  width: grid.width * zoom,
  height: grid.height * zoom,
  offset: { x, y },
});

describe('the tiles of a picture in its frame', () => {
  it.each([
    [1, 12],
    [4, 12],
    [0.6, 12],
    [0.5, 11],
    [0.25, 10],
    [0.1, 9],
  ])('have at zoom %d the level %d, which has no fewer pixels than the screen', (zoom, level) => {
    expect(new Set(seenTiles(grid, placed(zoom), 1).map((tile) => tile.level))).toEqual(
      new Set([level]),
    );
  });

  it('are one tile where the picture is as small as one', () => {
    expect(minLevelOf(grid)).toBe(9);
    expect(seenTiles(grid, placed(0.05), 1)).toHaveLength(1);
    const small = { ...grid, width: 80, height: 60, maxLevel: 7 };
    expect(minLevelOf(small)).toBe(7);
    const place = { frame, width: 320, height: 240, offset: { x: 0, y: 0 } };
    expect(seenTiles(small, place, 1)).toMatchObject([{ level: 7, column: 0, row: 0 }]);
  });

  it('are shown pixel for pixel at 100 %, on screens of any density', () => {
    for (const pixelRatio of [1, 1.5, 2]) {
      const tiles = seenTiles(grid, placed(1 / pixelRatio, 13.3, -7.7), pixelRatio);
      expect(tiles.length).toBeGreaterThan(3);
      for (const { column, row, target } of tiles) {
        expect(target.width).toBe(Math.min(512, grid.width - column * 512));
        expect(target.height).toBe(Math.min(512, grid.height - row * 512));
      }
    }
  });

  it.each([0.03, 0.07, 0.31, 0.5, 0.77, 1, 2.9])(
    'cover at zoom %d what is seen of the picture, without gaps and once',
    (zoom) => {
      for (const [x, y] of [
        [0, 0],
        [211.4, -97.1],
        [-900.5, 640.25],
      ] as const) {
        const covered = new Map<number, number>();
        for (const { target } of seenTiles(grid, placed(zoom, x, y), 1)) {
          for (let at = target.x; at < target.x + target.width; at += 1)
            if (target.y <= 300 && target.y + target.height > 300)
              covered.set(at, (covered.get(at) ?? 0) + 1);
        }
        const left = (frame.width - grid.width * zoom) / 2 + x;
        const top = (frame.height - grid.height * zoom) / 2 + y;
        const isSeen = top < 300 && top + grid.height * zoom > 301;
        const from = Math.max(0, Math.round(left));
        const to = isSeen ? Math.min(frame.width, Math.round(left + grid.width * zoom)) : from;
        for (let at = from; at < to; at += 1) expect(covered.get(at), `${at}`).toBe(1);
      }
    },
  );

  it('come from the middle outwards', () => {
    const [first] = seenTiles(grid, placed(1), 1);
    const { x, width } = first!.target;
    expect(x).toBeLessThanOrEqual(400);
    expect(x + width).toBeGreaterThan(400);
  });
});

describe('a tile above another one', () => {
  it('holds it as one of its quarters', () => {
    expect(tileAbove({ level: 12, column: 5, row: 2 }, 1, 512)).toEqual({
      level: 11,
      column: 2,
      row: 1,
      part: { x: 256, y: 0, width: 256, height: 256 },
    });
  });

  it('is the tile itself without a step', () => {
    expect(tileAbove({ level: 3, column: 5, row: 2 }, 0, 512)).toMatchObject({
      column: 5,
      row: 2,
      part: { x: 0, y: 0, width: 512 },
    });
  });
});
