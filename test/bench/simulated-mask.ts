/**
 * Masks as a network would give them, made from the true alpha: reduced by areas to a square,
 * displaced here and there, blurred, and hardened as networks are that learnt from hard masks.
 */
import { createPlane, type Plane } from '../../electron/engine/raster/planes/plane.ts';

interface MaskFault {
  name: string;
  /** Blur, sigma in mask pixels. */
  blurPx: number;
  /** How far the edge wanders, in mask pixels. */
  wanderPx: number;
  /** Contrast around one half, after the blur. */
  contrast: number;
  /** Added before cutting to 0..1: above 0 the mask is too wide, below too narrow. */
  bias: number;
}

export const maskFaults: MaskFault[] = [
  { name: 'reduced only', blurPx: 0, wanderPx: 0, contrast: 1, bias: 0 },
  { name: 'soft', blurPx: 1, wanderPx: 0, contrast: 1, bias: 0 },
  { name: 'as a network: wide', blurPx: 1, wanderPx: 1, contrast: 1.5, bias: 0.15 },
  { name: 'as a network: narrow', blurPx: 1, wanderPx: 1, contrast: 1.5, bias: -0.15 },
];

export function simulatedMask(alpha: Plane, sidePx: number, fault: MaskFault): Plane {
  const small = reducedByArea(alpha, sidePx, sidePx);
  const moved = fault.wanderPx > 0 ? wandered(small, fault.wanderPx) : small;
  const soft = fault.blurPx > 0 ? blurred(moved, fault.blurPx) : moved;
  const data = soft.data.map((value) =>
    Math.min(Math.max((value - 0.5) * fault.contrast + 0.5 + fault.bias, 0), 1),
  );
  return fault.contrast === 1 && fault.bias === 0 ? soft : { ...soft, data };
}

/** Each pixel the mean of the part of the picture that it covers, fractions of pixels included. */
function reducedByArea(from: Plane, width: number, height: number): Plane {
  const across = createPlane(width, from.height);
  for (let y = 0; y < from.height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const read = (u: number) => from.data[y * from.width + u] as number;
      across.data[y * width + x] = meanOver(read, x, from.width / width, from.width);
    }
  }
  const to = createPlane(width, height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const read = (v: number) => across.data[v * width + x] as number;
      to.data[y * width + x] = meanOver(read, y, from.height / height, from.height);
    }
  }
  return to;
}

function meanOver(read: (at: number) => number, i: number, step: number, size: number): number {
  const start = i * step;
  const end = Math.min(start + step, size);
  let sum = 0;
  for (let at = Math.floor(start); at < end; at += 1) {
    sum += read(at) * (Math.min(at + 1, end) - Math.max(at, start));
  }
  return sum / (end - start);
}

/** Displaced by slow waves, so that the edge lies off by up to `amountPx` in every direction. */
function wandered(from: Plane, amountPx: number): Plane {
  const to = createPlane(from.width, from.height);
  for (let y = 0; y < from.height; y += 1) {
    for (let x = 0; x < from.width; x += 1) {
      const dx = amountPx * Math.sin(x / 5.3 + 1.7 * Math.sin(y / 6.1) + 0.4);
      const dy = amountPx * Math.sin(y / 4.7 + 1.3 * Math.sin(x / 7.9) + 2.1);
      to.data[y * from.width + x] = sampled(from, x + dx, y + dy);
    }
  }
  return to;
}

function sampled({ width, height, data }: Plane, x: number, y: number): number {
  const u = Math.min(Math.max(x, 0), width - 1);
  const v = Math.min(Math.max(y, 0), height - 1);
  const left = Math.floor(u);
  const top = Math.floor(v);
  const right = Math.min(left + 1, width - 1);
  const below = Math.min(top + 1, height - 1);
  const mix = (row: number) =>
    (data[row * width + left] as number) * (1 - (u - left)) +
    (data[row * width + right] as number) * (u - left);
  return mix(top) * (1 - (v - top)) + mix(below) * (v - top);
}

function blurred(from: Plane, sigma: number): Plane {
  const reach = Math.ceil(3 * sigma);
  const weights = Array.from({ length: 2 * reach + 1 }, (_, i) =>
    Math.exp(-((i - reach) ** 2) / (2 * sigma * sigma)),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const pass = (plane: Plane, dx: number, dy: number): Plane => {
    const to = createPlane(plane.width, plane.height);
    for (let y = 0; y < plane.height; y += 1) {
      for (let x = 0; x < plane.width; x += 1) {
        to.data[y * plane.width + x] = weights.reduce(
          (sum, weight, i) =>
            sum + (weight / total) * sampled(plane, x + dx * (i - reach), y + dy * (i - reach)),
          0,
        );
      }
    }
    return to;
  };
  return pass(pass(from, 1, 0), 0, 1);
}
