/** Effect of clipping on normally distributed values, tabulated once. */

/**
 * Share of a normal distribution above a number of deviations, within 1e-7 (Abramowitz and Stegun 1964,
 * 7.1.26).
 */
function shareAbove(deviations: number): number {
  const x = Math.abs(deviations) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const series = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592].reduce(
    (sum, factor) => (sum + factor) * t,
    0,
  );
  const beyond = 0.5 * series * Math.exp(-x * x);
  return deviations < 0 ? 1 - beyond : beyond;
}

/** [mean, deviation] of unit normal distributions clipped at 0, by ascending mean. */
const clipped = Array.from({ length: 120 }, (_, n) => {
  const middle = -2.5 + n * 0.06;
  const above = 1 - shareAbove(middle);
  const density = Math.exp(-0.5 * middle ** 2) / Math.sqrt(2 * Math.PI);
  const mean = middle * above + density;
  const variance = (middle ** 2 + 1) * above + middle * density - mean ** 2;
  return [mean, Math.sqrt(Math.max(0, variance))] as const;
});

/**
 * Share of a deviation that remains where values are clipped at black or white (Foi 2009, "Clipped noisy
 * images").
 *
 * @param headroom distance from the mean of the clipped values to black or white, in deviations before
 *   clipping
 */
export function clippedDeviation(headroom: number): number {
  const [, deviation = 1] = clipped.find(([mean]) => mean >= headroom) ?? [];
  return deviation;
}
