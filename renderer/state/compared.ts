/** Which versions of a photo stand beside it to be compared. Pure. */

/** Beside the source; more are too small to be judged. */
const mostCompared = 5;

/** `all`: the first one first. `chosen`: by a person; undefined: the latest ones. */
export function comparedOf<T>(
  all: readonly T[],
  chosen: readonly unknown[] | undefined,
): readonly T[] {
  const wanted = all.filter((version) => chosen?.includes(version));
  return wanted.length > 0 ? wanted : all.slice(-mostCompared);
}

/** One more or one less of them; where no more fit, the earliest goes. One always stays. */
export function withToggled<T>(compared: readonly T[], version: T): readonly T[] {
  if (!compared.includes(version)) return [...compared, version].slice(-mostCompared);
  return compared.length === 1 ? compared : compared.filter((other) => other !== version);
}
