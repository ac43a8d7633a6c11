/** Files that were damaged by chance, the same ones for the same seed. */

/** A linear congruential generator (Numerical Recipes), so that a run can be repeated. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** Some bytes of it are others, gone or elsewhere; now and then its end is cut off. */
export function damage(bytes: Buffer, random: () => number): Buffer {
  const made = Buffer.from(bytes);
  const below = (n: number) => Math.floor(random() * n);
  const times = 1 + below(8);
  for (let i = 0; i < times; i += 1) {
    // Heads are where the lengths are.
    const at = below(random() < 0.6 ? Math.min(made.length, 400) : made.length);
    const way = below(4);
    if (way === 0) made[at] = below(256);
    else if (way === 1) made[at] = (made[at] ?? 0) ^ (1 << below(8));
    else if (way === 2) made.fill(random() < 0.5 ? 0xff : 0, at, Math.min(at + 4, made.length));
    else made.copyWithin(at, below(made.length), below(made.length));
  }
  return random() < 0.15 ? made.subarray(0, 1 + below(made.length)) : made;
}

/** An AVIF that says it is a HEIC, so that the other decoder is asked. */
export function asHeic(avif: Buffer): Buffer {
  const made = Buffer.from(avif);
  made.write('heic', 8, 'latin1');
  return made;
}
