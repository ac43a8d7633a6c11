/** Makes the strokes over a photo, in shares of the whole upright photo as the contract has them. */
import type { Stroke } from '../../../packages/contract/src/options/strokes.ts';
import type { PixelSize } from '../photo/photo.svelte.ts';
import type { Point } from '../viewer/viewport.svelte.ts';

export type Place = Stroke['points'][number];

/** The service takes more than this, but a hand seldom goes beyond it. */
export const maxFeatherPx = 50;
/** The contract has the same limits for the points of a stroke and for the strokes of a task. */
export const maxPoints = 1000;
export const maxStrokes = 200;
/** The contract's own clicks paint a spot of this radius. */
const clickRadius = 0.005;
const largestRadius = 0.25;
const [minShare, maxShare] = [-1, 2];

/** The sizes of a brush go from 0 to this, and four steps double the radius. */
export const largestSize = 28;
export const defaultSize = 14;
/** Places are rounded to one pixel of 100 000, which is finer than a brush can be led. */
const sharesInOne = 1e5;
/** A point that is nearer to the one before than this part of the radius is left out. */
const minStep = 0.25;

/** Returns the radius of a brush of a size, as a share of the photo's longer side. */
export function radiusOf(size: number): number {
  return largestRadius * 2 ** ((size - largestSize) / 4);
}

/** Returns the width of a brush in pixels of the photo, which is at least 1. */
export function brushWidthPx(radius: number, { width, height }: PixelSize): number {
  return Math.max(1, Math.round(2 * radius * Math.max(width, height)));
}

/** Makes a place of fractions of the photo's width and height, which are beyond 0 and 1 outside it. */
export function placeOf({ x, y }: Point): Place {
  return [shareOf(x), shareOf(y)];
}

function shareOf(fraction: number): number {
  const rounded = Math.round(fraction * sharesInOne) / sharesInOne;
  return Math.min(maxShare, Math.max(minShare, rounded));
}

/** Least width and height of a box, as shares of the photo's. */
const minBox = 0.01;

/** Whether a stroke is a box that holds nothing of the photo, because it was not drawn out or lies outside. */
export const isEmptyBox = ({ selects, points: [from = [0, 0], to = from] }: Stroke): boolean =>
  selects === 'box' &&
  ([0, 1] as const).some((at) => Math.abs(onPhoto(from[at]) - onPhoto(to[at])) < minBox);

/** Whether a stroke that follows edges was not led anywhere: it may be a click. */
export const isUnmoved = ({ points, hardness, selects }: Stroke): boolean =>
  points.length === 1 && hardness === undefined && selects === undefined;

/** A click selects an object, and paints no more than a spot of its own. */
export const clickOf = (stroke: Stroke): Stroke => ({
  ...stroke,
  radius: clickRadius,
  selects: 'object',
});

export const isClick = ({ selects }: Stroke): boolean => selects === 'object';

const onPhoto = (share: number) => Math.min(1, Math.max(0, share));

/** Whether a brush at a place covers some of the photo. */
export function isOnPhoto([x, y]: Place, radius: number, photo: PixelSize): boolean {
  const beyond: Place = [beyondPhoto(x), beyondPhoto(y)];
  return distanceOf([0, 0], beyond, photo) < radius;
}

const beyondPhoto = (share: number) => Math.max(0, -share, share - 1);

/** Returns the distance of two places as a share of the longer side. */
function distanceOf(from: Place, to: Place, { width, height }: PixelSize): number {
  const across = (to[0] - from[0]) * width;
  const down = (to[1] - from[1]) * height;
  return Math.hypot(across, down) / Math.max(width, height);
}

/**
 * Leads the last of the strokes on to a place, or a box's second corner to it. A stroke that has all its points goes on
 * in a new one while there are fewer than `most` strokes. Returns the given list where nothing is added.
 */
export function ledOn(
  strokes: readonly Stroke[],
  to: Place,
  photo: PixelSize,
  most: number,
): readonly Stroke[] {
  const last = strokes.at(-1);
  const from = last?.points.at(-1);
  if (last === undefined || from === undefined) return strokes;
  if (last.selects === 'box')
    return [...strokes.slice(0, -1), { ...last, points: [...last.points.slice(0, 1), to] }];
  if (distanceOf(from, to, photo) < last.radius * minStep) return strokes;
  if (last.points.length < maxPoints)
    return [...strokes.slice(0, -1), { ...last, points: [...last.points, to] }];
  return strokes.length < most ? [...strokes, { ...last, points: [from, to] }] : strokes;
}

/** Draws a stroke as an SVG path in the photo's pixels. One point makes a dot where line caps are round. */
export function pathOf({ points }: Stroke, photo: PixelSize): string {
  const [first, ...others] = points.map((point) => inPixels(point, photo));
  return `M${first} L${(others.length > 0 ? others : [first]).join(' ')}`;
}

/** Draws the line along a stroke's middle, which for a dot is a bar as long as the radius. */
export function middleOf(stroke: Stroke, photo: PixelSize): string {
  const [only, second] = stroke.points;
  if (only === undefined || second !== undefined) return pathOf(stroke, photo);
  const half = (stroke.radius * Math.max(photo.width, photo.height)) / 2;
  const [x, y] = [only[0] * photo.width, only[1] * photo.height];
  return `M${x - half} ${y} H${x + half}`;
}

function inPixels([x, y]: Place, { width, height }: PixelSize): string {
  return `${x * width} ${y * height}`;
}
