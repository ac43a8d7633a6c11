/**
 * Holds a cut-out's mask while it is painted, on a copy of the photo that is as large as a screen. Each
 * stroke shows at once, by the engine's own rules of what a brush takes; what the network makes of it is put under it
 * when that is known. The true edge is found when strokes are applied.
 */
import type { Rect, Size } from '../../../packages/contract/src/geometry.ts';
import type { Stroke } from '../../../packages/contract/src/options/strokes.ts';
import {
  boxOf,
  coverage,
  distancesTo,
  pathOf,
  type Plane,
  coreOf,
  selectLikeCore,
} from '../../../packages/painting/src/index.ts';

export interface DisplayCopy extends Size {
  /** The pixels are interleaved red, green, blue and alpha, 0..255. */
  pixels: Uint8ClampedArray;
  /** The mask says what the cut-out keeps, 0..255 a pixel. */
  mask: Uint8Array;
}

interface PaintedStroke {
  stroke: Stroke;
  /** The stroke painted over these values; the latest part is the last. */
  before: { box: Rect; values: Uint8Array }[];
}

export class LiveMask {
  readonly width: number;
  readonly height: number;
  /** The mask was painted like this so far, 0..255 a pixel. */
  readonly alpha: Uint8Array;
  readonly #colours: readonly [Plane, Plane, Plane];
  readonly #photo: Size;
  readonly #painted: PaintedStroke[] = [];

  /** @param photo is the size of the whole upright photo, of which strokes are shares */
  constructor({ width, height, pixels, mask }: DisplayCopy, photo: Size) {
    this.width = width;
    this.height = height;
    this.alpha = mask.slice();
    this.#photo = photo;
    const plane = (band: number): Plane => {
      const data = new Float32Array(width * height);
      for (let at = 0; at < data.length; at += 1) data[at] = (pixels[at * 4 + band] ?? 0) / 255;
      return { width, height, data };
    };
    this.#colours = [plane(0), plane(1), plane(2)];
  }

  /**
   * Makes the mask that of these strokes. Strokes at the beginning that are painted already stay, and a last
   * one that was led on is only painted where it went since. It answers the part that changed.
   */
  show(strokes: readonly Stroke[]): Rect | undefined {
    const painted = this.#painted;
    let same = 0;
    while (same < painted.length && painted[same]?.stroke === strokes[same]) same += 1;
    const boxes: Rect[] = [];
    const last = painted[same];
    const longer = strokes[same];
    const isGrown =
      last !== undefined &&
      longer !== undefined &&
      same === painted.length - 1 &&
      isLedOn(last.stroke, longer);
    if (isGrown) {
      const points = longer.points.slice(last.stroke.points.length - 1);
      last.stroke = longer;
      boxes.push(...this.#paint({ ...longer, points }, last));
      same += 1;
    }
    while (painted.length > same) boxes.push(...this.#takeBack());
    for (const stroke of strokes.slice(same)) {
      const next: PaintedStroke = { stroke, before: [] };
      painted.push(next);
      boxes.push(...this.#paint(stroke, next));
    }
    return boxes.reduce<Rect | undefined>((all, box) => (all ? around(all, box) : box), undefined);
  }

  /** Whether these strokes are the ones that the mask shows. */
  shows(strokes: readonly Stroke[]): boolean {
    const painted = this.#painted;
    return (
      painted.length === strokes.length && painted.every(({ stroke }, i) => stroke === strokes[i])
    );
  }

  /** Whether levels of this mask's size have the place of a click on the side that it asks for. */
  obeys(levels: Uint8Array, { kind, points: [[x, y] = [0, 0]] }: Stroke): boolean {
    const column = Math.min(this.width - 1, Math.max(0, Math.floor(x * this.width)));
    const row = Math.min(this.height - 1, Math.max(0, Math.floor(y * this.height)));
    const isKept = (levels[row * this.width + column] ?? 0) >= 128;
    return isKept === (kind === 'keep');
  }

  /**
   * Puts a mask under the strokes that are shown, of the same size: what a network makes of them. It goes with the
   * last stroke when that is taken back. Returns the part that changed.
   */
  underlay(levels: Uint8Array): Rect | undefined {
    const last = this.#painted.at(-1);
    if (last === undefined) return undefined;
    const before = this.alpha.slice();
    this.alpha.set(levels);
    for (const { stroke } of this.#painted) this.#paint(stroke, { stroke, before: [] });
    const box = differingBox(before, this.alpha, this.width);
    if (box === undefined) return undefined;
    const values = new Uint8Array(box.width * box.height);
    eachRow(box, this.width, (at, from, length) =>
      values.set(before.subarray(at, at + length), from),
    );
    last.before.push({ box, values });
    return box;
  }

  #takeBack(): Rect[] {
    const { before } = this.#painted.pop() ?? { before: [] };
    for (const { box, values } of before.toReversed())
      eachRow(box, this.width, (at, from, length) =>
        this.alpha.set(values.subarray(from, from + length), at),
      );
    return before.map(({ box }) => box);
  }

  #paint(stroke: Stroke, { before }: PaintedStroke): Rect[] {
    // What a box holds, or a click selects, is not known before the network has looked.
    if (stroke.selects !== undefined) return [];
    const path = pathOf(stroke, this, this.#photo);
    const box = boxOf(path, this, 0);
    if (box === undefined) return [];
    const values = new Uint8Array(box.width * box.height);
    eachRow(box, this.width, (at, from, length) =>
      values.set(this.alpha.subarray(at, at + length), from),
    );
    before.push({ box, values });
    const reach = distancesTo(path, box);
    const { hardness } = stroke;
    const isTaken =
      hardness === undefined ? selectLikeCore(reach, coreOf(path), this.#colours, box) : undefined;
    const side = stroke.kind === 'keep' ? 255 : 0;
    eachRow(box, this.width, (at, from, length) => {
      for (let x = 0; x < length; x += 1) {
        const distance = reach.data[from + x] ?? Infinity;
        if (distance > 1) continue;
        const share = isTaken
          ? Number(isTaken(from + x))
          : coverage(distance, (hardness ?? 100) / 100);
        const now = this.alpha[at + x] ?? 0;
        this.alpha[at + x] = Math.round(now + (side - now) * share);
      }
    });
    return [box];
  }
}

/** The box of all pixels that differ; undefined where none does. */
function differingBox(one: Uint8Array, other: Uint8Array, width: number): Rect | undefined {
  let [left, right, top, bottom] = [width, -1, Infinity, -1];
  for (let at = 0; at < one.length; at += 1) {
    if (one[at] === other[at]) continue;
    const x = at % width;
    const y = (at - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = y;
  }
  if (right < 0) return undefined;
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Whether a stroke was only led on, which one of a soft brush, covering little by little, never is. */
function isLedOn(before: Stroke, after: Stroke): boolean {
  const end = before.points.length - 1;
  return (
    (after.hardness === undefined || after.hardness === 100) &&
    before.kind === after.kind &&
    before.radius === after.radius &&
    before.hardness === after.hardness &&
    after.points.length > before.points.length &&
    after.points[end] === before.points[end]
  );
}

/** Calls back with where each row of a box lies in the mask, where it lies in the box, and its length. */
function eachRow(
  { x, y, width, height }: Rect,
  maskWidth: number,
  use: (at: number, from: number, length: number) => void,
): void {
  for (let row = 0; row < height; row += 1) use((y + row) * maskWidth + x, row * width, width);
}

function around(one: Rect, other: Rect): Rect {
  const x = Math.min(one.x, other.x);
  const y = Math.min(one.y, other.y);
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  };
}
