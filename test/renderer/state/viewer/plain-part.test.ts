import { describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { createEnlargedRows } from '../../../../electron/engine/raster/enlarge-plain.ts';
import { openRaster, writeRaster } from '../../../../electron/engine/raster/raster-file.ts';
import { enlargePart, planPart } from '../../../../renderer/state/viewer/plain-part.ts';
import { photo, type Pixels } from '../../../support/images.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const dir = temporaryFolder();
const size = { width: 60, height: 40 };
const everything = { x: 0, y: 0, width: 1, height: 1 };

/** Levels of the engine's plain enlargement, by place and band. */
function byEngine({ data, width, height, channels }: Pixels, scale: number) {
  const path = join(dir, `${channels}-${scale}.v`);
  writeRaster(path, { width, height, bands: channels, bits: 8 }, data);
  const source = openRaster(path);
  const rowAt = createEnlargedRows(source, { width: width * scale, height: height * scale });
  const rows = Array.from({ length: height * scale }, (_, y) => rowAt(y).slice());
  source.close();
  return (x: number, y: number, band: number) =>
    Math.min(Math.max(rows[y]?.[x * channels + band] ?? NaN, 0), 255);
}

/** The photo's part as a canvas has it. */
function onCanvas(
  { data, width: wide, channels }: Pixels,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
) {
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let at = 0; at < width * height; at += 1) {
    const from = (y + Math.floor(at / width)) * wide + x + (at % width);
    for (let band = 0; band < channels; band += 1)
      pixels[4 * at + band] = data[from * channels + band] ?? NaN;
  }
  return { width, height, data: pixels };
}

describe('the plain enlargement of what is seen', () => {
  it.each([
    ['all of a photo', photo(60, 40), everything, 2],
    ['a part of a photo', photo(60, 40), { x: 0.31, y: 0.4, width: 0.33, height: 0.37 }, 4],
    ['a photo cut off by the frame', photo(60, 40), { ...everything, x: 0.3 }, 3],
  ])('is the one of the engine: %s', (_, picture, seen, scale) => {
    const plan = planPart(seen, size, { width: 60 * scale, height: 40 * scale }, 1)!;
    const { part, from } = plan;
    const made = enlargePart(onCanvas(picture, from), plan);
    const levelAt = byEngine(picture, scale);
    expect(made.width).toBeGreaterThanOrEqual(Math.floor(seen.width * 60 * scale * 0.69));
    let most = 0;
    for (let at = 0; at < part.width * part.height; at += 1)
      for (let band = 0; band < picture.channels; band += 1) {
        const [x, y] = [part.x + (at % part.width), part.y + Math.floor(at / part.width)];
        const level = made.data[4 * at + band] ?? NaN;
        most = Math.max(most, Math.abs(level - levelAt(x, y, band)));
      }
    expect(most).toBeLessThan(0.6);
  });

  it('has no more pixels than twice those of the screen a side, and none without need', () => {
    const enlarged = { width: 600, height: 400 };
    expect(planPart(everything, size, enlarged, 0.4)?.part.width).toBe(300);
    expect(planPart(everything, size, enlarged, 3)?.part.width).toBe(600);
    expect(planPart(everything, size, enlarged, 0.1)).toBeUndefined();
    expect(planPart(everything, size, size, 1)).toBeUndefined();
  });

  it('takes no more of the photo than the kernel reaches', () => {
    const seen = { x: 0.5, y: 0.5, width: 0.1, height: 0.1 };
    const plan = planPart(seen, size, { width: 240, height: 160 }, 1);
    expect(plan?.part).toEqual({ x: 120, y: 80, width: 24, height: 16 });
    expect(plan?.from).toEqual({ x: 28, y: 18, width: 10, height: 8 });
  });
});
