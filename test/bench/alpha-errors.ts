/** Errors of an alpha against the true one, as the matting benchmark counts them (Rhemann et al. 2009). */
import type { Plane } from '../../electron/engine/raster/planes/plane.ts';

export interface AlphaErrors {
  /** Sum of absolute differences, in pixels. */
  sad: number;
  /** Sum of squared differences, in pixels. */
  squares: number;
  /** Sum of squared differences of the gradient's length. */
  gradient: number;
}

export function alphaErrors(found: Plane, truth: Plane): AlphaErrors {
  const errors = { sad: 0, squares: 0, gradient: 0 };
  for (let i = 0; i < truth.data.length; i += 1) {
    const difference = (found.data[i] as number) - (truth.data[i] as number);
    errors.sad += Math.abs(difference);
    errors.squares += difference * difference;
  }
  for (let y = 1; y < truth.height - 1; y += 1) {
    for (let x = 1; x < truth.width - 1; x += 1) {
      errors.gradient += (slopeAt(found, x, y) - slopeAt(truth, x, y)) ** 2;
    }
  }
  return errors;
}

/** Length of the gradient by central differences. */
function slopeAt({ width, data }: Plane, x: number, y: number): number {
  const at = y * width + x;
  const dx = ((data[at + 1] as number) - (data[at - 1] as number)) / 2;
  const dy = ((data[at + width] as number) - (data[at - width] as number)) / 2;
  return Math.hypot(dx, dy);
}

/**
 * Mean difference of premultiplied colours in levels of 255, where the true alpha is between
 * 0.05 and 0.95: what one sees of a wrong rim, whatever the ground. `found` and `truth` are RGB
 * of `step` samples a pixel.
 */
export function colourError(
  found: { samples: Uint8Array; step: number },
  truth: Uint8Array,
  alpha: Plane,
): { sum: number; count: number } {
  let sum = 0;
  let count = 0;
  for (let i = 0; i < alpha.data.length; i += 1) {
    const a = alpha.data[i] as number;
    if (a < 0.05 || a > 0.95) continue;
    for (let c = 0; c < 3; c += 1) {
      const own = found.samples[i * found.step + c] as number;
      sum += a * Math.abs(own - (truth[i * 3 + c] as number));
    }
    count += 3;
  }
  return { sum, count };
}
