/**
 * Small places that a mask is not sure of, settled before its edge is sought: a faint hole with
 * the subject all around is filled, a faint speck away from it goes. Holes and specks that the
 * mask is sure of stay, and so do large ones.
 */
import type { Plane } from './plane.ts';

/** Largest share of the mask's pixels; a speck of the eye of an animal, not a handle's opening. */
const largestHole = 0.003;
const largestSpeck = 0.0003;
/** A hole below this, and a speck above that, is meant. */
const sureHole = 0.1;
const sureSpeck = 0.9;

/** The mask with small doubtful places settled; the given one is not changed. */
export function settled(mask: Plane): Plane {
  const data = Float32Array.from(mask.data);
  const seen = new Uint8Array(data.length);
  for (let start = 0; start < data.length; start += 1) {
    if (seen[start] === 1) continue;
    const isHole = (mask.data[start] as number) < 0.5;
    const { pixels, extreme, isAtBorder } = regionAround(mask, start, seen);
    const share = pixels.length / data.length;
    const goes = isHole
      ? share <= largestHole && extreme > sureHole && !isAtBorder
      : share <= largestSpeck && extreme < sureSpeck;
    if (goes) for (const at of pixels) data[at] = isHole ? 1 : 0;
  }
  return { ...mask, data };
}

/** The pixels on the same side of one half that hang together, and the value farthest from it. */
function regionAround({ width, height, data }: Plane, start: number, seen: Uint8Array) {
  const isHole = (data[start] as number) < 0.5;
  const pixels = [start];
  let extreme = data[start] as number;
  let isAtBorder = false;
  seen[start] = 1;
  for (let i = 0; i < pixels.length; i += 1) {
    const at = pixels[i] as number;
    const value = data[at] as number;
    extreme = isHole ? Math.min(extreme, value) : Math.max(extreme, value);
    const x = at % width;
    const y = (at - x) / width;
    if (x === 0 || y === 0 || x === width - 1 || y === height - 1) isAtBorder = true;
    for (const next of [x > 0 ? at - 1 : at, x + 1 < width ? at + 1 : at, at - width, at + width]) {
      if (next < 0 || next >= data.length || seen[next] === 1) continue;
      if ((data[next] as number) < 0.5 !== isHole) continue;
      seen[next] = 1;
      pixels.push(next);
    }
  }
  return { pixels, extreme, isAtBorder };
}
