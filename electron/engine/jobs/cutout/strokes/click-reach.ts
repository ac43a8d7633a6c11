/**
 * Spreads clicks over what looks alike around them, because the network of clicks follows those on textured or dark
 * things with a spot only. A click counts the less, the farther a pixel is along a path through alike colours (geodesic
 * distance; Bai and Sapiro 2007). Pure.
 */
import type { Size } from '../../../../../packages/contract/src/geometry.ts';
import type { Colours } from '../../../raster/planes/plane.ts';
import { logitOf, sigmoid, type Mask } from '../../../tiles/mask-tensor.ts';

/** Cost of crossing the whole colour range; crossing the whole mask costs 1. */
const colourCost = 1;
/** Distance at which a click's weight falls to 1/e. */
const reach = 0.5;
/** Weight of a click at its own place, in logits. */
const clickLogits = 6;
/** The mask's logits are limited to this, so that a click can turn what the mask is sure of. */
const maxMaskLogits = 7;
/** Each goes over all rows, downwards or upwards. */
const sweeps = 4;

/**
 * Returns the mask with the clicks' weights added.
 *
 * @param colours 0..1, in the mask's size
 * @param hints the mask, where to keep and where to remove, as planes of the mask's size one after the other
 */
export function withReach(mask: Mask, colours: Colours, hints: Float32Array): Mask {
  const pixels = mask.width * mask.height;
  const kept = distancesFrom(hints.subarray(pixels, 2 * pixels), colours);
  const removed = distancesFrom(hints.subarray(2 * pixels, 3 * pixels), colours);
  const data = mask.data.map((value, at) => {
    const own = Math.min(Math.max(logitOf(value), -maxMaskLogits), maxMaskLogits);
    return sigmoid(own + weightAt(kept[at] as number) - weightAt(removed[at] as number));
  });
  return { ...mask, data };
}

const weightAt = (distance: number) => clickLogits * Math.exp(-((distance / reach) ** 2));

/** Distance of each pixel from the nearest seed along the cheapest path; Infinity without seeds. */
function distancesFrom(seeds: Float32Array, colours: Colours): Float32Array {
  const distances = Float32Array.from(seeds, (seed) => (seed > 0 ? 0 : Infinity));
  if (!seeds.includes(1)) return distances;
  const size = colours[0];
  const relax = createRelax(distances, colours);
  for (let sweep = 0; sweep < sweeps; sweep += 1) sweepRows(size, sweep % 2 === 0, relax);
  return distances;
}

type Relax = (at: number, from: number, steps: number) => void;

/** Returns a function that shortens the way to a pixel by way of its neighbour at so many steps, if that is shorter. */
function createRelax(distances: Float32Array, colours: Colours): Relax {
  const { width, height } = colours[0];
  const [red, green, blue] = colours.map(({ data }) => data) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const stepCost = 1 / Math.max(width, height);
  return (at, from, steps) => {
    const r = (red[at] as number) - (red[from] as number);
    const g = (green[at] as number) - (green[from] as number);
    const b = (blue[at] as number) - (blue[from] as number);
    const cost = steps * stepCost + colourCost * Math.sqrt(r * r + g * g + b * b);
    const distance = (distances[from] as number) + cost;
    if (distance < (distances[at] as number)) distances[at] = distance;
  };
}

/** Relaxes each pixel by way of its neighbours in the row before, and along its own row there and back. */
function sweepRows({ width, height }: Size, isDown: boolean, relax: Relax): void {
  const back = isDown ? -width : width;
  for (let row = 0; row < height; row += 1) {
    const start = (isDown ? row : height - 1 - row) * width;
    for (let x = 0; x < width; x += 1) {
      const at = start + x;
      if (x > 0) relax(at, at - 1, 1);
      if (row === 0) continue;
      relax(at, at + back, 1);
      if (x > 0) relax(at, at + back - 1, Math.SQRT2);
      if (x < width - 1) relax(at, at + back + 1, Math.SQRT2);
    }
    for (let x = width - 2; x >= 0; x -= 1) relax(start + x, start + x + 1, 1);
  }
}
