/** Blends the overlaps of networks that are not tile-exact: each tile fades into the next. */
import type { SampleView } from './tensor-pixels.ts';

/** Weight of the later tile at one of `length` shared pixels: a linear ramp without 0 and 1. */
const rampAt = (at: number, length: number) => (at + 0.5) / length;

/**
 * Blends `from` over `to`, all bands, `width` x `height` pixels. `from` fades in over the first shared
 * columns and rows.
 */
export function blendOver(
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
