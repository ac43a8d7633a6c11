/**
 * The guided filter with a colour guide (He, Sun, Tang 2013) as linear coefficients: inside each
 * window the alpha is a linear function of the guide's colours. The coefficients are computed on
 * the working copy and used with the full picture's colours (fast guided filter, He & Sun 2015).
 */
import { boxMean } from './box-mean.ts';
import type { Breathe } from './breathe.ts';
import { createPlane, type Plane } from './plane.ts';

/** alpha = red * R + green * G + blue * B + bias */
export interface Coefficients {
  red: Plane;
  green: Plane;
  blue: Plane;
  bias: Plane;
}

type Colours = readonly [Plane, Plane, Plane];

export async function guidedCoefficients(
  colours: Colours,
  mask: Plane,
  radius: number,
  epsilon: number,
  breathe: Breathe,
): Promise<Coefficients> {
  const planes: Plane[] = [];
  const [r, g, b] = colours;
  const products: [Plane, Plane][] = [
    [r, r],
    [r, g],
    [r, b],
    [g, g],
    [g, b],
    [b, b],
    [r, mask],
    [g, mask],
    [b, mask],
  ];
  for (const plane of [r, g, b, mask]) {
    planes.push(boxMean(plane, radius));
    await breathe();
  }
  for (const [one, other] of products) {
    planes.push(boxMean(product(one, other), radius));
    await breathe();
  }
  const raw = solveWindows(planes, epsilon);
  await breathe();
  const smooth: Plane[] = [];
  for (const plane of raw) {
    smooth.push(boxMean(plane, radius));
    await breathe();
  }
  const [red, green, blue, bias] = smooth as [Plane, Plane, Plane, Plane];
  return { red, green, blue, bias };
}

function product(one: Plane, other: Plane): Plane {
  const to = createPlane(one.width, one.height);
  for (let i = 0; i < to.data.length; i += 1) {
    to.data[i] = (one.data[i] as number) * (other.data[i] as number);
  }
  return to;
}

/** Each window's (covariance + epsilon)^-1 * covariance with the mask, by the adjugate. */
function solveWindows(means: Plane[], epsilon: number): [Plane, Plane, Plane, Plane] {
  const [first] = means as [Plane];
  const out = Array.from({ length: 4 }, () => createPlane(first.width, first.height));
  const m = means.map((plane) => plane.data);
  const [red, green, blue, bias] = out.map((plane) => plane.data) as Float32Array[];
  for (let i = 0; i < first.data.length; i += 1) {
    const mean = (k: number) => (m[k] as Float32Array)[i] as number;
    const r = mean(0);
    const g = mean(1);
    const b = mean(2);
    const p = mean(3);
    const rr = mean(4) - r * r + epsilon;
    const rg = mean(5) - r * g;
    const rb = mean(6) - r * b;
    const gg = mean(7) - g * g + epsilon;
    const gb = mean(8) - g * b;
    const bb = mean(9) - b * b + epsilon;
    const pr = mean(10) - r * p;
    const pg = mean(11) - g * p;
    const pb = mean(12) - b * p;
    const c0 = gg * bb - gb * gb;
    const c1 = gb * rb - rg * bb;
    const c2 = rg * gb - gg * rb;
    const c4 = rr * bb - rb * rb;
    const c5 = rb * rg - rr * gb;
    const c8 = rr * gg - rg * rg;
    const scale = 1 / (rr * c0 + rg * c1 + rb * c2);
    const ar = (c0 * pr + c1 * pg + c2 * pb) * scale;
    const ag = (c1 * pr + c4 * pg + c5 * pb) * scale;
    const ab = (c2 * pr + c5 * pg + c8 * pb) * scale;
    (red as Float32Array)[i] = ar;
    (green as Float32Array)[i] = ag;
    (blue as Float32Array)[i] = ab;
    (bias as Float32Array)[i] = p - ar * r - ag * g - ab * b;
  }
  return out as [Plane, Plane, Plane, Plane];
}
