import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bicubic } from '../../bench/quality-measures.ts';
import { chance, normal } from '../../engine/analysis/damaged-pictures.ts';
import { grey, photo, type Pixels } from '../images.ts';
import { openFeatureComparison, type FeatureComparison } from './feature-similarity.ts';
import { gradientDeviation } from './gradient-similarity.ts';
import {
  createNaturalnessFit,
  fitAsymmetricGaussian,
  naturalnessDistance,
  type NaturalnessModel,
} from './naturalness.ts';
import { croppedTo, lumaPlane } from './plane.ts';

const side = 288;
const truth = photo(side, side);

/** Every second pixel, and what bicubic interpolation makes of it. */
function soft(picture: Pixels): Pixels {
  const half = picture.width / 2;
  const data = Uint8Array.from({ length: half * half * 3 }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % half, Math.floor(i / 3 / half)];
    const around = [0, 3, picture.width * 3, picture.width * 3 + 3];
    const at = (2 * y * picture.width + 2 * x) * 3 + (i % 3);
    return Math.round(around.reduce((sum, by) => sum + picture.data[at + by]!, 0) / 4);
  });
  return bicubic({ data, width: half, height: half, channels: 3 }, 2);
}

function noisy(picture: Pixels, deviation: number): Pixels {
  const random = chance(1);
  const data = Uint8Array.from(picture.data, (value) =>
    Math.min(Math.max(Math.round(value + deviation * normal(random)), 0), 255),
  );
  return { ...picture, data };
}

it('a grey truth that is larger than the result is cropped without becoming another picture', () => {
  const large = grey(photo(40, 36));
  const { data, channels } = croppedTo(large, { width: 32, height: 30 });
  expect(channels).toBe(1);
  expect(data).toHaveLength(32 * 30);
  expect(data[29 * 32 + 31]).toBe(large.data[29 * 40 + 31]);
});

describe('gradient magnitude similarity deviation', () => {
  it('is 0 for the picture itself and grows with softness', () => {
    expect(gradientDeviation(truth, truth)).toBe(0);
    const once = gradientDeviation(soft(truth), truth);
    const twice = gradientDeviation(soft(soft(truth)), truth);
    expect(once).toBeGreaterThan(0);
    expect(twice).toBeGreaterThan(once);
  });

  it('is the number that the formula has for a step that is gone', () => {
    const width = 12;
    const step = (height: number): Pixels => ({
      data: Uint8Array.from({ length: width * 8 * 3 }, (_, i) =>
        Math.floor(i / 3) % width < 4 ? 0 : height,
      ),
      width,
      height: 8,
      channels: 3,
    });
    // Halved, two of the four inner columns see the step, 100 levels of 255 high, and two see nothing.
    const gradient = (100 * 219) / 255;
    const seen = 170 / (gradient ** 2 + 170);
    expect(gradientDeviation(step(0), step(100))).toBeCloseTo((1 - seen) / 2, 4);
  });

  it('refuses pictures of two sizes', () => {
    expect(() => gradientDeviation(photo(32, 32), photo(32, 34))).toThrow('one size');
  });
});

describe('naturalness', () => {
  it('finds shape and width of distributions that are known', () => {
    const random = chance(3);
    const gaussian = fitAsymmetricGaussian(Array.from({ length: 40_000 }, () => normal(random)));
    expect(gaussian.alpha).toBeCloseTo(2, 1);
    expect(gaussian.left).toBeCloseTo(Math.SQRT2, 1);
    expect(gaussian.mean).toBeCloseTo(0, 1);
    const laplacian = Array.from({ length: 40_000 }, () => {
      const u = random() - 0.5;
      return -Math.sign(u) * Math.log(1 - 2 * Math.abs(u)) * (u < 0 ? 1 : 2);
    });
    const uneven = fitAsymmetricGaussian(laplacian);
    expect(uneven.right / uneven.left).toBeCloseTo(2, 1);
    expect(uneven.mean).toBeGreaterThan(0.3);
  });

  it('holds noise and softness farther from photographs than photographs', () => {
    const fit = createNaturalnessFit();
    for (const width of [288, 384, 480]) fit.add(lumaPlane(photo(width, 288)));
    const model: NaturalnessModel = fit.model();
    const distance = (picture: Pixels) => naturalnessDistance(lumaPlane(picture), model);
    const own = distance(truth);
    expect(distance(soft(truth))).toBeGreaterThan(own);
    expect(distance(noisy(truth, 20))).toBeGreaterThan(own);
  });

  it('refuses a picture without room for a patch', () => {
    const model = { mean: [], covariance: [] };
    expect(() => naturalnessDistance(lumaPlane(photo(64, 64)), model)).toThrow('96');
  });
});

describe('similarity of features', () => {
  let comparison: FeatureComparison;
  beforeAll(async () => void (comparison = await openFeatureComparison()));
  afterAll(() => comparison.close());

  it('is 0 for the picture itself and grows with softness and with noise', async () => {
    expect(await comparison.distance(truth, truth)).toBeCloseTo(0, 6);
    const once = await comparison.distance(soft(truth), truth);
    expect(once).toBeGreaterThan(0.01);
    expect(await comparison.distance(soft(soft(truth)), truth)).toBeGreaterThan(once);
    expect(await comparison.distance(noisy(truth, 20), truth)).toBeGreaterThan(0.01);
  });

  it('sees all of a picture that is larger than a window', async () => {
    const large = photo(330, 326);
    const data = Uint8Array.from(large.data, (value, i) => {
      const [x, y] = [Math.floor(i / 3) % 330, Math.floor(i / 3 / 330)];
      return x >= 324 && y >= 322 ? 255 - value : value;
    });
    expect(await comparison.distance({ ...large, data }, large)).toBeGreaterThan(1e-6);
    await expect(comparison.distance(truth, large)).rejects.toThrow('one size');
  });
});
