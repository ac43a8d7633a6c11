/** Where the network of clicks sees a part of the photo, and how seldom that is computed. */
import { describe, expect, it } from 'vitest';
import type { Rect } from '../../../../../packages/contract/src/geometry.ts';
import {
  strokesOf,
  type StrokePoint,
} from '../../../../../packages/contract/src/options/strokes.ts';
import { createLookCloser } from '../../../../../electron/engine/jobs/cutout/strokes/closer-look.ts';
import { createPlane } from '../../../../../electron/engine/raster/planes/plane.ts';

const photo = { width: 1000, height: 500 };
/** In hundredths of the photo's sides. */
function maskOf({ x, y, width, height }: Rect) {
  const mask = createPlane(100, 100);
  for (let row = y; row < y + height; row += 1)
    mask.data.fill(1, row * 100 + x, row * 100 + x + width);
  return mask;
}
const small = maskOf({ x: 40, y: 30, width: 20, height: 40 });
const keepAt = (x: number, y: number): StrokePoint => ({ kind: 'keep', x, y });
const removeAt = (x: number, y: number): StrokePoint => ({ kind: 'remove', x, y });

function openLooks() {
  const parts: Rect[] = [];
  const lookCloser = createLookCloser(photo, (part) => {
    parts.push(part);
    const plane = createPlane(1, 1);
    return Promise.resolve({ features: [], colours: [plane, plane, plane] });
  });
  return { parts, lookCloser };
}

describe('a closer look', () => {
  it('holds a small subject with its surroundings, in pixels of the photo', async () => {
    const look = await openLooks().lookCloser(small, []);
    expect(look?.part).toEqual({ x: 357, y: 107, width: 286, height: 286 });
  });

  it('is not taken at what fills most of the photo, nor at nothing', async () => {
    const { parts, lookCloser } = openLooks();
    expect(await lookCloser(maskOf({ x: 10, y: 10, width: 80, height: 80 }), [])).toBeUndefined();
    expect(await lookCloser(createPlane(100, 100), [])).toBeUndefined();
    expect(parts).toEqual([]);
  });

  it('is kept while it holds what strokes keep, and the latest stroke', async () => {
    const { parts, lookCloser } = openLooks();
    await lookCloser(small, []);
    await lookCloser(small, strokesOf([keepAt(0.39, 0.5)]));
    expect(parts).toHaveLength(1);
    const look = await lookCloser(small, strokesOf([keepAt(0.39, 0.5), removeAt(0.7, 0.5)]));
    expect(parts).toHaveLength(2);
    expect(look?.part).toEqual(parts[1]);
    expect((parts[1]?.x ?? 0) + (parts[1]?.width ?? 0)).toBeGreaterThan(700);
  });

  it('forgets what was removed far away, and shows the whole photo for what is kept there', async () => {
    const { lookCloser } = openLooks();
    const near = keepAt(0.5, 0.5);
    const after = await lookCloser(small, strokesOf([removeAt(0.05, 0.05), near]));
    expect(after?.part.x).toBeGreaterThan(300);
    expect(await lookCloser(small, strokesOf([keepAt(0.01, 0.01), near]))).toBeUndefined();
  });

  it('never reaches beyond the photo', async () => {
    const look = await openLooks().lookCloser(maskOf({ x: 0, y: 98, width: 2, height: 2 }), []);
    expect(look?.part).toMatchObject({ x: 0 });
    expect((look?.part.y ?? 0) + (look?.part.height ?? 0)).toBe(photo.height);
  });
});
