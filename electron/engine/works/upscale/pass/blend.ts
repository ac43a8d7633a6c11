/** Soft seams for networks whose tiles do not equal the whole: shared pixels fade from one to the next. */
import type { SampleView } from './tensor-pixels.ts';

/** The later one's part at each of `length` shared pixels: a straight ramp that never quite is 0 or 1. */
const rampAt = (at: number, length: number) => (at + 0.5) / length;

/**
 * Lays `from` over `to`. Within the first `shared` columns (or rows) it fades in over what is there.
 * Both are `width` x `height`; all bands are blended.
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
