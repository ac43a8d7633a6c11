/** Blurs planes with moving means. Pixels outside a plane do not count. Pure. */
import type { Size } from '../../../../packages/contract/src/geometry.ts';

/** Three consecutive box filters, which approximate a Gaussian. */
export function blurred(
  plane: Float32Array,
  { width, height }: Size,
  radius: number,
): Float32Array {
  let current = plane;
  for (let round = 0; round < 3; round += 1) {
    current = meanAlong(current, height, width, width, 1, radius);
    current = meanAlong(current, width, height, 1, width, radius);
  }
  return current;
}

/** Mean of 2 x radius + 1 pixels along each line. Pixels beyond its ends do not count. */
function meanAlong(
  from: Float32Array,
  lines: number,
  length: number,
  lineStep: number,
  step: number,
  radius: number,
): Float32Array {
  const to = new Float32Array(from.length);
  for (let line = 0; line < lines; line += 1) {
    const start = line * lineStep;
    let sum = 0;
    let count = 0;
    for (let at = -radius; at < length; at += 1) {
      const enters = at + radius;
      const leaves = at - radius - 1;
      if (enters < length) {
        sum += from[start + enters * step] as number;
        count += 1;
      }
      if (leaves >= 0) {
        sum -= from[start + leaves * step] as number;
        count -= 1;
      }
      if (at >= 0) to[start + at * step] = Math.max(0, sum) / count;
    }
  }
  return to;
}
