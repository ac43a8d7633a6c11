/** Means over square windows, in constant time a pixel; windows end at the picture's border. */
import { createPlane, type Plane } from './plane.ts';

/** The mean of (2 radius + 1)^2 pixels around each one, of those that lie inside. */
export function boxMean(from: Plane, radius: number): Plane {
  const { width, height } = from;
  const across = meanAcross(from, radius);
  const to = createPlane(width, height);
  const sums = new Float64Array(width);
  for (let y = 0; y <= Math.min(radius, height - 1); y += 1) addRow(sums, across, y, 1);
  for (let y = 0; y < height; y += 1) {
    const count = Math.min(y + radius, height - 1) - Math.max(y - radius, 0) + 1;
    for (let x = 0; x < width; x += 1) to.data[y * width + x] = (sums[x] as number) / count;
    if (y + radius + 1 < height) addRow(sums, across, y + radius + 1, 1);
    if (y - radius >= 0) addRow(sums, across, y - radius, -1);
  }
  return to;
}

function addRow(sums: Float64Array, from: Plane, y: number, sign: number): void {
  const start = y * from.width;
  for (let x = 0; x < from.width; x += 1) {
    sums[x] = (sums[x] as number) + sign * (from.data[start + x] as number);
  }
}

function meanAcross(from: Plane, radius: number): Plane {
  const { width, height, data } = from;
  const to = createPlane(width, height);
  for (let y = 0; y < height; y += 1) {
    const start = y * width;
    let sum = 0;
    for (let x = 0; x <= Math.min(radius, width - 1); x += 1) sum += data[start + x] as number;
    for (let x = 0; x < width; x += 1) {
      const count = Math.min(x + radius, width - 1) - Math.max(x - radius, 0) + 1;
      to.data[start + x] = sum / count;
      if (x + radius + 1 < width) sum += data[start + x + radius + 1] as number;
      if (x - radius >= 0) sum -= data[start + x - radius] as number;
    }
  }
  return to;
}
