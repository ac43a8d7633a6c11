/**
 * Looks closer at what was found. A network sees the whole picture in a few hundred pixels, and a subject
 * that takes a part of it in fewer; on a crop of that part alone the same network sees more. This file
 * decides where to look, and merges the masks of the looks into the first one. It is pure.
 */
import type { Rect, Size } from '../../../../contract/geometry.ts';
import { eachIn } from './mask-box.ts';
import { subjectComponents, type Component } from '../../../raster/planes/components.ts';
import { logitOf, sigmoid, type Mask } from '../../../tiles/mask-tensor.ts';
import type { Plane } from '../../../raster/planes/plane.ts';
import { resample } from '../../../raster/planes/resample.ts';
import type { MaskTuning } from '../../../../contract/models/model.ts';

/** The looks are limited, for each costs a run of the network. */
const mostLooks = 8;
/** The longest side of a mask with closer looks in it has at most this many pixels. */
const mostMaskPx = 1024;

export interface Look {
  /** The box is in pixels of the picture. */
  box: Rect;
  /** The network found this mask in the box. */
  mask: Mask;
}

/** Answers boxes around a mask's parts, in pixels of the picture, the largest first. Overlapping ones are joined. */
export function boxesToLookAt(
  mask: Mask,
  picture: Size,
  { smallLook, lookMargin, wideLook }: Pick<MaskTuning, 'smallLook' | 'lookMargin' | 'wideLook'>,
): Rect[] {
  const pixels = mask.width * mask.height;
  const boxes = subjectComponents(mask)
    .filter((part) => part.pixels.length >= smallLook * pixels)
    .map((part) => boxAround(part, mask, picture, lookMargin));
  return joined(boxes)
    .filter((box) => areaOf(box) < wideLook * areaOf(picture))
    .toSorted((one, other) => areaOf(other) - areaOf(one))
    .slice(0, mostLooks);
}

const areaOf = ({ width, height }: Size) => width * height;

/** Answers the box around a part with a share of its sides as margin, for its surroundings set it apart. */
function boxAround({ pixels }: Component, mask: Mask, picture: Size, margin: number): Rect {
  const span = (side: 'width' | 'height', placeOf: (at: number) => number) =>
    spanOf(pixels, placeOf, mask[side], picture[side], margin);
  const across = span('width', (at) => at % mask.width);
  const down = span('height', (at) => Math.floor(at / mask.width));
  return { x: across.start, y: down.start, width: across.length, height: down.length };
}

function spanOf(
  pixels: Int32Array,
  placeOf: (at: number) => number,
  from: number,
  to: number,
  margin: number,
) {
  let [least, most] = [from, 0];
  for (const at of pixels) {
    const place = placeOf(at);
    least = Math.min(least, place);
    most = Math.max(most, place + 1);
  }
  const wider = (most - least) * margin;
  const start = Math.floor((Math.max(0, least - wider) * to) / from);
  const end = Math.ceil((Math.min(from, most + wider) * to) / from);
  return { start, length: end - start };
}

/** Joins boxes that overlap into the box around both, until none overlap. */
function joined(boxes: Rect[]): Rect[] {
  const apart: Rect[] = [];
  for (const box of boxes) {
    let whole = box;
    for (;;) {
      const at = apart.findIndex((other) => overlap(whole, other));
      if (at < 0) break;
      whole = around(whole, apart[at] as Rect);
      apart.splice(at, 1);
    }
    apart.push(whole);
  }
  return apart;
}

const overlap = (a: Rect, b: Rect) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

function around(a: Rect, b: Rect): Rect {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const right = Math.max(a.x + a.width, b.x + b.width);
  const bottom = Math.max(a.y + a.height, b.y + b.height);
  return { x, y, width: right - x, height: bottom - y };
}

type MixTuning = Pick<MaskTuning, 'lookWeight' | 'lookSeam'>;

/**
 * Merges the looks into the mask: in each box the result is the weighted mean of both, as logits. The result
 * is finer than the mask by the factor of the least close look, so that it is finer than none of the looks.
 * It is no finer than the picture itself, and no coarser than the mask.
 */
export function withLooks(mask: Mask, looks: Look[], picture: Size, tuning: MixTuning): Mask {
  if (looks.length === 0) return mask;
  const finer = (side: 'width' | 'height') => {
    const widest = Math.max(...looks.map(({ box }) => box[side]));
    const wanted = Math.round((mask[side] * picture[side]) / widest);
    return Math.max(mask[side], Math.min(wanted, picture[side], mostMaskPx));
  };
  const logits = resample(logitsOf(mask), finer('width'), finer('height'));
  for (const look of looks) mix(logits, look, picture, tuning);
  return { ...logits, data: logits.data.map(sigmoid) };
}

/** Answers the weight of a look at a place of its box. It falls to 0 at borders within the picture. */
function shareOf(
  box: Rect,
  picture: Size,
  { lookWeight, lookSeam }: MixTuning,
): (x: number, y: number) => number {
  const along = (start: number, length: number, end: number) => {
    const seam = lookSeam * length;
    const [isAtStart, isAtEnd] = [start === 0, start + length === end];
    return (at: number) =>
      Math.min(isAtStart ? 1 : (at - start) / seam, isAtEnd ? 1 : (start + length - at) / seam, 1);
  };
  const across = along(box.x, box.width, picture.width);
  const down = along(box.y, box.height, picture.height);
  return (x, y) => Math.min(across(x), down(y)) * lookWeight;
}

/** Mixes a look into the logits of the places that lie in its box. */
function mix(into: Plane, { box, mask }: Look, picture: Size, tuning: MixTuning): void {
  const share = shareOf(box, picture, tuning);
  eachIn(into, logitsOf(mask), box, picture, (at, logit, x, y) => {
    const before = into.data[at] as number;
    into.data[at] = before + (logit - before) * share(x, y);
  });
}

const logitsOf = (mask: Mask): Plane => ({ ...mask, data: mask.data.map(logitOf) });
