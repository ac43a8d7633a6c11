/** Gradient magnitude similarity deviation (Xue, Zhang, Mou and Bovik 2014): how unevenly edges differ. */
import type { Pixels } from '../images.ts';
import { halved, lumaPlane, meanOf, planeOf, type Plane } from './plane.ts';

/** The paper's constant, for samples of 0..255. */
const stability = 170;

/**
 * Returns 0 for equal pictures and more for worse ones; a poor one has about 0.2.
 *
 * @throws Error if the sizes differ
 */
export function gradientDeviation(picture: Pixels, truth: Pixels): number {
  if (picture.width !== truth.width || picture.height !== truth.height)
    throw new Error('Expected two pictures of one size');
  const [a, b] = [picture, truth].map((one) => gradients(halved(lumaPlane(one))));
  const similarity = a!.data.map((m, i) => {
    const n = b!.data[i]!;
    return (2 * m * n + stability) / (m * m + n * n + stability);
  });
  const mean = meanOf(similarity);
  return Math.sqrt(meanOf(similarity.map((value) => (value - mean) ** 2)));
}

/** Prewitt gradient magnitude of the inner samples. */
function gradients({ data, width, height }: Plane): Plane {
  return planeOf({ width: width - 2, height: height - 2 }, (x, y) => {
    const sample = (dx: number, dy: number) => data[(y + 1 + dy) * width + x + 1 + dx]!;
    let across = 0;
    let down = 0;
    for (const i of [-1, 0, 1]) {
      across += (sample(1, i) - sample(-1, i)) / 3;
      down += (sample(i, 1) - sample(i, -1)) / 3;
    }
    return Math.hypot(across, down);
  });
}
