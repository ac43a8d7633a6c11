/**
 * What the mask is sure of. Decided on the mask's own pixels: its edge lies within a few of them,
 * however large the picture is.
 */
import { resample, tapsOf, type Plane } from './plane.ts';

export interface Trimap {
  width: number;
  height: number;
  /** 1 where the alpha must be solved, 0 where it is that of `sure`. */
  unknown: Uint8Array;
  /** 0 or 1 where known; in the unknown band the mask, enlarged bilinearly. */
  sure: Plane;
}

/** Below and above these the mask is sure by itself. */
const outsideBelow = 0.06;
const insideAbove = 0.94;
/** How far beside the mask's edge the true one may lie, in mask pixels. */
const reachPx = 2;

/** The trimap at `width` x `height`, of which each pixel belongs to the mask's stretched over them. */
export function trimapOf(mask: Plane, width: number, height: number): Trimap {
  const soft = softPixels(mask);
  const sure = resample(mask, width, height);
  const unknown = new Uint8Array(width * height);
  const xs = tapsOf(width, mask.width, mask.width / width);
  const ys = tapsOf(height, mask.height, mask.height / height);
  for (let y = 0; y < height; y += 1) {
    const low = (ys.low[y] as number) * mask.width;
    const high = (ys.high[y] as number) * mask.width;
    for (let x = 0; x < width; x += 1) {
      const left = xs.low[x] as number;
      const right = xs.high[x] as number;
      const at = y * width + x;
      const isSoft =
        (soft[low + left] as number) +
          (soft[low + right] as number) +
          (soft[high + left] as number) +
          (soft[high + right] as number) >
        0;
      if (isSoft) unknown[at] = 1;
      else sure.data[at] = (sure.data[at] as number) < 0.5 ? 0 : 1;
    }
  }
  return { width, height, unknown, sure };
}

/** 1 where the mask is soft itself, or has soft or different pixels within reach. */
function softPixels(mask: Plane): Uint8Array {
  const { width, height } = mask;
  const low = reachOf(mask, Math.min, 1);
  const high = reachOf(mask, Math.max, 0);
  const soft = new Uint8Array(width * height);
  for (let i = 0; i < soft.length; i += 1) {
    const isSure = (low[i] as number) > insideAbove || (high[i] as number) < outsideBelow;
    soft[i] = isSure ? 0 : 1;
  }
  return soft;
}

/** The least or greatest value within `reachPx` in both directions. */
function reachOf(mask: Plane, pick: (a: number, b: number) => number, start: number): Float32Array {
  const { width, height, data } = mask;
  const across = new Float32Array(data.length);
  const out = new Float32Array(data.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let found = start;
      const last = Math.min(x + reachPx, width - 1);
      for (let u = Math.max(x - reachPx, 0); u <= last; u += 1) {
        found = pick(found, data[y * width + u] as number);
      }
      across[y * width + x] = found;
    }
  }
  for (let y = 0; y < height; y += 1) {
    const last = Math.min(y + reachPx, height - 1);
    for (let x = 0; x < width; x += 1) {
      let found = start;
      for (let v = Math.max(y - reachPx, 0); v <= last; v += 1) {
        found = pick(found, across[v * width + x] as number);
      }
      out[y * width + x] = found;
    }
  }
  return out;
}
