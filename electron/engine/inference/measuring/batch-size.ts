/**
 * Finds how many tiles of one size a device is given in one call. With small tiles a graphics card waits for
 * the next call. On processors several tiles at once do not gain (measured: 0.92 to 1.03 times as fast), so
 * they get one.
 */
import type { Session } from '../sessions/session.ts';
import { timeOf, type TileSpeed } from './tile-size.ts';

/** The batches in the order in which they are tried. */
const batches = [2, 4];
/** A larger batch must be this many times as fast: a smaller gain may be chance. */
const leastGain = 1.05;
/** The pixels of the largest tile that is tried, so that no batch takes more memory than that. */
const mostPixels = 1024 ** 2;
/** A batch that would take longer is not tried: such a device does not lose time between its calls. */
const budgetMs = 800;

/** Lists the batches worth trying where one tile takes `ms`; each is compared with its tiles and timed. */
export function batchCandidates(tilePx: number, ms: number): number[] {
  return batches.filter((batch) => batch * tilePx ** 2 <= mostPixels && 3 * batch * ms <= budgetMs);
}

/**
 * Gives the speed with the largest batch that gains over the one before it and whose answer equals those to
 * its single tiles; it gives `speed` unchanged where no batch does. A batch at which the device fails ends
 * the trying.
 *
 * @param pictureOf gives tile `i` of a batch as the network takes it; no two are alike
 * @param isRight tells whether the answer to a batch is near enough to the answers to its tiles
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
  const msATile = await timeOf(session, pictureOf(0), tilePx, tilePx);
  let best = speed;
  let bestMs = msATile;
  for (const batch of batchCandidates(tilePx, msATile)) {
    const tiles = Array.from({ length: batch }, (_, i) => pictureOf(i));
    const together = joined(tiles);
    try {
      const expected: Float32Array[] = [];
      for (const tile of tiles) expected.push(await run(tile));
      if (!isRight(await run(together), joined(expected))) return best;
      const ms = (await timeOf(session, together, tilePx, tilePx)) / batch;
      if (ms * leastGain > bestMs) return best;
      best = { ...speed, batch, megapixelsPerSecond: (speed.megapixelsPerSecond * msATile) / ms };
      bestMs = ms;
    } catch {
      // The batch dimension is free by name only, or memory does not suffice; single tiles did run.
      return best;
    }
  }
  return best;
}

/** Concatenates arrays of equal length. */
function joined(parts: readonly Float32Array[]): Float32Array {
  const length = parts[0]?.length ?? 0;
  const whole = new Float32Array(length * parts.length);
  for (const [i, part] of parts.entries()) whole.set(part, i * length);
  return whole;
}
