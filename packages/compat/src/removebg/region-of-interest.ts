/**
 * Maps remove.bg's roi, a rectangle that contains the subject, to hard strokes along its sides, which cover
 * everything up to the picture's borders. Pure.
 */
import type { Size } from '../../../contract/src/geometry.ts';
import type { Stroke } from '../../../contract/src/options/strokes.ts';
import { refusedValue } from '../read-fields.ts';

/** Pixels. */
interface Region {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const expected =
  'two corners such as "10% 20% 90% 80%" or "0px 0px 300px 200px", the upper left one first';

/**
 * Parses a roi and returns the function that computes the region once the picture's size is known; undefined
 * for the whole picture. Both throw FieldRefused for anything but a rectangle.
 */
export function readRoi(roi: string | undefined): ((size: Size) => Region) | undefined {
  if (roi === undefined || /^0(%|px)? 0(%|px)? 100% 100%$/.test(roi)) return undefined;
  const parts = roi.split(/\s+/).map((part) => /^(\d{1,6}(?:\.\d+)?)(px|%)$/.exec(part));
  const [x1, y1, x2, y2] = parts;
  if (parts.length !== 4 || !x1 || !y1 || !x2 || !y2) throw refusedValue('roi', expected, roi);
  const at = ([, value, unit]: RegExpExecArray, side: number) =>
    Math.min(side, unit === '%' ? (Number(value) / 100) * side : Number(value));
  return ({ width, height }) => {
    const region = {
      left: at(x1, width),
      top: at(y1, height),
      right: at(x2, width),
      bottom: at(y2, height),
    };
    if (region.left >= region.right || region.top >= region.bottom)
      throw refusedValue('roi', expected, roi);
    return region;
  };
}

/** Distance of neighbouring strokes as a share of their width. */
const overlap = 0.9;
/** Share of the picture's longer side. */
const largestRadius = 0.25;

export function strokesOutside(region: Region, size: Size): Stroke[] {
  const { width, height } = size;
  const longest = Math.max(width, height);
  const across = (side: number) => Math.min(largestRadius * longest, side / 2);
  const stroke = (radius: number, points: Stroke['points']): Stroke => ({
    ...{ kind: 'remove', radius: radius / longest, hardness: 100 },
    points,
  });
  const columns = (edge: number, step: 1 | -1) =>
    lines(edge, step, width, across(width)).map((x) =>
      stroke(across(width), [
        [x / width, -1],
        [x / width, 2],
      ]),
    );
  const rows = (edge: number, step: 1 | -1) =>
    lines(edge, step, height, across(height)).map((y) =>
      stroke(across(height), [
        [-1, y / height],
        [2, y / height],
      ]),
    );
  return [
    ...columns(region.left, -1),
    ...columns(region.right, 1),
    ...rows(region.top, -1),
    ...rows(region.bottom, 1),
  ];
}

/** Centre lines of the strokes, from the region's edge to the picture's border. */
function lines(edge: number, step: 1 | -1, side: number, radius: number): number[] {
  const room = step < 0 ? edge : side - edge;
  const count = Math.ceil(room / (2 * radius * overlap));
  return Array.from({ length: count }, (_, i) => edge + step * radius * (1 + 2 * overlap * i));
}
