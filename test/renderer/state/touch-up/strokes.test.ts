import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { Stroke, Strokes, strokesOf } from '../../../../packages/contract/src/options/strokes.ts';
import {
  brushWidthPx,
  clickOf,
  isClick,
  isEmptyBox,
  isOnPhoto,
  isUnmoved,
  largestSize,
  ledOn,
  middleOf,
  maxPoints,
  maxStrokes,
  pathOf,
  placeOf,
  radiusOf,
} from '../../../../renderer/state/touch-up/strokes.ts';

const photo = { width: 400, height: 200 };
const dab = (...points: Stroke['points']): Stroke => ({ kind: 'keep', radius: 0.04, points });
const longStroke = dab(
  ...Array.from({ length: maxPoints }, (_, i): Stroke['points'][number] => [i / maxPoints, 0.5]),
);

it('a click is a stroke that follows edges and was not led on, and selects an object', () => {
  expect(isUnmoved(dab([0.5, 0.5]))).toBe(true);
  expect(isUnmoved(dab([0.5, 0.5], [0.6, 0.5]))).toBe(false);
  expect(isUnmoved({ ...dab([0.5, 0.5]), hardness: 100 })).toBe(false);
  const click = clickOf(dab([0.5, 0.5]));
  expect([isClick(click), isClick(dab([0.5, 0.5])), isUnmoved(click)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(Value.Check(Stroke, click)).toBe(true);
  expect(strokesOf([{ kind: 'keep', x: 0.5, y: 0.5 }])).toEqual([click]);
});

it('a box is led by its second corner, and holds something once it is drawn out', () => {
  const corner: Stroke = { ...dab([0.5, 0.5], [0.5, 0.5]), selects: 'box' };
  expect(isEmptyBox(corner)).toBe(true);
  const [first, box] = ledOn([longStroke, corner], [0.25, 0.75], photo, maxStrokes);
  expect([first, box?.points]).toEqual([
    longStroke,
    [
      [0.5, 0.5],
      [0.25, 0.75],
    ],
  ]);
  expect(isEmptyBox(box ?? corner)).toBe(false);
  const narrow = ledOn([corner], [0.505, 0.9], photo, maxStrokes);
  expect(narrow.map(isEmptyBox)).toEqual([true]);
  expect(
    isEmptyBox({
      ...corner,
      points: [
        [-0.2, 0.1],
        [-0.05, 0.9],
      ],
    }),
  ).toBe(true);
  expect(
    isEmptyBox({
      ...corner,
      points: [
        [-0.2, 0.1],
        [0.05, 0.9],
      ],
    }),
  ).toBe(false);
  expect(isEmptyBox(longStroke)).toBe(false);
  expect(Value.Check(Stroke, box)).toBe(true);
});

describe('what a brush may paint', () => {
  it('is what the contract takes, and no more', () => {
    expect(Value.Check(Stroke, { ...longStroke, radius: radiusOf(largestSize) })).toBe(true);
    expect(Value.Check(Stroke, dab(...longStroke.points, [0, 0]))).toBe(false);
    const all = Array.from({ length: maxStrokes }, () => dab([0, 0]));
    expect(Value.Check(Strokes, all)).toBe(true);
    expect(Value.Check(Strokes, [...all, dab([0, 0])])).toBe(false);
    for (const far of [-7, 9])
      expect(Value.Check(Stroke, dab(placeOf({ x: far, y: far })))).toBe(true);
  });

  it('is of a radius that doubles with every fourth size', () => {
    expect(radiusOf(largestSize)).toBe(0.25);
    expect(radiusOf(largestSize - 4)).toBe(0.125);
    expect(radiusOf(0)).toBeCloseTo(0.002, 4);
    expect(brushWidthPx(radiusOf(largestSize), photo)).toBe(200);
    expect(brushWidthPx(radiusOf(0), { width: 60, height: 90 })).toBe(1);
  });

  it('begins where the brush covers some of the photo', () => {
    expect(isOnPhoto([0.5, 0.5], 0.01, photo)).toBe(true);
    // 20 pixels beside it, with a brush of 16 and of 24.
    expect(isOnPhoto([-0.05, 0.5], 0.04, photo)).toBe(false);
    expect(isOnPhoto([-0.05, 0.5], 0.06, photo)).toBe(true);
    expect(isOnPhoto([0.5, 1.1], 0.04, photo)).toBe(false);
    expect(isOnPhoto([0.5, 1.1], 0.06, photo)).toBe(true);
  });
});

describe('a stroke that is led on', () => {
  it('leaves out points nearer than a quarter of its radius, in pixels of the photo', () => {
    // The radius is 16 pixels.
    const strokes = [dab([0.5, 0.5])];
    expect(ledOn(strokes, [0.509, 0.5], photo, 9)).toBe(strokes);
    expect(ledOn(strokes, [0.5, 0.519], photo, 9)).toBe(strokes);
    expect(ledOn(strokes, [0.511, 0.5], photo, 9)).toEqual([dab([0.5, 0.5], [0.511, 0.5])]);
    expect(ledOn(strokes, [0.5, 0.521], photo, 9)).toEqual([dab([0.5, 0.5], [0.5, 0.521])]);
  });

  it('leaves the strokes before it as they are', () => {
    const first = dab([0.1, 0.1]);
    const [kept, led] = ledOn([first, dab([0.5, 0.5])], [0.6, 0.5], photo, 9);
    expect(kept).toBe(first);
    expect(led?.points).toHaveLength(2);
  });

  it('goes on without a gap in a new one when it has all its points, while there is room', () => {
    const [long, next] = ledOn([longStroke], [0.2, 0.9], photo, 2);
    expect(long).toBe(longStroke);
    expect(next).toEqual(dab([0.999, 0.5], [0.2, 0.9]));
    const full = [longStroke];
    expect(ledOn(full, [0.2, 0.9], photo, 1)).toBe(full);
  });

  it('is nothing before one was begun', () => {
    expect(ledOn([], [0.5, 0.5], photo, 9)).toEqual([]);
  });
});

describe('how a stroke is drawn', () => {
  it("is a path in the photo's pixels, and a dot where it is one point", () => {
    expect(pathOf(dab([0.25, 0.5], [0.5, 0.5], [0.5, 1]), photo)).toBe('M100 100 L200 100 200 200');
    expect(pathOf(dab([0.25, 0.5]), photo)).toBe('M100 100 L100 100');
  });

  it('has a line in its middle, and in a dot a bar', () => {
    const stroke = dab([0.25, 0.5], [0.5, 0.5]);
    expect(middleOf(stroke, photo)).toBe(pathOf(stroke, photo));
    expect(middleOf(dab([0.25, 0.5]), photo)).toBe('M92 100 H108');
  });
});
