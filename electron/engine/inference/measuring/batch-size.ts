/**
 * Finds how many tiles a device is given per call. With small tiles a graphics card idles between calls. CPUs
 * do not gain (measured: 0.92 to 1.03 times as fast) and get one.
 */
import type { Session } from '../sessions/session.ts';
import { timeOf, type TileSpeed } from './tile-size.ts';

/** In the order of trying. */
const batches = [2, 4];
/** Minimum gain of a larger batch; less may be chance. */
const minGain = 1.05;
/** Pixels of the largest tile that is tried; no batch takes more memory than that. */
const maxPixels = 1024 ** 2;
/** Batches that would take longer are not tried: such a device does not idle between calls. */
const budgetMs = 800;

/** Batches worth trying if one tile takes `ms`; each is compared with its single tiles and timed. */
export function batchCandidates(tilePx: number, ms: number): number[] {
  return batches.filter((batch) => batch * tilePx ** 2 <= maxPixels && 3 * batch * ms <= budgetMs);
}

/**
 * Returns the speed with the largest batch that gains over the preceding one and whose output equals that of
 * its single tiles; `speed` if none does. A batch at which the device fails ends the search.
 *
 *
 * @param pictureOf returns tile `i` of a batch as the network's input; all are different
 * @param isRight whether the output of a batch is near enough to those of its tiles
 */
export async function measureBatch(
  session: Session,
  speed: TileSpeed,
  pictureOf: (i: number) => Float32Array,
  isRight: (found: Float32Array, expected: Float32Array) => boolean,
): Promise<TileSpeed> {
  const { tilePx } = speed;
  const run = async (tensor: Float32Array) =>
    Float32Array.from(await session.run(tensor, tilePx, tilePx));
  const msPerTile = await timeOf(session, pictureOf(0), tilePx, tilePx);
  let best = speed;
  let bestMs = msPerTile;
  for (const batch of batchCandidates(tilePx, msPerTile)) {
    const tiles = Array.from({ length: batch }, (_, i) => pictureOf(i));
    const together = concatenated(tiles);
    try {
      const expected: Float32Array[] = [];
      for (const tile of tiles) expected.push(await run(tile));
      if (!isRight(await run(together), concatenated(expected))) return best;
      const ms = (await timeOf(session, together, tilePx, tilePx)) / batch;
      if (ms * minGain > bestMs) return best;
      best = { ...speed, batch, megapixelsPerSecond: (speed.megapixelsPerSecond * msPerTile) / ms };
      bestMs = ms;
    } catch {
      // The batch dimension is free by name only, or memory ran out; single tiles did run.
      return best;
    }
  }
  return best;
}

/** Concatenates arrays of equal length. */
function concatenated(parts: readonly Float32Array[]): Float32Array {
  const length = parts[0]?.length ?? 0;
  const whole = new Float32Array(length * parts.length);
  for (const [i, part] of parts.entries()) whole.set(part, i * length);
  return whole;
}
