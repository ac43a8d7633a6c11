import type { Rect } from '../../../packages/contract/src/geometry.ts';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  alphaOf,
  reduceAlpha,
  reduceRaster,
} from '../../../electron/engine/raster/reduce-raster.ts';
import { createRaster, type Raster } from '../../../electron/engine/raster/raster-file.ts';
import { deep, photo, withAlpha, type Pixels } from '../../support/images.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const dir = temporaryFolder();

let files = 0;
function rasterOf(picture: Pixels): Raster {
  const bits = picture.data instanceof Uint16Array ? 16 : 8;
  const { channels: bands } = picture;
  const shape = { width: picture.width, height: picture.height, bands, bits } as const;
  const raster = createRaster(join(dir, `${(files += 1)}.v`), shape);
  raster.writeRect({ x: 0, y: 0, ...shape }, picture.data, 0, shape.width * bands);
  return raster;
}

const { signal } = new AbortController();

function reduced(picture: Pixels, width: number, height: number, part?: Rect) {
  const raster = rasterOf(picture);
  return reduceRaster(raster, { width, height }, signal, part).finally(() => raster.close());
}

describe('a reduced copy', () => {
  it('has the mean of what each pixel covers', async () => {
    const picture = photo(60, 40);
    const { data } = await reduced(picture, 1, 1);
    const greens = Array.from(picture.data).filter((_, i) => i % 3 === 1);
    const mean = greens.reduce((sum, value) => sum + value, 0) / greens.length;
    expect(data[1]).toBeCloseTo(mean / 255, 5);
  });

  it('of a part is that of the part alone', async () => {
    const picture = photo(60, 40);
    const part = { x: 12, y: 8, width: 30, height: 20 };
    const data = new Uint8Array(part.width * part.height * 3).map((_, i) => {
      const [x, y] = [Math.floor(i / 3) % part.width, Math.floor(i / 3 / part.width)];
      return picture.data[((part.y + y) * 60 + part.x + x) * 3 + (i % 3)] as number;
    });
    const alone = await reduced({ ...picture, ...part, data }, 7, 9);
    expect(await reduced(picture, 7, 9, part)).toEqual(alone);
  });

  it('is the same of 16 bits', async () => {
    const picture = photo(60, 40);
    const shallow = await reduced(picture, 20, 20);
    const { data } = await reduced(deep(picture), 20, 20);
    for (const [i, value] of data.entries()) expect(value).toBeCloseTo(shallow.data[i]!, 2);
  });

  it('lets hidden colours count for nothing, and is white where nothing is seen', async () => {
    const white = { ...photo(40, 10), data: new Uint8Array(1200).fill(200) };
    const { data } = await reduced(withAlpha(white, 30), 4, 1);
    expect([...data.slice(8, 12)]).toEqual([1, 1, 1, 0]);
    expect([...data.slice(12, 16)].map((value) => Math.round(value * 255))).toEqual([
      200, 200, 200, 255,
    ]);
  });

  it.each([
    ['8 bits', withAlpha(photo(61, 40), 30)],
    ['16 bits', deep(withAlpha(photo(61, 40), 30))],
    ['no alpha', photo(61, 40)],
  ])('has the same alpha when only that is read: %s', async (_, picture) => {
    const part = { x: 3, y: 2, width: 50, height: 31 };
    const raster = rasterOf(picture);
    const alpha = await reduceAlpha(raster, { width: 13, height: 7 }, signal, part);
    raster.close();
    expect(alpha).toEqual(alphaOf(await reduced(picture, 13, 7, part)));
  });

  it('stops when it is no longer wanted', async () => {
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    const picture = photo(10, 10);
    const shape = { width: 10, height: 10, bands: 3, bits: 8 } as const;
    const raster = createRaster(join(dir, 'stopped.v'), shape);
    raster.writeRect({ x: 0, y: 0, ...shape }, picture.data, 0, 30);
    const stopped = reduceRaster(raster, { width: 5, height: 5 }, controller.signal);
    await expect(stopped).rejects.toThrow('enough');
    raster.close();
  });
});
