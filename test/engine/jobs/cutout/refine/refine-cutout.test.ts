import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  refineCutout,
  type RefineOptions,
} from '../../../../../electron/engine/jobs/cutout/refine/refine-cutout.ts';
import {
  createRaster,
  createSamples,
  openRaster,
  type Samples,
} from '../../../../../electron/engine/raster/raster-file.ts';
import { deep, grey, photo, withAlpha, type Pixels } from '../../../../support/images.ts';
import { shippedTuning } from '../../../../support/networks-masks.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

let folder = '';
let made = 0;
beforeEach(() => {
  folder = temporaryFolder();
});

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
      { source, mask: maskFrom(mask), output, tuning: shippedTuning },
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

it('takes a mask that is finer than the picture as one of its size', async () => {
  const picture = photo(maskPx / 2, maskPx / 2);
  const size = { width: maskPx / 2, height: maskPx / 2 };
  const fine = maskFrom(disk);
  const half = Float32Array.from({ length: size.width * size.height }, (_, i) => {
    const at = (i % size.width) * 2 + Math.floor(i / size.width) * 2 * maskPx;
    const four = [at, at + 1, at + maskPx, at + maskPx + 1].map((one) => fine.data[one] ?? 0);
    return four.reduce((sum, value) => sum + value, 0) / 4;
  });
  const byHalf: Mask = (x, y) =>
    half[Math.floor(y * size.height) * size.width + Math.floor(x * size.width)] ?? 0;
  const { samples } = await refined(picture, disk);
  const expected = await refined(picture, byHalf);
  expect(samples).toEqual(expected.samples);
});

const diskPx = 120;
const front = [200, 60, 40];
const ground = [40, 90, 160];

/** The true disk, soft over two pixels, before a plain ground. */
function diskBeforeGround() {
  const alpha = Float32Array.from({ length: diskPx ** 2 }, (_, i) => {
    const far = Math.hypot(
      (i % diskPx) + 0.5 - diskPx / 2,
      Math.floor(i / diskPx) + 0.5 - diskPx / 2,
    );
    return Math.min(Math.max((0.3 * diskPx - far) / 2 + 0.5, 0), 1);
  });
  const data = Uint8Array.from({ length: diskPx ** 2 * 3 }, (_, i) => {
    const a = alpha[Math.floor(i / 3)]!;
    return Math.round(a * front[i % 3]! + (1 - a) * ground[i % 3]!);
  });
  const picture: Pixels = { data, width: diskPx, height: diskPx, channels: 3 };
  return { picture, alpha };
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

  it.each([
    ['as it is', {}],
    ['on a reduced copy', { workingPixels: 3000 }],
  ])('gives the same whatever is written at a time, solved %s', async (_, options) => {
    const whole = await refined(photo(96, 80), disk, { ...options, stripRows: 80 });
    for (const stripRows of [1, 7]) {
      const strips = await refined(photo(96, 80), disk, { ...options, stripRows });
      expect(strips.samples).toEqual(whole.samples);
    }
  });

  it.each([
    ['as it is', {}, 1.5],
    ['on a reduced copy', { workingPixels: 6000 }, 4],
  ])('finds the true edge of a disk and its own colour, solved %s', async (_, options, limit) => {
    const { picture, alpha } = diskBeforeGround();
    const { samples } = await refined(picture, disk, options);
    let wrong = 0;
    let plain = 0;
    let rim = 0;
    let soft = 0;
    for (let i = 0; i < alpha.length; i += 1) {
      const a = alpha[i]!;
      const [x, y] = [((i % diskPx) + 0.5) / diskPx, (Math.floor(i / diskPx) + 0.5) / diskPx];
      wrong += Math.abs(samples[i * 4 + 3]! / 255 - a);
      plain += Math.abs(disk(x, y) - a);
      if (a < 0.2 || a > 0.9) continue;
      soft += 1;
      for (const [c, own] of front.entries()) rim += Math.abs(samples[i * 4 + c]! - own) / 3;
    }
    expect(wrong).toBeLessThan(plain * 0.1);
    expect(rim / soft).toBeLessThan(limit * 4);
  });

  it('leaves the samples beside the band as they were', async () => {
    const picture = photo(96, 80);
    const { samples } = await refined(picture, disk);
    for (let y = 0; y < 80; y += 1) {
      for (let x = 0; x < 96; x += 1) {
        const far = Math.hypot(x / 96 - 0.5, y / 80 - 0.5) - 0.3;
        if (Math.abs(far) < 0.25) continue;
        const at = y * 96 + x;
        const own = [...picture.data.subarray(at * 3, at * 3 + 3)];
        expect([...samples.subarray(at * 4, at * 4 + 4)]).toEqual([...own, far < 0 ? 255 : 0]);
      }
    }
  });

  it('gives 16-bit pictures the alpha and colours of the same in 8 bits', async () => {
    const { picture } = diskBeforeGround();
    const twice = { ...picture, data: Uint16Array.from(picture.data, (value) => value * 257) };
    const eight = await refined(picture, disk);
    const sixteen = await refined(twice, disk);
    const apart = [...eight.samples].reduce(
      (most, value, i) => Math.max(most, Math.abs(value - sixteen.samples[i]! / 257)),
      0,
    );
    expect(apart).toBeLessThan(1.01);
  });

  it('stops when it is told to', async () => {
    const stop = new AbortController();
    const onProgress = () => stop.abort(new Error('No longer wanted'));
    await expect(refined(photo(96, 80), disk, { signal: stop.signal, onProgress })).rejects.toThrow(
      'No longer wanted',
    );
  });
});
