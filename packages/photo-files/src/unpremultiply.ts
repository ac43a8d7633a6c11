/** Divides the colours of a raster by its transparency, in place, where its file holds them multiplied. */
import { neverAborted } from '../../../electron/engine/cancellation/yield.ts';
import { withRaster, type Samples } from '../../../electron/engine/raster/raster-file.ts';
import { rewriteStrips } from '../../../electron/engine/raster/strips.ts';

export async function unpremultiplyRaster(path: string): Promise<void> {
  await withRaster(path, async (raster) => {
    const { bands, bits } = raster.shape;
    if (bands % 2 === 1) return;
    const opaque = bits === 8 ? 255 : 65_535;
    await rewriteStrips(raster, { signal: neverAborted }, ({ samples, rows, stride }) => {
      unpremultiply(samples, rows * stride, bands, opaque);
    });
  });
}

function unpremultiply(samples: Samples, end: number, bands: number, opaque: number): void {
  for (let at = 0; at < end; at += bands) {
    const alpha = samples[at + bands - 1] ?? opaque;
    if (alpha === opaque || alpha === 0) continue;
    for (let c = at; c < at + bands - 1; c += 1)
      samples[c] = Math.min(opaque, Math.round(((samples[c] ?? 0) * opaque) / alpha));
  }
}
