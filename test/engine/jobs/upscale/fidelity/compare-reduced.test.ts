import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRaster } from '../../../../../electron/engine/raster/raster-file.ts';
import {
  compareWithSource,
  projectOnSource,
} from '../../../../../electron/engine/jobs/upscale/fidelity/back-projection.ts';
import { viewChanges } from '../../../../../electron/engine/views/views.ts';
import { sharedTestEngine } from '../../../../support/engine.ts';
import { deep, photo, readPixels, type Pixels } from '../../../../support/images.ts';
import { embeddedNetwork } from '../../../../support/networks.ts';
import { repeated } from '../../../../support/pixels.ts';
import { scene } from '../../../analysis/damaged-pictures.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const dir = temporaryFolder();
const options = { signal: new AbortController().signal };

let files = 0;
function rasterOf({ data, width, height, channels }: Pixels): string {
  const path = join(dir, `${(files += 1)}.v`);
  const bits = data instanceof Uint16Array ? 16 : 8;
  const raster = createRaster(path, { width, height, bands: channels, bits });
  raster.writeRect({ x: 0, y: 0, width, height }, data, 0, width * channels);
  raster.close();
  return path;
}

const projectionOf = (source: Pixels, result: Pixels) => ({
  path: rasterOf(result),
  sourcePath: rasterOf(source),
  scratchDir: dir,
});

/** Ground that reducing gives back as it was. */
const ground = (width: number, height: number): Pixels => ({
  ...photo(width, height),
  data: Uint8Array.from({ length: width * height * 3 }, (_, i) => 90 + ((i / 3) % width) / 4),
});

const shapes: Record<string, string[]> = {
  letter: ['X...X', '.X.X.', '..X..', '.X.X.', 'X...X'],
  eye: ['.XXX.', 'X...X', 'X.X.X', 'X...X', '.XXX.'],
  star: ['..X..', 'XXXXX', '.XXX.', 'XX.XX', 'X...X'],
};

function planted(picture: Pixels, shape: string[], left: number, top: number, by: number): Pixels {
  const data = picture.data.slice();
  for (const [y, line] of shape.entries())
    for (let x = 0; x < line.length; x += 1)
      if (line[x] === 'X')
        for (let c = 0; c < 3; c += 1) {
          const at = ((top + y) * picture.width + left + x) * 3 + c;
          data[at] = Math.max(0, (data[at] ?? 0) - by);
        }
  return { ...picture, data };
}

describe('what a network changed', () => {
  it('is nothing of a picture that was only repeated on even ground', async () => {
    const source = ground(120, 80);
    const { changed } = await compareWithSource(projectionOf(source, repeated(source, 2)), options);
    expect(changed).toMatchObject({ share: 0 });
    expect(changed.largest).toBeLessThanOrEqual(1);
  });

  it.each(Object.entries(shapes))('finds a planted %s, and where it is', async (_, shape) => {
    const source = ground(120, 80);
    const result = planted(repeated(source, 2), shape, 140, 60, 60);
    const { changed, map } = await compareWithSource(projectionOf(source, result), options);
    expect(changed.largest).toBeGreaterThan(15);
    expect(changed.share).toBeGreaterThan(0);
    const most = map.levels.indexOf(Math.max(...map.levels));
    expect(Math.abs((most % map.width) - 71)).toBeLessThanOrEqual(3);
    expect(Math.abs(Math.floor(most / map.width) - 31)).toBeLessThanOrEqual(3);
    expect(map.levels.filter((level) => level > 2).length).toBeLessThan(60);
  });

  it('is made a map of at most 1,024 cells a side', async () => {
    const source = ground(2100, 3);
    const { map } = await compareWithSource(projectionOf(source, source), options);
    expect([map.width, map.height]).toEqual([700, 1]);
  });
});

describe('what is planted behind the network that ships', () => {
  const engine = sharedTestEngine();
  afterAll(() => engine.close());
  const source = scene(5, 200);
  const changesPath = join(dir, 'changes.png');
  let enlarged: Pixels;
  beforeAll(async () => {
    const sourcePath = await engine.saved(source);
    const { outputPath } = await engine.run({ sourcePath, passes: [embeddedNetwork(2)] });
    enlarged = await readPixels(outputPath);
  });
  const overlayOf = async (result: Pixels) => {
    const { map } = await compareWithSource(projectionOf(source, result), options);
    await viewChanges({ changesPath }, map);
    const { data, width, channels } = await readPixels(changesPath);
    const levels = Array.from({ length: data.length / channels }, (_, i) => data[i * channels]!);
    return { levels, width };
  };

  // The places are on soft ground, beside hard edges, and in the strip of fine texture.
  const places = [
    [60, 80],
    [150, 210],
    [340, 120],
  ] as const;
  const cases = Object.entries(shapes).flatMap(([name, shape]) =>
    places.map(([x, y]) => [name, x, y, shape] as const),
  );

  it.each(cases)('is found as a place in the overlay: a %s at %i, %i', async (_, x, y, shape) => {
    const before = await overlayOf(enlarged);
    const { levels, width } = await overlayOf(planted(enlarged, shape, x, y, 60));
    const grown = levels.map((level, i) => level - before.levels[i]!);
    const most = grown.indexOf(Math.max(...grown));
    expect(levels.filter((level) => level > levels[most]!).length).toBeLessThan(5);
    expect(Math.abs((most % width) - (x + 2.5) / 2)).toBeLessThanOrEqual(3);
    expect(Math.abs(Math.floor(most / width) - (y + 2.5) / 2)).toBeLessThanOrEqual(3);
  });
});

describe('keeping faithful', () => {
  it.each([
    ['8 bits at 2x', photo(90, 70), 2],
    ['16 bits at 2x', deep(photo(90, 70)), 2],
    ['8 bits at 4x', photo(50, 40), 4],
  ])('brings a result of %s back to within a level', async (_, source, scale) => {
    const by = source.data instanceof Uint16Array ? 40 * 257 : 40;
    const result = planted(repeated(source, scale), shapes['eye'] ?? [], 40, 30, by);
    const projection = projectionOf(source, result);
    const before = await compareWithSource(projection, options);
    expect(before.changed.largest).toBeGreaterThan(4);
    const after = await projectOnSource(projection, options);
    expect(after.changed.largest).toBeLessThanOrEqual(1);
    expect(after.changed.share).toBe(0);
  });
});
