/**
 * NIQE (Mittal, Soundararajan and Bovik 2013): how far the statistics of a picture's local contrast lie from those
 * of sharp photographs. It needs no truth. The model is fitted to the photographs at hand, so its figures
 * compare with each other only, not with published ones.
 */
import { convolved, halved, meanOf, planeOf, type Plane } from './plane.ts';

const patchPx = 96;
/** Patches of a photograph with at least this share of its sharpest patch's contrast are fitted. */
const sharpShare = 0.75;
/** 7 taps of a Gaussian with a standard deviation of 7/6. */
const gaussian = normalised(
  [-3, -2, -1, 0, 1, 2, 3].map((x) => Math.exp(-0.5 * (x / (7 / 6)) ** 2)),
);
const neighbours = [
  [1, 0],
  [0, 1],
  [1, 1],
  [-1, 1],
] as const;

export interface NaturalnessModel {
  mean: number[];
  /** Row-major. */
  covariance: number[][];
}

function normalised(values: number[]): number[] {
  const sum = values.reduce((total, value) => total + value, 0);
  return values.map((value) => value / sum);
}

interface Contrast {
  /** Luma less its local mean, divided by its local deviation and 1. */
  normal: Plane;
  deviation: Plane;
}

function localContrast(luma: Plane): Contrast {
  const mean = convolved(luma, gaussian);
  const squares = convolved({ ...luma, data: luma.data.map((value) => value * value) }, gaussian);
  const deviation = {
    ...luma,
    data: squares.data.map((value, i) => Math.sqrt(Math.abs(value - mean.data[i]! ** 2))),
  };
  const data = luma.data.map((value, i) => (value - mean.data[i]!) / (deviation.data[i]! + 1));
  return { normal: { ...luma, data }, deviation };
}

export interface AsymmetricGaussian {
  /** Shape: 2 for a Gaussian, 1 for a Laplacian distribution. */
  alpha: number;
  left: number;
  right: number;
  mean: number;
}

/** Lanczos' approximation (g = 7), for positive numbers. */
function gamma(x: number): number {
  if (x < 0.5) return Math.PI / (Math.sin(Math.PI * x) * gamma(1 - x));
  const terms = [
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406,
    12.507343278686905, -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  const z = x - 1;
  const sum = terms.reduce((total, term, i) => total + term / (z + i + 1), 0.9999999999998099);
  const t = z + 7.5;
  return Math.sqrt(2 * Math.PI) * t ** (z + 0.5) * Math.exp(-t) * sum;
}

/** The shapes that are tried, and the ratio of moments that each has. */
const shapes = Array.from({ length: 9801 }, (_, i) => {
  const alpha = 0.2 + i / 1000;
  return { alpha, ratio: gamma(2 / alpha) ** 2 / (gamma(1 / alpha) * gamma(3 / alpha)) };
});

/** The shape whose ratio is nearest; ratios grow with the shape. */
function shapeOf(ratio: number): number {
  let low = 0;
  let high = shapes.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (shapes[middle]!.ratio < ratio) low = middle;
    else high = middle;
  }
  const [a, b] = [shapes[low]!, shapes[high]!];
  return Math.abs(a.ratio - ratio) < Math.abs(b.ratio - ratio) ? a.alpha : b.alpha;
}

/** Fits an asymmetric generalised Gaussian by its moments (Lasmar, Stitou and Berthoumieu 2009). */
export function fitAsymmetricGaussian(values: ArrayLike<number>): AsymmetricGaussian {
  const sums = { left: 0, right: 0, magnitude: 0 };
  const counts = { left: 0, right: 0 };
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i]!;
    const side = value < 0 ? 'left' : 'right';
    sums[side] += value * value;
    counts[side] += 1;
    sums.magnitude += Math.abs(value);
  }
  const least = 1e-12;
  const left = Math.sqrt(sums.left / Math.max(counts.left, 1)) + least;
  const right = Math.sqrt(sums.right / Math.max(counts.right, 1)) + least;
  const square = (sums.left + sums.right) / values.length + least;
  const g = left / right;
  const ratio = (sums.magnitude / values.length) ** 2 / square;
  const alpha = shapeOf((ratio * (g ** 3 + 1) * (g + 1)) / (g ** 2 + 1) ** 2);
  const width = Math.sqrt(gamma(1 / alpha) / gamma(3 / alpha));
  const mean = ((right - left) * width * gamma(2 / alpha)) / gamma(1 / alpha);
  return { alpha, left: left * width, right: right * width, mean };
}

