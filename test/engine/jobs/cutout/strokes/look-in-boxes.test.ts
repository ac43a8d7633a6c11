/** Boxes around objects, by a network that takes what is bright for the subject. */
import { describe, expect, it } from 'vitest';
import { boxStroke, type Stroke } from '../../../../../packages/contract/src/options/strokes.ts';
import { partOf } from '../../../../../electron/engine/jobs/cutout/strokes/look-in-boxes.ts';
import { paintArea } from '../../../../../electron/engine/jobs/upscale/amount.ts';
import { createPlane } from '../../../../../electron/engine/raster/planes/plane.ts';
import { openCutouts } from '../../../../support/cutouts.ts';
import type { Pixels } from '../../../../support/images.ts';

/** Black, with a white square for each left upper corner. */
function squares(width: number, height: number, side: number, ...corners: [number, number][]) {
  const data = new Uint8Array(width * height * 3);
  for (const [left, top] of corners)
    for (let y = top; y < top + side; y += 1)
      data.fill(255, (y * width + left) * 3, (y * width + left + side) * 3);
  return { width, height, channels: 3, data } satisfies Pixels;
}

const box = (kind: Stroke['kind'], x: number, y: number, width: number, height: number) =>
  boxStroke(kind, { x, y, width, height });

describe('the part that is seen of a box', () => {
  const photo = { width: 1000, height: 500 };

  it('has surroundings as a share of its sides, and stays on the photo', () => {
    expect(partOf(box('keep', 0.4, 0.4, 0.2, 0.2), photo, 0.15)).toEqual({
      ...{ x: 370, y: 185 },
      ...{ width: 260, height: 130 },
    });
    const corner = partOf(box('keep', 0.9, 0, 0.1, 0.5), photo, 0.5);
    expect(corner).toEqual({ x: 850, y: 0, width: 150, height: 375 });
  });

  it('is the same from whichever corner it was drawn, and never empty', () => {
    const drawn = (points: Stroke['points']): Stroke => ({ ...box('keep', 0, 0, 1, 1), points });
    const one = drawn([
      [0.6, 0.6],
      [0.4, 0.4],
    ]);
    expect(partOf(one, photo, 0)).toEqual({ x: 400, y: 200, width: 200, height: 100 });
    const beside = drawn([
      [1.5, 2],
      [1.6, 2],
    ]);
    expect(partOf(beside, photo, 0)).toEqual({ x: 984, y: 484, width: 16, height: 16 });
  });
});

describe('boxes over a mask', () => {
  const { cutOut } = openCutouts();
  const three = squares(200, 150, 30, [10, 20], [80, 20], [150, 20]);
  const middles = [25, 95, 165] as const;

  async function alphasOf(strokes: Stroke[], picture: Pixels = three) {
    const { result } = await cutOut(picture, { strokes });
    return middles.map((x) => result.data[(35 * result.width + x) * 4 + 3]);
  }

  it('make all outside the first one background, and add what further ones hold', async () => {
    expect(await alphasOf([])).toEqual([255, 255, 255]);
    const left = box('keep', 0.03, 0.1, 0.2, 0.26);
    const right = box('keep', 0.73, 0.1, 0.2, 0.26);
    expect(await alphasOf([left])).toEqual([255, 0, 0]);
    expect(await alphasOf([left, right])).toEqual([255, 0, 255]);
  });

  it('take away what those hold that remove', async () => {
    const middle = box('remove', 0.38, 0.1, 0.2, 0.26);
    expect(await alphasOf([middle])).toEqual([255, 0, 255]);
  });

  it('come before what is painted, in whatever order they are given', async () => {
    const spot: Stroke = { kind: 'keep', radius: 0.03, points: [[95 / 200, 35 / 150]] };
    const left = box('keep', 0.03, 0.1, 0.2, 0.26);
    expect(await alphasOf([spot, left])).toEqual([255, 255, 0]);
  });

  it('find what is too small for the network in the whole photo', async () => {
    const photo = squares(1000, 750, 2, [500, 350]);
    await expect(cutOut(photo)).rejects.toMatchObject({ code: 'NO_SUBJECT' });
    const { result } = await cutOut(photo, { strokes: [box('keep', 0.49, 0.45, 0.02, 0.03)] });
    const alphaAt = (x: number, y: number) => result.data[(y * result.width + x) * 4 + 3];
    expect([alphaAt(501, 351), alphaAt(490, 351)]).toEqual([255, 0]);
  });
});

it('a box over the area of a strength is that area', async () => {
  const area = createPlane(20, 10);
  const { data } = await paintArea(
    area,
    [box('keep', 0, 0, 1, 1), box('remove', 0, 0, 0.8, 1)],
    { width: 200, height: 100 },
    new AbortController().signal,
  );
  expect([data[5 * 20 + 4], data[5 * 20 + 18]]).toEqual([0, 1]);
});
