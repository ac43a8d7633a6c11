/** Strokes that choose things, by a network whose answers are known. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Stroke } from '../../../../../packages/contract/src/options/strokes.ts';
import { hintsOf } from '../../../../../electron/engine/jobs/cutout/strokes/choose-by-clicks.ts';
import { mergeCorrection } from '../../../../../electron/engine/jobs/preview/live-mask.ts';
import type { Plane } from '../../../../../electron/engine/raster/planes/plane.ts';
import { openCutouts } from '../../../../support/cutouts.ts';
import type { Pixels } from '../../../../support/images.ts';
import { clickableNetwork } from '../../../../support/networks-masks.ts';

const px = 80;
const flat = (value: number, side = px): Plane => ({
  width: side,
  height: side,
  data: new Float32Array(side * side).fill(value),
});
const at = (kind: Stroke['kind'], x: number, y: number, hardness?: number): Stroke => ({
  kind,
  radius: 0.02,
  selects: 'object',
  points: [[x, y]],
  ...(hardness !== undefined && { hardness }),
});

describe('hints of strokes', () => {
  const plane = (hints: Float32Array, of: number) =>
    hints.subarray(of * px * px, (of + 1) * px * px);

  it("are the mask, and lines of the training's width along their middle", () => {
    const wide = { ...at('keep', 0.5, 0.5), radius: 0.2 };
    const hints = hintsOf(flat(0.25), [wide], 0.05);
    expect([...new Set(plane(hints, 0))]).toEqual([0.25]);
    const covered = plane(hints, 1).reduce((sum, value) => sum + value, 0);
    // A disc of a radius of 4 pixels.
    expect(covered).toBeGreaterThan(44);
    expect(covered).toBeLessThan(58);
    expect(plane(hints, 1)[40 * px + 40]).toBe(1);
    expect(plane(hints, 2).every((value) => value === 0)).toBe(true);
  });

  it('are those of the later stroke where two cross', () => {
    const hints = hintsOf(flat(0), [at('keep', 0.5, 0.5), at('remove', 0.5, 0.5)], 0.05);
    expect(plane(hints, 1).every((value) => value === 0)).toBe(true);
    expect(plane(hints, 2)[40 * px + 40]).toBe(1);
  });

  it('leave out what is beside the photo', () => {
    const hints = hintsOf(flat(0), [at('keep', -0.5, 0.5)], 0.05);
    expect(hints.every((value) => value === 0)).toBe(true);
  });
});

describe('a correction of a finished mask', () => {
  const leftBy = (side: number, value: number, columns: number) => {
    const plane = flat(value, side);
    for (let y = 0; y < side; y += 1) plane.data.fill(1, y * side, y * side + columns);
    return plane;
  };

  it('takes what is decided differently, and leaves fine alpha alone elsewhere', () => {
    const { data } = mergeCorrection(flat(0.3, 40), leftBy(20, 0.4, 6), flat(0.1, 30), false);
    expect([data[20 * 40 + 4], data[20 * 40 + 30]]).toEqual([1, expect.closeTo(0.3)]);
  });

  it('decides what the network is unsure of, as refining does, but leaves true alpha as it is', () => {
    const merged = (level: number, isAlpha: boolean) =>
      mergeCorrection(flat(0, 40), flat(level, 20), flat(0.1, 20), isAlpha).data[0];
    expect(merged(0.65, false)).toBe(1);
    expect(merged(0.65, true)).toBeCloseTo(0.65);
  });

  it('leaves alone what was painted on the finished one and no stroke since has changed', () => {
    const { data } = mergeCorrection(flat(0, 40), leftBy(20, 0, 6), leftBy(20, 0, 6), false);
    expect(Math.max(...data)).toBe(0);
  });
});

/** Black, with a grey square on the left and a white one on the right. */
function twoThings(): Pixels {
  const [width, height] = [120, 80];
  const data = new Uint8Array(width * height * 3);
  const fill = (left: number, level: number) => {
    for (let y = 20; y < 60; y += 1)
      data.fill(level, (y * width + left) * 3, (y * width + left + 40) * 3);
  };
  fill(10, 100);
  fill(70, 255);
  return { width, height, channels: 3, data };
}
const brush = (kind: Stroke['kind'], x: number, y: number): Stroke => ({
  kind,
  radius: 0.05,
  points: [[x, y]],
});
const grey = [30, 40] as const;
const white = [90, 40] as const;
const black = [60, 10] as const;

describe('strokes over a network that takes clicks', () => {
  const { engine, cutOut } = openCutouts();
  const network = clickableNetwork(join(engine.dir, 'clickable'), { width: 60, height: 40 });
  async function alphaAt(strokes: Stroke[], ...places: (readonly [number, number])[]) {
    const { result } = await cutOut(twoThings(), { network, strokes });
    return places.map(([x, y]) => result.data[(y * result.width + x) * 4 + 3]);
  }

  it("finds what the mask's own network finds without any", async () => {
    expect(await alphaAt([], grey, white, black)).toEqual([0, 255, 0]);
  });

  it('keeps the whole thing that a point is on', async () => {
    const point = at('keep', 14 / 120, 24 / 80);
    expect(await alphaAt([point], grey, [46, 56], white, black)).toEqual([255, 255, 255, 0]);
  });

  it('removes the whole thing that a point is on', async () => {
    const points = [at('keep', 14 / 120, 24 / 80), at('remove', 75 / 120, 24 / 80)];
    expect(await alphaAt(points, grey, white, [106, 56])).toEqual([255, 0, 0]);
  });

  it('lets what was painted have the last word', async () => {
    const points = [at('keep', 14 / 120, 24 / 80), brush('remove', 0.25, 0.5)];
    expect(await alphaAt(points, grey, [14, 24])).toEqual([0, 255]);
  });

  it('leaves what a brush is led over to the brush', async () => {
    expect(await alphaAt([brush('keep', 0.25, 0.5)], grey, [12, 22], white)).toEqual([255, 0, 255]);
  });

  it('does not ask it about hard strokes, which cover a spot', async () => {
    const spot = at('keep', 14 / 120, 24 / 80, 100);
    expect(await alphaAt([spot], [14, 24], grey, white)).toEqual([255, 0, 255]);
  });
});
