/**
 * Looks closer at a small subject for the network of clicks: alone it is larger, and so are its legs, straps and ears
 * (as in FocalClick; Chen et al. 2022).
 */
import type { Rect, Size } from '../../../../../packages/contract/src/geometry.ts';
import type { Stroke } from '../../../../../packages/contract/src/options/strokes.ts';
import type { Colours } from '../../../raster/planes/plane.ts';
import { minSubject } from '../../../raster/planes/components.ts';
import type { FeatureTensor, Mask } from '../../../tiles/mask-tensor.ts';

/** What the network of clicks takes of a photo or of a part of it. */
export interface PhotoFeatures {
  features: FeatureTensor[];
  /** 0..1, of any size. */
  colours: Colours;
}

export interface CloserLook extends PhotoFeatures {
  part: Rect;
}

/** Returns the part that holds the subject and the latest stroke; undefined if that is most of the photo. */
export type LookCloser = (
  mask: Mask,
  strokes: readonly Stroke[],
) => Promise<CloserLook | undefined>;

/** Surroundings that have to be seen, as a share of each side of what is looked at. */
const surroundings = 0.15;
/** What is seen beyond them on each side, so that further strokes seldom need another look. */
const slack = 0.05;
/** Least side of what has to be seen, as a share of the photo's. */
const minSide = 0.25;
/** Of a larger share of the photo's area nothing is gained. */
const maxArea = 0.4;

/** @param read computes what the network takes of a part; only where the last look does not hold what has to be seen */
export function createLookCloser(
  photo: Size,
  read: (part: Rect) => Promise<PhotoFeatures>,
): LookCloser {
  let last: CloserLook | undefined;
  return async (mask, strokes) => {
    const subject = subjectBox(mask, strokes);
    if (!subject) return undefined;
    const needed = grown(subject, surroundings, minSide);
    if (lengthOf(needed.across) * lengthOf(needed.down) > maxArea) return undefined;
    if (last && holds(last.part, rectIn(photo, needed))) return last;
    const part = rectIn(photo, grown(needed, slack));
    last = { part, ...(await read(part)) };
    return last;
  };
}

/** From where to where, in shares of the photo's width or height. */
type Span = readonly [from: number, to: number];

interface Box {
  across: Span;
  down: Span;
}

const lengthOf = ([from, to]: Span) => to - from;

/** Holds the subject, what strokes keep and the latest stroke; undefined without any. */
function subjectBox({ width, height, data }: Mask, strokes: readonly Stroke[]): Box | undefined {
  let [left, top, right, bottom] = [1, 1, 0, 0];
  const add = (x: number, y: number, endX = x, endY = y) => {
    [left, right] = [Math.min(left, x), Math.max(right, endX)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, endY)];
  };
  for (const [at, value] of data.entries()) {
    if (value < minSubject) continue;
    const x = at % width;
    const y = (at - x) / width;
    add(x / width, y / height, (x + 1) / width, (y + 1) / height);
  }
  for (const [i, { kind, points }] of strokes.entries())
    if (kind === 'keep' || i === strokes.length - 1) for (const [x, y] of points) add(x, y);
  return left > right ? undefined : { across: [left, right], down: [top, bottom] };
}

function grown({ across, down }: Box, share: number, min = 0): Box {
  const widen = (span: Span): Span => {
    const length = lengthOf(span);
    const by = Math.max(share * length, (min - length) / 2);
    return [Math.max(0, span[0] - by), Math.min(1, span[1] + by)];
  };
  return { across: widen(across), down: widen(down) };
}

function rectIn(photo: Size, { across, down }: Box): Rect {
  const [x, y] = [Math.floor(across[0] * photo.width), Math.floor(down[0] * photo.height)];
  const right = Math.ceil(across[1] * photo.width);
  const bottom = Math.ceil(down[1] * photo.height);
  return { x, y, width: right - x, height: bottom - y };
}

const holds = (outer: Rect, inner: Rect) =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  outer.x + outer.width >= inner.x + inner.width &&
  outer.y + outer.height >= inner.y + inner.height;
