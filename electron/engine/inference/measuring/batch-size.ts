/**
 * How many tiles of one size a device is given in one call. Small ones leave a graphics card waiting for the next
 * call; on processors several at once were measured not to gain (0.92 to 1.03 times as fast), so they get one.
 */
import type { Session } from '../sessions/session.ts';
import { timeOf, type TileSpeed } from './tile-size.ts';

/** Tried one after the other. */
const batches = [2, 4];
/** So much faster a larger batch must be: less than that is another program's moment. */
const leastGain = 1.05;
/** As many as the largest tile that devices are tried with has, so that no batch takes more memory than that. */
const mostPixels = 1024 ** 2;
/** A device that takes longer is not kept waiting by its calls. */
const budgetMs = 800;

/** Batches worth trying where one tile takes `ms`; each is run twice and compared with its single tiles. */
export function batchCandidates(tilePx: number, ms: number): number[] {
  return batches.filter((batch) => batch * tilePx ** 2 <= mostPixels && 3 * batch * ms <= budgetMs);
}

/**
 * The speed in the largest batch that gains over the one before it and gives what its tiles give one by one;
 * `speed` as it is where none does. A device that fails at a batch has it not tried again.
 *
 * @param pictureOf tile `i` of a batch as the network takes it, no two alike
 * @param isRight whether the answer to a batch is near enough to the answers to its tiles
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
      // Its dimension is free by name only, or the memory does not suffice: one by one it ran.
      return best;
    }
  }
  return best;
}

/** Equal lengths, one after the other. */
function joined(parts: readonly Float32Array[]): Float32Array {
  const length = parts[0]?.length ?? 0;
  const whole = new Float32Array(length * parts.length);
  for (const [i, part] of parts.entries()) whole.set(part, i * length);
  return whole;
}
