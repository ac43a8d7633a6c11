/** Which networks, one after the other, make a scale. */

/**
 * The largest scales first, with as few passes as possible: 8 of [2, 4] is [4, 2], 16 is [4, 4].
 * 1 is one pass of a network that changes no size. Undefined when no product of them is the wanted scale.
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

/** Enlarging by more than this is nothing that a photo holds up to. */
const mostScale = 16;

/** Those that can be made, the smallest first. */
export function possibleScales(available: readonly number[]): number[] {
  return Array.from({ length: mostScale }, (_, i) => i + 1).filter(
    (scale) => planScales(available, scale) !== undefined,
  );
}

/** What a submit means that names neither scale nor size: twice, or the photo's own size where nothing else is made. */
export const usualScale = (makes: readonly number[]): 1 | 2 => (makes.at(-1) === 1 ? 1 : 2);

/** The least of those that a model makes from which a scale is reached, by reducing where it is larger. */
export const scaleReaching = (makes: readonly number[], wanted: number): number | undefined =>
  makes.find((one) => one >= wanted);
