/** Blends the overlaps of networks whose tiles do not equal the whole: each tile fades into the next. */
import type { SampleView } from './tensor-pixels.ts';

/** Answers the later tile's weight at each of `length` shared pixels: a linear ramp that never is 0 or 1. */
const rampAt = (at: number, length: number) => (at + 0.5) / length;

/**
 * Lays `from` over `to`; both have `width` x `height` pixels. Within the first shared columns and rows `from`
 * fades in over the pixels of `to`. All bands are blended.
 */
export function layOver(
  from: SampleView,
  to: SampleView,
  width: number,
  height: number,
  shared: { columns: number; rows: number },
): void {
  for (let y = 0; y < height; y += 1) {
    const rowPart = y < shared.rows ? rampAt(y, shared.rows) : 1;
    let f = from.offset + y * from.stride;
    let t = to.offset + y * to.stride;
    for (let x = 0; x < width; x += 1) {
      const part = rowPart * (x < shared.columns ? rampAt(x, shared.columns) : 1);
      for (let band = 0; band < from.bands; band += 1, f += 1, t += 1) {
        const old = to.samples[t] as number;
        const fresh = from.samples[f] as number;
        to.samples[t] = part === 1 ? fresh : Math.round(old + (fresh - old) * part);
      }
    }
  }
}
