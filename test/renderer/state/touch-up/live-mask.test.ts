/** What painting shows at once. */
import { describe, expect, it } from 'vitest';
import type { Stroke } from '../../../../packages/contract/src/options/strokes.ts';
import { photo as samplePhoto } from '../../../support/images.ts';
import { clickOf } from '../../../../renderer/state/touch-up/strokes.ts';
import { LiveMask, type DisplayCopy } from '../../../../renderer/state/touch-up/live-mask.ts';

const [width, height] = [200, 160];
const photo = { width: 6000, height: 4800 };
/** Dark up to the middle, then bright. */
const greyAt = (x: number) => (x < width / 2 ? 60 : 200);

function copy(level = 0): DisplayCopy {
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let at = 0; at < width * height; at += 1) {
    const grey = greyAt(at % width);
    pixels.set([grey, grey, grey, 255], at * 4);
  }
  return { width, height, pixels, mask: new Uint8Array(width * height).fill(level) };
}

/** As it is on a screen. */
function screenful(width: number, height: number): DisplayCopy {
  const pixels = new Uint8ClampedArray(width * height * 4);
  const { data } = samplePhoto(width, height);
  for (let at = 0; at < width * height; at += 1)
    pixels.set([...data.subarray(at * 3, at * 3 + 3), 255], at * 4);
  return { width, height, pixels, mask: new Uint8Array(width * height) };
}

const stroke = (
  kind: Stroke['kind'],
  radiusPx: number,
  points: [number, number][],
  hardness?: number,
): Stroke => ({
  kind,
  radius: radiusPx / width,
  points: points.map(([x, y]) => [x / width, y / height]),
  ...(hardness !== undefined && { hardness }),
});
const levels = ({ alpha }: LiveMask) => [...new Set(alpha)].sort((a, b) => a - b);
const at = ({ alpha }: LiveMask, x: number, y: number) => alpha[y * width + x];

