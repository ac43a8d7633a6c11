/** Bounds of a number that is typed. It is pure. */

export interface NumberBounds {
  readonly min: number;
  readonly max: number;
  readonly step: number | 'any';
}

/** Returns the nearest number that the bounds allow; undefined for what is no number. */
export function withinBounds(typed: number, { min, max, step }: NumberBounds): number | undefined {
  if (Number.isNaN(typed)) return undefined;
  // toFixed, because 3 * 0.1 is not 0.3.
  const stepped = step === 'any' ? typed : Number((Math.round(typed / step) * step).toFixed(6));
  return Math.min(max, Math.max(min, stepped));
}
