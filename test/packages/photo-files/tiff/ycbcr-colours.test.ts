/** YCbCr that a TIFF stores as it is comes out as the colours that it means. */
import { afterAll, describe, expect, it } from 'vitest';
import { sharedTestEngine } from '../../../support/engine.ts';
import { photo, readPixels } from '../../../support/images.ts';
import { tiffOf } from '../../../support/made-files.ts';
import { nearestNetwork } from '../../../support/networks-made.ts';
import { differenceOf, repeated } from '../../../support/pixels.ts';

const engine = sharedTestEngine();
afterAll(() => engine.close());

const source = photo(61, 40);
/** BT.601 in the full range, as JPEG has it. */
function ycbcrAt(x: number, y: number, band: number, top: number): number {
  const at = (y * source.width + x) * 3;
  const [r = 0, g = 0, b = 0] = Array.from(
    source.data.subarray(at, at + 3),
    (v) => (v * top) / 255,
  );
  const luma = 0.299 * r + 0.587 * g + 0.114 * b;
  const middle = (top + 1) / 2;
  const value =
    band === 0 ? luma : band === 1 ? (b - luma) / 1.772 + middle : (r - luma) / 1.402 + middle;
  return Math.round(Math.min(top, Math.max(0, value)));
}

describe('a TIFF in YCbCr without compression', () => {
  it.each([8, 16] as const)('has its colours in %d bits', async (bits) => {
    const top = 2 ** bits - 1;
    const file = tiffOf(61, 40, (x, y, band) => ycbcrAt(x, y, band, top), {
      ...{ bits, bands: 3, photometric: 6 },
    });
    const { outputPath } = await engine.run({
      sourcePath: await engine.saved(file),
      passes: [nearestNetwork(engine.dir)],
      format: 'png',
    });
    const difference = differenceOf(await readPixels(outputPath), repeated(source, 2));
    expect(difference.mean).toBeLessThan(1);
    expect(difference.most).toBeLessThan(4);
  });
});