describe('a mask that is painted', () => {
  it('stops at edges', () => {
    const live = new LiveMask(copy(), photo);
    live.show([
      stroke('keep', 30, [
        [85, 40],
        [85, 110],
      ]),
    ]);
    expect([at(live, 70, 80), at(live, 99, 80)]).toEqual([255, 255]);
    for (let y = 40; y < 110; y += 1) expect(at(live, width / 2, y)).toBe(0);
  });

  it('is exactly what a hard brush covers, whatever is there', () => {
    const live = new LiveMask(copy(), photo);
    live.show([
      stroke(
        'keep',
        4,
        [
          [60, 80],
          [140, 80],
        ],
        100,
      ),
    ]);
    expect(levels(live)).toEqual([0, 255]);
    expect([at(live, 99, 80), at(live, 100, 80), at(live, 139, 83)]).toEqual([255, 255, 255]);
    expect([at(live, 100, 85), at(live, 100, 74), at(live, 146, 80)]).toEqual([0, 0, 0]);
  });

  it('grows softer towards the edge of a soft brush, and not with each move', () => {
    const points: [number, number][] = [
      [60, 80],
      [70, 80],
      [80, 80],
    ];
    const whole = new LiveMask(copy(), photo);
    whole.show([stroke('keep', 20, points, 50)]);
    const led = new LiveMask(copy(), photo);
    const first = stroke('keep', 20, points, 50);
    for (let count = 1; count <= points.length; count += 1)
      led.show([{ ...first, points: first.points.slice(0, count) }]);
    expect(led.alpha).toEqual(whole.alpha);
    expect(at(whole, 70, 88)).toBe(255);
    expect(at(whole, 70, 95)).toBeGreaterThan(40);
    expect(at(whole, 70, 95)).toBeLessThan(200);
  });

  it('shows a stroke that is led on without painting it anew, and tells what changed', () => {
    const live = new LiveMask(copy(), photo);
    const first = stroke('keep', 5, [
      [20, 80],
      [60, 80],
      [90, 80],
    ]);
    const changed = [1, 2, 3].map((count) =>
      live.show([{ ...first, points: first.points.slice(0, count) }]),
    );
    expect(changed.map((box) => box?.x)).toEqual([15, 15, 55]);
    const whole = new LiveMask(copy(), photo);
    whole.show([first]);
    expect(live.alpha).toEqual(whole.alpha);
    expect(live.show([{ ...first, points: first.points.slice(0) }])).toBeDefined();
  });

  it('takes strokes back, from the last one to all, and paints them again', () => {
    const live = new LiveMask(copy(255), photo);
    const strokes = [
      stroke('remove', 12, [
        [50, 50],
        [60, 60],
      ]),
      stroke('keep', 6, [[55, 55]], 100),
      stroke('remove', 9, [[150, 100]], 30),
    ];
    const states = [0, 1, 2, 3].map((count) => {
      live.show(strokes.slice(0, count));
      return live.alpha.slice();
    });
    for (const count of [2, 1, 3, 0, 3]) {
      live.show(strokes.slice(0, count));
      expect(live.alpha).toEqual(states[count]);
    }
    expect(live.show(strokes)).toBeUndefined();
    expect(new Set(states.map((state) => state.join())).size).toBe(4);
  });

  it('follows the widest brush within a tenth of a second', () => {
    const live = new LiveMask(screenful(1024, 683), { width: 6000, height: 4000 });
    const points = Array.from({ length: 9 }, (_, i): [number, number] => [0.4 + i / 100, 0.5]);
    const spentMs = points.map((_, i) => {
      // Of this thread alone: other work on the machine does not count.
      const before = process.threadCpuUsage();
      live.show([{ kind: 'keep', radius: 0.25, points: points.slice(0, i + 1) }]);
      return process.threadCpuUsage(before).user / 1000;
    });
    expect(spentMs.toSorted((a, b) => a - b)[4]).toBeLessThan(100);
  });

  it('leaves a click to the network, and knows whether its answer has the click on its side', () => {
    const live = new LiveMask(copy(255), photo);
    const click = clickOf(stroke('remove', 30, [[150, 40]]));
    expect(live.show([click])).toBeUndefined();
    expect(levels(live)).toEqual([255]);
    const answer = live.alpha.slice();
    expect(live.obeys(answer, click)).toBe(false);
    expect(live.obeys(answer, { ...click, kind: 'keep' })).toBe(true);
    answer[40 * width + 150] = 20;
    expect(live.obeys(answer, click)).toBe(true);
    expect(live.underlay(answer)).toEqual({ x: 150, y: 40, width: 1, height: 1 });
  });

  it('stays as it was where a stroke is beside the photo', () => {
    const live = new LiveMask(copy(), photo);
    expect(live.show([stroke('keep', 3, [[-50, -50]])])).toBeUndefined();
    expect(levels(live)).toEqual([0]);
  });
});

describe('what the network makes of strokes', () => {
  const left = stroke('keep', 8, [[40, 40]]);
  const right = stroke('remove', 8, [[150, 40]]);
  /** All of the dark half. */
  const half = () =>
    Uint8Array.from({ length: width * height }, (_, i) => (i % width < width / 2 ? 255 : 0));

  it('is put under them, and what was painted stays', () => {
    const live = new LiveMask(copy(), photo);
    const strokes = [left, stroke('remove', 8, [[20, 120]], 100)];
    live.show(strokes);
    expect(live.shows(strokes)).toBe(true);
    expect(live.underlay(half())).toBeDefined();
    expect([at(live, 40, 40), at(live, 80, 100), at(live, 150, 100)]).toEqual([255, 255, 0]);
    expect(at(live, 20, 120)).toBe(0);
  });

  it('goes with the stroke that is taken back, and that of earlier ones stays', () => {
    const live = new LiveMask(copy(), photo);
    live.show([left]);
    live.underlay(half());
    const before = live.alpha.slice();
    live.show([left, right]);
    live.underlay(new Uint8Array(width * height));
    expect(at(live, 80, 100)).toBe(0);
    live.show([left]);
    expect(live.alpha).toEqual(before);
    live.show([]);
    expect(levels(live)).toEqual([0]);
  });

  it('changes nothing without strokes', () => {
    const live = new LiveMask(copy(), photo);
    expect(live.underlay(half())).toBeUndefined();
    expect(levels(live)).toEqual([0]);
  });
});
