/** Finds what boxes hold: the network sees each with some surroundings alone, larger than it sees the whole photo. */
import type { Rect, Size } from '../../../../../packages/contract/src/geometry.ts';
import type { Stroke } from '../../../../../packages/contract/src/options/strokes.ts';
import { createPlane } from '../../../raster/planes/plane.ts';
import { resampledTo } from '../../../raster/planes/resample.ts';
import type { Mask } from '../../../tiles/mask-tensor.ts';

/** Whether a stroke is a box between its first and its last point. */
export const selectsBox = ({ selects }: Stroke): boolean => selects === 'box';

/** Surroundings of a box that the network sees, as a share of each of its sides. */
const surroundings = 0.15;
/** How far an object may reach out of its box, which is drawn by hand, as a share of each of its sides. */
const overhang = 0.05;
/** Least side of what the network sees, in pixels of the photo. */
const minSidePx = 16;
/** In pixels: shares of a photo's sides are rounded. */
const rounding = 1e-6;
/** Longest side of a mask with finer parts. */
const maxMaskPx = 1536;

/** A mask of a part of the photo. */
export interface SeenMask {
  found: Mask;
  seen: Rect;
}

/** The box with the surroundings that a network sees. */
export const seenPart = (box: Stroke, photo: Size): Rect => partOf(box, photo, surroundings);

/**
 * Returns the mask with the boxes applied, in order. The first box that keeps makes all outside it background, further
 * ones add what they hold, and those that remove take it away.
 *
 * @param look finds the mask of a part of the photo that holds the box, in the network's own size
 */
export async function lookInBoxes(
  before: Mask,
  boxes: readonly Stroke[],
  photo: Size,
  look: (box: Stroke) => Promise<SeenMask>,
): Promise<Mask> {
  let mask: Mask | undefined;
  for (const box of boxes) {
    const { found, seen } = await look(box);
    const base = mask ?? (box.kind === 'keep' ? emptyLike(before) : before);
    mask = withPart(base, { found, seen, box: partOf(box, photo, overhang) }, photo, box.kind);
  }
  return mask ?? before;
}

const emptyLike = ({ width, height }: Size): Mask => createPlane(width, height);

/** The box in pixels of the photo, grown by a share of its sides. */
export function partOf({ points }: Stroke, photo: Size, share: number): Rect {
  const across = spanOf(
    points.map(([x]) => x),
    photo.width,
    share,
  );
  const down = spanOf(
    points.map(([, y]) => y),
    photo.height,
    share,
  );
  return { x: across.start, y: down.start, width: across.length, height: down.length };
}

function spanOf(places: readonly number[], size: number, share: number) {
  const ends = [places[0] ?? 0, places.at(-1) ?? 0].map((place) => place * size);
  const [from, to] = [Math.min(...ends), Math.max(...ends)];
  const grown = Math.max(share * (to - from), (minSidePx - (to - from)) / 2);
  const first = Math.floor(from - grown + rounding);
  const start = Math.min(Math.max(0, first), Math.max(0, size - minSidePx));
  const last = Math.ceil(to + grown - rounding);
  const end = Math.min(size, Math.max(last, start + minSidePx));
  return { start, length: Math.max(1, end - start) };
}

/** Puts a part's mask into that of the photo, which becomes as fine as the part's. */
function withPart(
  before: Mask,
  { found, seen, box }: { found: Mask; seen: Rect; box: Rect },
  photo: Size,
  kind: Stroke['kind'],
): Mask {
  const { mask, place } = fineAsPart(before, found, seen, photo);
  const part = resampledTo(found, place);
  const inner = inMask(box, photo, mask);
  for (let y = inner.y; y < inner.y + inner.height; y += 1)
    for (let x = inner.x; x < inner.x + inner.width; x += 1) {
      const from = (y - place.y) * place.width + x - place.x;
      const value = part.data[from] ?? 0;
      const to = y * mask.width + x;
      const own = mask.data[to] ?? 0;
      mask.data[to] = kind === 'keep' ? Math.max(own, value) : Math.min(own, 1 - value);
    }
  return mask;
}

/**
 * Returns a copy of a mask as fine as that of a part of the photo has it, and the part's place in its pixels.
 *
 * @param fine size of the part's mask
 * @param seen the part, in pixels of the photo
 */
export function fineAsPart(
  before: Mask,
  fine: Size,
  seen: Rect,
  photo: Size,
): { mask: Mask; place: Rect } {
  const size = {
    width: fineSide(before.width, fine.width, photo.width / seen.width),
    height: fineSide(before.height, fine.height, photo.height / seen.height),
  };
  return { mask: resampledTo(before, size), place: inMask(seen, photo, size) };
}

const fineSide = (own: number, part: number, times: number): number =>
  Math.max(own, Math.min(maxMaskPx, Math.round(part * times)));

/** A part of the photo in pixels of its mask, at least one. */
function inMask({ x, y, width, height }: Rect, photo: Size, mask: Size): Rect {
  const [right, bottom] = [x + width, y + height];
  const left = Math.min(mask.width - 1, Math.floor((x * mask.width) / photo.width));
  const top = Math.min(mask.height - 1, Math.floor((y * mask.height) / photo.height));
  return {
    x: left,
    y: top,
    width: Math.max(1, Math.ceil((right * mask.width) / photo.width) - left),
    height: Math.max(1, Math.ceil((bottom * mask.height) / photo.height) - top),
  };
}
