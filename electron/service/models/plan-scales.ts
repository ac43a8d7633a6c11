/** Which networks, one after the other, make a scale. */

/**
 * The largest scales first, with as few passes as possible: 8 of [2, 4] is [4, 2], 16 is [4, 4].
 * Undefined when no product of them is the wanted scale.
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
  return wanted > 1 ? search(wanted, 0) : undefined;
}

/** Enlarging by more than this is nothing that a photo holds up to. */
const mostScale = 16;

/** Those that can be made, the smallest first; 1 only of a network that changes no size. */
export function possibleScales(available: readonly number[]): number[] {
  const made = Array.from({ length: mostScale - 1 }, (_, i) => i + 2).filter(
    (scale) => planScales(available, scale) !== undefined,
  );
  return made.length === 0 && available.includes(1) ? [1] : made;
}
