import type { Rect } from '../../../../../electron/contract/geometry.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boxesToLookAt,
  withLooks,
} from '../../../../../electron/engine/jobs/cutout/mask/closer-look.ts';
import type { Mask } from '../../../../../electron/engine/tiles/mask-tensor.ts';
import { shippedTuning } from '../../../../support/networks-masks.ts';

const picture = { width: 1000, height: 500 };

/** 1 in the boxes, given in mask pixels, and 0 else. */
function maskWith(width: number, height: number, ...boxes: Rect[]): Mask {
  const data = new Float32Array(width * height);
  for (const box of boxes)
    for (let y = box.y; y < box.y + box.height; y += 1)
      data.fill(1, y * width + box.x, y * width + box.x + box.width);
  return { width, height, data };
}

const filled = (width: number, height: number, value: number): Mask => ({
  width,
  height,
  data: new Float32Array(width * height).fill(value),
});

const rect = (x: number, y: number, width: number, height: number): Rect => ({
  x,
  y,
  width,
  height,
});

describe('where to look closer', () => {
  it('is around each part, a quarter wider on each side, in pixels of the picture', () => {
    const mask = maskWith(100, 100, rect(20, 40, 20, 8));
    expect(boxesToLookAt(mask, picture, shippedTuning)).toEqual([rect(150, 190, 300, 60)]);
  });

  it('is as much wider, and of parts as small, as the network says', () => {
    const mask = maskWith(100, 100, rect(20, 40, 20, 8), rect(80, 80, 4, 1));
    const tuned = { ...shippedTuning, lookMargin: 0.5, smallLook: 0.001 };
    expect(boxesToLookAt(mask, picture, tuned)).toEqual([rect(100, 180, 400, 80)]);
  });

  it('ends at the border of the picture', () => {
    const mask = maskWith(100, 100, rect(0, 0, 10, 10));
    expect(boxesToLookAt(mask, picture, shippedTuning)).toEqual([rect(0, 0, 125, 63)]);
  });

  it('is one box for parts that are near each other, and another for one far off', () => {
    const near = [rect(10, 10, 10, 10), rect(22, 10, 10, 10)];
    const mask = maskWith(100, 100, ...near, rect(70, 70, 8, 8));
    expect(boxesToLookAt(mask, picture, shippedTuning)).toEqual([
      rect(75, 37, 270, 76),
      rect(680, 340, 120, 60),
    ]);
  });

  it('is nowhere for a subject that fills the picture, nor for specks', () => {
    expect(boxesToLookAt(maskWith(100, 100, rect(5, 5, 90, 90)), picture, shippedTuning)).toEqual(
      [],
    );
    expect(boxesToLookAt(maskWith(100, 100, rect(5, 5, 2, 1)), picture, shippedTuning)).toEqual([]);
    expect(boxesToLookAt(maskWith(100, 100), picture, shippedTuning)).toEqual([]);
  });

  it('is at the eight largest of many', () => {
    const parts = Array.from({ length: 12 }, (_, i) =>
      rect(4 + (i % 4) * 24, 4 + Math.floor(i / 4) * 30, 4 + Math.floor(i / 2), 6),
    );
    const boxes = boxesToLookAt(maskWith(100, 100, ...parts), picture, shippedTuning);
    expect(boxes).toHaveLength(8);
    expect(Math.min(...boxes.map(({ width }) => width))).toBeGreaterThan(80);
  });

  it('lies in the picture, each part in one box and no two boxes over each other', () => {
    const place = fc.integer({ min: 0, max: 27 });
    const length = fc.integer({ min: 1, max: 5 });
    const part = fc.tuple(place, place, length, length).map((p) => rect(...p));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const boxes = boxesToLookAt(maskWith(32, 32, ...parts), picture, shippedTuning);
        for (const [i, a] of boxes.entries()) {
          expect(Math.min(a.x, a.y)).toBeGreaterThanOrEqual(0);
          expect(a.x + a.width).toBeLessThanOrEqual(picture.width);
          expect(a.y + a.height).toBeLessThanOrEqual(picture.height);
          for (const b of boxes.slice(i + 1)) {
            const isBeside = a.x + a.width <= b.x || b.x + b.width <= a.x;
            const isAbove = a.y + a.height <= b.y || b.y + b.height <= a.y;
            expect(isBeside || isAbove).toBe(true);
          }
        }
      }),
    );
  });
});

