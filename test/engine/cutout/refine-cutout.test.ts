import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  refineCutout,
  type RefineOptions,
} from '../../../electron/engine/cutout/refine/refine-cutout.ts';
import {
  createRaster,
  createSamples,
  openRaster,
  type Samples,
} from '../../../electron/engine/raster/raster-file.ts';
import { deep, grey, photo, withAlpha, type Pixels } from '../../support/images.ts';

let folder = '';
let made = 0;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'enlarger-refine-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const maskPx = 24;
type Mask = (x: number, y: number) => number;

/** A disk of radius 0.3 in the middle, soft over two mask pixels; x and y are 0..1. */
const disk: Mask = (x, y) => {
  const beyond = (Math.hypot(x - 0.5, y - 0.5) - 0.3) * (maskPx / 2);
  return Math.min(Math.max(0.5 - beyond, 0), 1);
};

function maskFrom(value: Mask) {
  const data = Float32Array.from({ length: maskPx ** 2 }, (_, i) =>
    value(((i % maskPx) + 0.5) / maskPx, (Math.floor(i / maskPx) + 0.5) / maskPx),
  );
  return { width: maskPx, height: maskPx, data };
}

async function refined(picture: Pixels, mask: Mask, options: Partial<RefineOptions> = {}) {
  const { data, width, height, channels: bands } = picture;
  const bits = data instanceof Uint16Array ? 16 : 8;
  const whole = { x: 0, y: 0, width, height };
  made += 1;
  const output = join(folder, `output-${made}.v`);
  const source = createRaster(join(folder, `source-${made}.v`), { width, height, bands, bits });
  source.writeRect(whole, data, 0, width * bands);
  try {
    await refineCutout(
      { source, mask: maskFrom(mask), output, scratchDir: folder },
      { signal: new AbortController().signal, onProgress: () => undefined, ...options },
    );
  } finally {
    source.close();
  }
  const result = openRaster(output);
  const shape = result.shape;
  const samples = createSamples(shape, width * height * shape.bands);
  result.readRect(whole, samples, 0, width * shape.bands);
  result.close();
  return { shape, samples };
}

const alphaOf = (samples: Samples, bands: number) =>
  samples.filter((_, i) => i % bands === bands - 1);

const kinds: [string, Pixels][] = [
  ['grey', grey(photo(96, 80))],
  ['grey with alpha', withAlpha(grey(photo(96, 80)), 20)],
  ['RGB', photo(96, 80)],
  ['RGB of 16 bits', deep(photo(96, 80))],
  ['RGB with alpha', withAlpha(photo(96, 80), 20)],
];

describe('refineCutout', () => {
  it.each(kinds)('keeps depth, size and colours of %s and gives it alpha', async (_, picture) => {
    const { shape, samples } = await refined(picture, () => 1);
    const { data, channels } = picture;
    expect(shape).toMatchObject({
      width: 96,
      height: 80,
      bands: channels < 3 ? 2 : 4,
      bits: data instanceof Uint16Array ? 16 : 8,
    });
    if (channels % 2 === 0) {
      expect(samples).toEqual(Uint8Array.from(data));
      return;
    }
    const colours = samples.filter((_, i) => i % shape.bands < channels);
    expect([...colours]).toEqual([...data]);
    expect(new Set(alphaOf(samples, shape.bands))).toEqual(new Set([2 ** shape.bits - 1]));
  });

  it('makes nothing visible where the mask is nowhere', async () => {
    const { samples, shape } = await refined(photo(96, 80), () => 0);
    expect(new Set(alphaOf(samples, shape.bands))).toEqual(new Set([0]));
  });

  it('gives the same whatever is written at a time', async () => {
    const whole = await refined(photo(150, 130), disk, { stripRows: 130 });
    for (const stripRows of [1, 7, 64]) {
      expect((await refined(photo(150, 130), disk, { stripRows })).samples).toEqual(whole.samples);
    }
  });

  it('stops when it is told to', async () => {
    const stop = new AbortController();
    const onProgress = () => stop.abort(new Error('No longer wanted'));
    await expect(refined(photo(96, 80), disk, { signal: stop.signal, onProgress })).rejects.toThrow(
      'No longer wanted',
    );
  });
});
