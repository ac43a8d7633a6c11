import fc from 'fast-check';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createRaster,
  createSamples,
  openRaster,
  rasterBytes,
  type RasterShape,
} from '../../../electron/engine/raster/raster-file.ts';
import { coordinateInside, readWindow } from '../../../electron/engine/raster/raster-window.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let dir: string;
beforeAll(() => {
  dir = temporaryFolder();
});

let files = 0;
/** Makes a raster in which every sample is another number, as far as the bits allow. */
function counted(shape: RasterShape) {
  const path = join(dir, `raster-${(files += 1)}.v`);
  const data = createSamples(shape, shape.width * shape.height * shape.bands);
  for (let i = 0; i < data.length; i += 1) data[i] = i;
  const raster = createRaster(path, shape);
  raster.writeRect({ x: 0, y: 0, ...shape }, data, 0, shape.width * shape.bands);
  return { path, data, raster };
}

const shapes = fc.record({
  width: fc.integer({ min: 1, max: 20 }),
  height: fc.integer({ min: 1, max: 20 }),
  bands: fc.integer({ min: 1, max: 4 }),
  bits: fc.constantFrom(8 as const, 16 as const),
});

describe('readWindow', () => {
  it('gives the sample that stands at each folded coordinate', () => {
    const windows = fc.record({
      x: fc.integer({ min: -30, max: 30 }),
      y: fc.integer({ min: -30, max: 30 }),
      width: fc.integer({ min: 1, max: 40 }),
      height: fc.integer({ min: 1, max: 40 }),
    });
    const paddings = fc.constantFrom('replicate' as const, 'reflect' as const);
    fc.assert(
      fc.property(shapes, windows, paddings, (shape, window, padding) => {
        const { raster, data } = counted(shape);
        const into = createSamples(shape, window.width * window.height * shape.bands);
        readWindow(raster, window, padding, into, (length) => createSamples(shape, length));
        raster.close();
        for (let i = 0; i < into.length; i += 1) {
          const pixel = Math.floor(i / shape.bands);
          const x = coordinateInside(window.x + (pixel % window.width), shape.width, padding);
          const y = coordinateInside(
            window.y + Math.floor(pixel / window.width),
            shape.height,
            padding,
          );
          const at = (y * shape.width + x) * shape.bands + (i % shape.bands);
          if (into[i] !== data[at]) throw new Error(`Sample ${i} is ${into[i]}, not ${data[at]}`);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('reflects without repeating the border, and replicates by repeating it', () => {
    const at = [-3, -2, -1, 0, 3, 4, 5];
    expect(at.map((x) => coordinateInside(x, 4, 'reflect'))).toEqual([3, 2, 1, 0, 3, 2, 1]);
    expect(at.map((x) => coordinateInside(x, 4, 'replicate'))).toEqual([0, 0, 0, 0, 3, 3, 3]);
    expect(coordinateInside(-7, 1, 'reflect')).toBe(0);
  });
});

describe('a raster file', () => {
  it('is read by libvips with the same shape and numbers', async () => {
    for (const bands of [1, 3, 4]) {
      for (const bits of [8, 16] as const) {
        const { path, data, raster } = counted({ width: 7, height: 5, bands, bits });
        raster.close();
        const depth = bits === 8 ? 'uchar' : 'ushort';
        const space = { 8: ['b-w', 'srgb'], 16: ['grey16', 'rgb16'] }[bits][bands < 3 ? 0 : 1]!;
        const { data: read, info } = await sharp(path, { ignoreIcc: true })
          .toColourspace(space)
          .raw({ depth })
          .toBuffer({ resolveWithObject: true });
        expect([info.width, info.height, info.channels]).toEqual([7, 5, bands]);
        const numbers =
          bits === 8 ? read : new Uint16Array(read.buffer, read.byteOffset, 35 * bands);
        expect([...numbers]).toEqual([...data]);
      }
    }
  });

  it('writes a rectangle where it belongs and nowhere else', () => {
    const shape = { width: 9, height: 6, bands: 3, bits: 8 as const };
    const { path, data, raster } = counted(shape);
    const patch = new Uint8Array(2 * 3 * 3).fill(255);
    raster.writeRect({ x: 4, y: 1, width: 2, height: 3 }, patch, 0, 6);
    raster.close();
    const again = openRaster(path);
    const read = createSamples(shape, data.length);
    again.readRect({ x: 0, y: 0, ...shape }, read, 0, 27);
    again.close();
    const changed = [...read].flatMap((value, i) => (value === data[i] ? [] : [i]));
    expect(changed).toHaveLength(18);
    expect(changed[0]).toBe(9 * 3 + 4 * 3);
  });

  it('is refused when it is shorter than its header says, or is none', () => {
    const { path, raster } = counted({ width: 4, height: 4, bands: 3, bits: 8 });
    raster.close();
    expect(rasterBytes({ width: 4, height: 4, bands: 3, bits: 8 })).toBe(64 + 48);
    expect(() => openRaster(join(dir, 'none.v'))).toThrow();
    expect(() => createRaster(path, { width: 1, height: 1, bands: 3, bits: 8 })).toThrow('EEXIST');
  });
});
