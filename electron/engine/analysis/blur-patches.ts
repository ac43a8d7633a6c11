/** Reads the patches of a picture on which its blur is measured. */
import type { YieldTurn } from '../cancellation/yield.ts';
import {
  colourBands,
  hasAlpha,
  samplesIn,
  type Raster,
  type RasterShape,
  type Samples,
} from '../raster/raster-file.ts';

export const patchPx = 64;
const patchValues = 3 * patchPx * patchPx;
/** Places that are looked at. */
const maxPlaces = 48;
/** More patches do not improve the measurement by as much as they take. */
const maxPatches = 16;
/** Fewer patches with detail do not tell blur from smooth ground. */
const minPatches = 3;
/** Mean difference of green over `detailPx` pixels, 0..1, from which a patch has detail. */
const minDetail = 2 / 255;
const detailPx = 4;
/** Patches begin where a JPEG's blocks of half colour do. */
const blockPx = 16;

/**
 * Reads RGB 0..1, [n, 3, 64, 64], of 3 to 16 patches: those with most detail of up to 48 places that are spread over
 * the picture. Patches with transparent pixels are left out.
 *
 * @returns undefined for a picture without that many patches with detail
 * @throws the reason of the aborted signal
 */
export async function readBlurPatches(
  raster: Pick<Raster, 'shape' | 'readRect'>,
  yieldTurn: YieldTurn,
): Promise<Float32Array<ArrayBuffer> | undefined> {
  const found: { patch: Float32Array; detail: number }[] = [];
  for (const corner of planPatches(raster.shape)) {
    await yieldTurn();
    const rect = { ...corner, width: patchPx, height: patchPx };
    const patch = toPatch(samplesIn(raster, rect), raster.shape);
    const detail = patch ? detailOf(patch) : 0;
    if (patch && detail >= minDetail) found.push({ patch, detail });
  }
  if (found.length < minPatches) return undefined;
  const chosen = found.toSorted((a, b) => b.detail - a.detail).slice(0, maxPatches);
  const all = new Float32Array(chosen.length * patchValues);
  for (const [i, { patch }] of chosen.entries()) all.set(patch, i * patchValues);
  return all;
}

/** Returns the mean difference of green to the pixels right and below. */
function detailOf(patch: Float32Array): number {
  const pixels = patchPx * patchPx;
  const green = patch.subarray(pixels, 2 * pixels);
  const side = patchPx - detailPx;
  let sum = 0;
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) {
      const at = y * patchPx + x;
      const value = green[at] ?? 0;
      sum += Math.abs((green[at + detailPx] ?? 0) - value);
      sum += Math.abs((green[at + detailPx * patchPx] ?? 0) - value);
    }
  return sum / (2 * side * side);
}

/** Spaces patches evenly along the sides, in the picture's proportions. */
function planPatches({ width, height }: RasterShape): { x: number; y: number }[] {
  const columns = cornersAlong(width);
  const rows = cornersAlong(height);
  if (columns === 0 || rows === 0) return [];
  const wanted = Math.round(Math.sqrt((maxPlaces * columns) / rows));
  const across = Math.min(Math.max(wanted, 1), columns, maxPlaces);
  const down = Math.min(Math.floor(maxPlaces / across), rows);
  return spread(rows, down).flatMap((y) => spread(columns, across).map((x) => ({ x, y })));
}

const cornersAlong = (side: number) =>
  side < patchPx ? 0 : Math.floor((side - patchPx) / blockPx) + 1;

/** Positions of the middles of `count` equal parts, in pixels. */
const spread = (corners: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => blockPx * Math.floor(((i + 0.5) * corners) / count));

/** Converts interleaved samples to planes; undefined if a pixel is not opaque. */
function toPatch(samples: Samples, shape: RasterShape): Float32Array | undefined {
  const { bands, bits } = shape;
  const top = bits === 8 ? 255 : 65535;
  const colours = colourBands(shape);
  const pixels = patchPx * patchPx;
  const patch = new Float32Array(patchValues);
  for (let i = 0; i < pixels; i += 1) {
    const from = i * bands;
    if (hasAlpha(shape) && samples[from + bands - 1] !== top) return undefined;
    for (let band = 0; band < 3; band += 1)
      patch[band * pixels + i] = (samples[from + Math.min(band, colours - 1)] ?? 0) / top;
  }
  return patch;
}
