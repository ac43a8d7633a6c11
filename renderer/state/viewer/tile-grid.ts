/** Plans which tiles of a picture are seen, and where each lies. It is pure. */
import type { TileSet } from '../../../packages/contract/src/picture.ts';
import { cornerOf, type PicturePlacement } from './pictures.ts';

type Grid = Pick<TileSet, 'width' | 'height' | 'tileSize' | 'maxLevel'>;

export interface TilePosition {
  readonly level: number;
  readonly column: number;
  readonly row: number;
}

/** Pixels of the canvas or of a tile. */
interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface SeenTile extends TilePosition {
  /** Neighbours share their edges, which lie on whole pixels of the canvas. */
  readonly target: Rectangle;
}

/** Least level of use: the whole picture is one tile there. */
export function minLevelOf({ width, height, tileSize, maxLevel }: Grid): number {
  const reductions = Math.ceil(Math.log2(Math.max(width, height) / tileSize));
  return maxLevel - Math.max(0, reductions);
}

/**
 * Returns the tiles that show a picture in its frame, those in the middle first. Their level has at least as many
 * pixels as the screen, where there is one.
 *
 * @param pixelRatio canvas pixels per CSS pixel
 */
export function seenTiles(grid: Grid, place: PicturePlacement, pixelRatio: number): SeenTile[] {
  const { width, height, tileSize, maxLevel } = grid;
  const scale = (place.width * pixelRatio) / width;
  const reductions = Math.floor(Math.log2(1 / scale));
  const level = Math.min(maxLevel, Math.max(minLevelOf(grid), maxLevel - reductions));
  const side = tileSize * 2 ** (maxLevel - level);
  const corner = cornerOf(place);
  const across = spansOf(width, side, scale, corner.x * pixelRatio, place.frame.width * pixelRatio);
  const downScale = (place.height * pixelRatio) / height;
  const frameHeight = place.frame.height * pixelRatio;
  const down = spansOf(height, side, downScale, corner.y * pixelRatio, frameHeight);
  const middle = { x: place.frame.width * pixelRatio, y: frameHeight };
  const distance = ({ target }: SeenTile) =>
    Math.hypot(target.x * 2 + target.width - middle.x, target.y * 2 + target.height - middle.y);
  return down
    .flatMap((y) =>
      across.map((x) => ({
        level,
        column: x.index,
        row: y.index,
        target: { x: x.from, y: y.from, width: x.to - x.from, height: y.to - y.from },
      })),
    )
    .sort((left, right) => distance(left) - distance(right));
}

/** Tiles of one axis that lie in the frame, with their edges in canvas pixels. */
function spansOf(length: number, side: number, scale: number, origin: number, frame: number) {
  const first = Math.max(0, Math.floor(-origin / scale / side));
  const end = Math.min(Math.ceil(length / side), Math.ceil((frame - origin) / scale / side));
  const edge = (index: number) => Math.round(origin + Math.min(index * side, length) * scale);
  return Array.from({ length: Math.max(0, end - first) }, (_, at) => first + at).map((index) => ({
    index,
    from: edge(index),
    to: edge(index + 1),
  }));
}

/** A tile above another one, which holds it at half the size, and its part there in pixels. */
export function tileAbove(
  { level, column, row }: TilePosition,
  steps: number,
  tileSize: number,
): TilePosition & { readonly part: Rectangle } {
  const side = tileSize / 2 ** steps;
  return {
    level: level - steps,
    column: column >> steps,
    row: row >> steps,
    part: {
      x: (column % 2 ** steps) * side,
      y: (row % 2 ** steps) * side,
      width: side,
      height: side,
    },
  };
}
