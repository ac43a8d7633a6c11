import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRaster, openRaster } from '../../../electron/engine/raster/raster-file.ts';
import { eachStrip, mapStrips } from '../../../electron/engine/raster/strips.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const dir = temporaryFolder();

const shape = { width: 5, height: 7, bands: 3, bits: 8 } as const;
const samples = Uint8Array.from({ length: 5 * 7 * 3 }, (_, i) => i);
const { signal } = new AbortController();

function source(name: string) {
  const raster = createRaster(join(dir, name), shape);
  raster.writeRect({ x: 0, y: 0, ...shape }, samples, 0, 15);
  return raster;
}

it('strips are the rows of a part, in order, the last one shorter', async () => {
  const raster = source('each.v');
  const seen: number[][] = [];
  const told: number[] = [];
  const part = { x: 1, y: 2, width: 2, height: 5 };
  const onProgress = (done: number) => told.push(done);
  await eachStrip(raster, { part, signal, stripRows: 2, onProgress }, (strip) => {
    seen.push([strip.y, strip.rows, strip.stride, strip.samples[0]!]);
  });
  raster.close();
  expect(seen).toEqual([
    [0, 2, 6, 33],
    [2, 2, 6, 63],
    [4, 1, 6, 93],
  ]);
  expect(told).toEqual([0.4, 0.8, 1]);
});

it('a raster made strip by strip is whole, whatever the strips', async () => {
  const raster = source('map.v');
  for (const stripRows of [1, 3, 100, undefined]) {
    const path = join(dir, `made-${stripRows ?? 'usual'}.v`);
    const target = { path, shape: { bands: 1, bits: 16 } as const };
    await mapStrips(raster, target, { signal, stripRows }, (from, to) => {
      for (let i = 0; i < to.rows * to.stride; i += 1) to.samples[i] = from.samples[i * 3]! * 257;
    });
    const made = openRaster(path);
    const got = new Uint16Array(35);
    made.readRect({ x: 0, y: 0, ...made.shape }, got, 0, 5);
    made.close();
    expect([...got]).toEqual(Array.from({ length: 35 }, (_, i) => i * 3 * 257));
  }
  raster.close();
});

it('a cancelled job ends between two strips', async () => {
  const raster = source('cancelled.v');
  const controller = new AbortController();
  const strips: number[] = [];
  const reading = eachStrip(raster, { signal: controller.signal, stripRows: 1 }, ({ y }) => {
    strips.push(y);
    if (y === 2) controller.abort(new Error('no longer wanted'));
  });
  await expect(reading).rejects.toThrow('no longer wanted');
  raster.close();
  expect(strips).toEqual([0, 1, 2]);
});