/** The 18 features of a square of `side` samples at `left`, `top`. */
function featuresAt({ normal }: Contrast, left: number, top: number, side: number): number[] {
  const patch = planeOf(
    { width: side, height: side },
    (x, y) => normal.data[(top + y) * normal.width + left + x]!,
  );
  const own = fitAsymmetricGaussian(patch.data);
  const features = [own.alpha, (own.left + own.right) / 2];
  for (const [dx, dy] of neighbours) {
    const products = patch.data.map((value, i) => {
      const [x, y] = [(i + dx + side) % side, Math.floor(i / side) + dy];
      return value * patch.data[(y % side) * side + x]!;
    });
    const { alpha, mean, left: l, right: r } = fitAsymmetricGaussian(products);
    features.push(alpha, mean, l, r);
  }
  return features;
}

interface Patch {
  features: number[];
  sharpness: number;
}

/** The 36 features of each patch: 18 at full size, 18 at half. */
function patchesOf(luma: Plane): Patch[] {
  const whole = localContrast(luma);
  const half = localContrast(halved(luma));
  const patches: Patch[] = [];
  for (let top = 0; top + patchPx <= luma.height; top += patchPx)
    for (let left = 0; left + patchPx <= luma.width; left += patchPx) {
      const features = [
        ...featuresAt(whole, left, top, patchPx),
        ...featuresAt(half, left / 2, top / 2, patchPx / 2),
      ];
      const inside = planeOf(
        { width: patchPx, height: patchPx },
        (x, y) => whole.deviation.data[(top + y) * luma.width + left + x]!,
      );
      patches.push({ features, sharpness: meanOf(inside.data) });
    }
  return patches;
}

function statisticsOf(rows: readonly (readonly number[])[]): NaturalnessModel {
  const count = rows[0]?.length ?? 0;
  const mean = Array.from({ length: count }, (_, i) => meanOf(rows.map((row) => row[i]!)));
  const covariance = mean.map((_, i) =>
    mean.map((__, j) => {
      const sum = rows.reduce((s, row) => s + (row[i]! - mean[i]!) * (row[j]! - mean[j]!), 0);
      return sum / Math.max(rows.length - 1, 1);
    }),
  );
  return { mean, covariance };
}

/** Collects the sharp patches of photographs, one photograph at a time. */
export function createNaturalnessFit() {
  const rows: number[][] = [];
  return {
    add(luma: Plane): void {
      const patches = patchesOf(luma);
      const sharpest = Math.max(...patches.map(({ sharpness }) => sharpness));
      const sharp = patches.filter(({ sharpness }) => sharpness >= sharpShare * sharpest);
      rows.push(...sharp.map(({ features }) => features));
    },
    model: (): NaturalnessModel => statisticsOf(rows),
  };
}

/** Keeps the mean covariance of few patches invertible. */
const ridge = 1e-6;

/** Solves a x = b for a symmetric positive matrix by Cholesky's decomposition. */
function solve(a: readonly (readonly number[])[], b: readonly number[]): number[] {
  const size = b.length;
  const lower = a.map(() => new Array<number>(size).fill(0));
  for (let i = 0; i < size; i += 1)
    for (let j = 0; j <= i; j += 1) {
      let sum = a[i]![j]! + (i === j ? ridge : 0);
      for (let k = 0; k < j; k += 1) sum -= lower[i]![k]! * lower[j]![k]!;
      lower[i]![j] = i === j ? Math.sqrt(sum) : sum / lower[j]![j]!;
    }
  const forward: number[] = [];
  for (let i = 0; i < size; i += 1) {
    const known = forward.reduce((sum, value, k) => sum + lower[i]![k]! * value, 0);
    forward.push((b[i]! - known) / lower[i]![i]!);
  }
  const result = new Array<number>(size).fill(0);
  for (let i = size - 1; i >= 0; i -= 1) {
    let sum = forward[i]!;
    for (let k = i + 1; k < size; k += 1) sum -= lower[k]![i]! * result[k]!;
    result[i] = sum / lower[i]![i]!;
  }
  return result;
}

/**
 * Distance of a picture from the model; sharp photographs have about 3, worse pictures more.
 *
 * @throws Error if the picture has no room for a patch of 96 x 96
 */
export function naturalnessDistance(luma: Plane, model: NaturalnessModel): number {
  const patches = patchesOf(luma);
  if (patches.length === 0) throw new Error(`Expected at least ${patchPx} x ${patchPx} pixels`);
  const own = statisticsOf(patches.map(({ features }) => features));
  const apart = own.mean.map((value, i) => value - model.mean[i]!);
  const between = own.covariance.map((row, i) =>
    row.map((value, j) => (value + model.covariance[i]![j]!) / 2),
  );
  const solved = solve(between, apart);
  return Math.sqrt(apart.reduce((sum, value, i) => sum + value * solved[i]!, 0));
}
