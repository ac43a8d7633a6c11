/** Which networks in sequence make a scale. */
import { nearestScale } from '../../engine/plan/output-plan.ts';

/**
 * Scales of the passes, largest first, as few as possible: 8 of [2, 4] is [4, 2], 16 is [4, 4]. Scale 1 is
 * one pass of a network that keeps the size. Returns undefined if no product of the available scales matches.
 */
export function planScales(available: readonly number[], wanted: number): number[] | undefined {
  const usable = [...new Set(available)].filter((scale) => scale > 1).sort((a, b) => b - a);
  const search = (rest: number, from: number): number[] | undefined => {
    if (rest === 1) return [];
    let best: number[] | undefined;
    for (const [offset, scale] of usable.slice(from).entries()) {
      if (rest % scale !== 0) continue;
      const others = search(rest / scale, from + offset);
      if (others && (!best || others.length + 1 < best.length)) best = [scale, ...others];
    }
    return best;
  };
  if (wanted === 1) return available.includes(1) ? [1] : undefined;
  return wanted > 1 ? search(wanted, 0) : undefined;
}

/** Larger enlargements do not look good. */
const maxScale = 16;

/** Scales that can be made, ascending. */
export function possibleScales(available: readonly number[]): number[] {
  return Array.from({ length: maxScale }, (_, i) => i + 1).filter(
    (scale) => planScales(available, scale) !== undefined,
  );
}

/** Scale of a submit without scale and size: 2, or 1 for a model that makes nothing else. */
export const defaultScale = (makes: readonly number[]): 1 | 2 => (makes.at(-1) === 1 ? 1 : 2);

/** Scale of the model that is resized to `wanted`; undefined if all are smaller. */
export const scaleReaching = (makes: readonly number[], wanted: number): number | undefined =>
  makes.some((one) => one >= wanted) ? nearestScale(makes, wanted) : undefined;
