/**
 * The method that was not kept: the mask through a guided filter with the photo's colours as the
 * guide (He, Sun and Tang 2013), at the picture's own size.
 */
import {
  createPlane,
  type Colours,
  type Plane,
} from '../../electron/engine/raster/planes/plane.ts';

/** `mask` is the size of the colours, `radius` in pixels, `epsilon` a variance of colours 0..1. */
export function guidedMask(colours: Colours, mask: Plane, radius: number, epsilon: number): Plane {
  const mean = (plane: Plane) => boxMean(plane, radius);
  const means = [...colours, mask].map(mean);
  const pairs = [0, 1, 2].flatMap((i) => [0, 1, 2].filter((k) => k >= i).map((k) => [i, k]));
  const squares = pairs.map(([i = 0, k = 0]) => mean(product(colours[i]!, colours[k]!)));
  const crosses = colours.map((plane) => mean(product(plane, mask)));
  const fits = Array.from({ length: 4 }, () => createPlane(mask.width, mask.height));
  for (let at = 0; at < mask.data.length; at += 1) {
    const m = means.map((plane) => plane.data[at]!);
    const [rr, rg, rb, gg, gb, bb] = squares.map((plane, n) => {
      const [i = 0, k = 0] = pairs[n]!;
      return plane.data[at]! - m[i]! * m[k]! + (i === k ? epsilon : 0);
    }) as [number, number, number, number, number, number];
    const with_ = crosses.map((plane, i) => plane.data[at]! - m[i]! * m[3]!);
    const inverse = [
      [gg * bb - gb * gb, gb * rb - rg * bb, rg * gb - gg * rb],
      [gb * rb - rg * bb, rr * bb - rb * rb, rb * rg - rr * gb],
      [rg * gb - gg * rb, rb * rg - rr * gb, rr * gg - rg * rg],
    ];
    const scale = 1 / (rr * inverse[0]![0]! + rg * inverse[0]![1]! + rb * inverse[0]![2]!);
    let bias = m[3]!;
    for (const [i, row] of inverse.entries()) {
      const slope = row.reduce((sum, value, k) => sum + value * with_[k]!, 0) * scale;
      fits[i]!.data[at] = slope;
      bias -= slope * m[i]!;
    }
    fits[3]!.data[at] = bias;
  }
  const smooth = fits.map(mean);
  const alpha = createPlane(mask.width, mask.height);
  for (let at = 0; at < alpha.data.length; at += 1) {
    const value = colours.reduce(
      (sum, plane, i) => sum + smooth[i]!.data[at]! * plane.data[at]!,
      smooth[3]!.data[at]!,
    );
    alpha.data[at] = Math.min(Math.max(value, 0), 1);
  }
  return alpha;
}

function product(one: Plane, other: Plane): Plane {
  return { ...one, data: one.data.map((value, i) => value * other.data[i]!) };
}

/** The mean of the pixels within `radius` that lie inside, across and then down. */
function boxMean(from: Plane, radius: number): Plane {
  const across = lineMeans(from, radius, 1, from.width, from.width, from.height);
  return lineMeans(across, radius, from.width, 1, from.height, from.width);
}

function lineMeans(
  from: Plane,
  radius: number,
  step: number,
  lineStep: number,
  length: number,
  lines: number,
): Plane {
  const to = createPlane(from.width, from.height);
  for (let line = 0; line < lines; line += 1) {
    const start = line * lineStep;
    let sum = 0;
    for (let i = -radius; i < length; i += 1) {
      if (i + radius < length) sum += from.data[start + (i + radius) * step]!;
      if (i - radius - 1 >= 0) sum -= from.data[start + (i - radius - 1) * step]!;
      if (i < 0) continue;
      const count = Math.min(i + radius, length - 1) - Math.max(i - radius, 0) + 1;
      to.data[start + i * step] = sum / count;
    }
  }
  return to;
}