describe('a mask with closer looks', () => {
  const box = rect(200, 100, 400, 200);

  it('is the same without any', () => {
    const mask = maskWith(50, 50, rect(10, 10, 5, 5));
    expect(withLooks(mask, [], picture, shippedTuning)).toBe(mask);
  });

  it('is as much finer as the least close look', () => {
    const looks = [
      { box, mask: filled(50, 50, 0.5) },
      { box: rect(700, 0, 100, 100), mask: filled(50, 50, 0.5) },
    ];
    const { width, height } = withLooks(filled(50, 50, 0.5), looks, picture, shippedTuning);
    expect([width, height]).toEqual([125, 125]);
  });

  it('is never finer than the picture, nor than 1024, nor coarser than it was', () => {
    const sizeIn = (size: { width: number; height: number }, px: number) => {
      const tiny = rect(0, 0, 4, 4);
      const { width, height } = withLooks(
        filled(px, px, 0.5),
        [{ box: tiny, mask: filled(px, px, 0.5) }],
        size,
        shippedTuning,
      );
      return [width, height];
    };
    expect(sizeIn({ width: 4000, height: 200 }, 100)).toEqual([1024, 200]);
    expect(sizeIn({ width: 40, height: 40 }, 100)).toEqual([100, 100]);
  });

  it('takes the mean of both as logits in the box, and keeps the rest', () => {
    const look = { box, mask: filled(50, 50, 0.5) };
    const { width, data } = withLooks(filled(50, 50, 0.9), [look], picture, shippedTuning);
    const at = (x: number, y: number) => data[Math.floor(y / 4) * width + Math.floor(x / 8)];
    expect(at(400, 200)).toBeCloseTo(0.75, 5); // 9 to 1 and 1 to 1: 3 to 1
    expect(at(100, 50)).toBeCloseTo(0.9, 5);
    expect(at(800, 400)).toBeCloseTo(0.9, 5);
  });

  it('gives way along the seam, but not at the border of the picture', () => {
    const corner = rect(0, 0, 400, 200);
    const look = { box: corner, mask: filled(50, 50, 0.999) };
    const { width, data } = withLooks(filled(50, 50, 0.001), [look], picture, shippedTuning);
    const row = Array.from(data.subarray(0, width));
    const end = Math.round((400 / picture.width) * width);
    expect(row[0]).toBeCloseTo(0.5, 3);
    for (let x = 1; x < end; x += 1) expect(row[x]).toBeLessThanOrEqual(row[x - 1]! + 1e-6);
    expect(row[end]).toBeCloseTo(0.001, 5);
    expect(row[end - 1]).toBeLessThan(0.02);
  });

  it('shows what is in the box where it is, not shifted', () => {
    const edge = maskWith(50, 50, rect(25, 0, 25, 50));
    const { width, height, data } = withLooks(
      filled(50, 50, 0.5),
      [{ box, mask: edge }],
      picture,
      shippedTuning,
    );
    const row = data.subarray((height >> 1) * width, ((height >> 1) + 1) * width);
    const middle = Array.from(row).findIndex((value) => value > 0.5);
    expect(((middle + 0.5) * picture.width) / width).toBeCloseTo(box.x + box.width / 2, -1);
  });

  it('stays within 0 to 1 and is certain where both are', () => {
    const look = { box, mask: filled(50, 50, 1) };
    const { data } = withLooks(
      maskWith(50, 50, rect(0, 0, 50, 50)),
      [look],
      picture,
      shippedTuning,
    );
    for (const value of data) {
      expect(value).toBeGreaterThan(0.9999);
      expect(value).toBeLessThanOrEqual(1);
    }
  });
});
