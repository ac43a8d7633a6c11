/**
 * Restores the source's colours in a result, because a network that invents detail may shift them. Low
 * frequencies come from the source, high ones from the network.
 */
import { createRowResampler } from '../../../raster/planes/resample.ts';
import type { Plane } from '../../../raster/planes/plane.ts';
import { colourBands, withRaster, type RasterShape } from '../../../raster/raster-file.ts';
import { alphaOf, reduceRaster, type SmallPicture } from '../../../raster/reduce-raster.ts';
import { rewriteStrips, type StripOptions } from '../../../raster/strips.ts';
import type { Projection } from './back-projection.ts';

/**
 * Side in source pixels of the squares whose means are compared: large beside all that a network sharpens or
 * draws, small beside what a person calls the colour of a thing.
 */
const cellPx = 16;

/** Corrects the raster's colours in place. @throws the signal's reason */
export async function matchColours(
  { path, sourcePath }: Pick<Projection, 'path' | 'sourcePath'>,
  options: StripOptions,
): Promise<void> {
  const { signal } = options;
  const was = await withRaster(sourcePath, (source) =>
    reduceRaster(source, cellsOf(source.shape), signal),
  );
  await withRaster(path, async (enlarged) => {
    const is = await reduceRaster(enlarged, { width: was.width, height: was.height }, signal);
    const { bands, bits } = enlarged.shape;
    const rowsOf = Array.from({ length: colourBands(enlarged.shape) }, (_, colour) =>
      createRowResampler(deficitOf(was, is, colour), enlarged.shape),
    );
    const alphaRowOf = createRowResampler(alphaOf(was), enlarged.shape);
    const top = 2 ** bits - 1;
    await rewriteStrips(enlarged, options, ({ samples, y, rows, stride }) => {
      for (let row = 0; row < rows; row += 1) {
        const alpha = alphaRowOf(y + row);
        for (const [colour, rowOf] of rowsOf.entries()) {
          const deficit = rowOf(y + row);
          for (let x = 0; x < deficit.length; x += 1) {
            const at = row * stride + x * bands + colour;
            const weight = alpha[x] as number;
            if (weight === 0) continue;
            const next = (samples[at] as number) + (top * (deficit[x] as number)) / weight;
            samples[at] = Math.min(Math.max(Math.round(next), 0), top);
          }
        }
      }
    });
  });
}

const cellsOf = ({ width, height }: RasterShape) => ({
  width: Math.ceil(width / cellPx),
  height: Math.ceil(height / cellPx),
});

/**
 * Deficit of one colour of the result against the source, 0..1. Differences are weighted by the cell's alpha,
 * because a transparent cell has no information on its neighbours' colours.
 */
function deficitOf(was: SmallPicture, is: SmallPicture, colour: number): Plane {
  const { width, height, bands } = was;
  const deficit = alphaOf(was);
  for (let i = 0; i < width * height; i += 1) {
    const at = i * bands + colour;
    const difference = (was.data[at] as number) - (is.data[at] as number);
    deficit.data[i] = (deficit.data[i] as number) * difference;
  }
  return deficit;
}
