/**
 * Gives a result the colours of its source, for a network that invents detail may shift them. The low
 * frequencies come from the source, the high ones stay the network's.
 */
import { createRowResampler } from '../../../raster/planes/resample.ts';
import type { Plane } from '../../../raster/planes/plane.ts';
import { colourBands, withRaster, type RasterShape } from '../../../raster/raster-file.ts';
import { alphaOf, reduceRaster, type SmallPicture } from '../../../raster/reduce-raster.ts';
import { rewriteStrips, type StripOptions } from '../../../raster/strips.ts';
import type { Projection } from './keep-faithful.ts';

/**
 * Means are compared over squares of this many pixels of the source a side: such a square is large beside all
 * that a network sharpens or draws, and small beside what a person calls the colour of a thing.
 */
const cellPx = 16;

/** Corrects the raster's colours in place. It rejects with the signal's reason. */
export async function holdColours(
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
      createRowResampler(missingOf(was, is, colour), enlarged.shape),
    );
    const seenOf = createRowResampler(alphaOf(was), enlarged.shape);
    const top = 2 ** bits - 1;
    await rewriteStrips(enlarged, options, ({ samples, y, rows, stride }) => {
      for (let row = 0; row < rows; row += 1) {
        const seen = seenOf(y + row);
        for (const [colour, rowOf] of rowsOf.entries()) {
          const missing = rowOf(y + row);
          for (let x = 0; x < missing.length; x += 1) {
            const at = row * stride + x * bands + colour;
            const weight = seen[x] as number;
            if (weight === 0) continue;
            const next = (samples[at] as number) + (top * (missing[x] as number)) / weight;
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
 * Computes by how much one colour of the result falls short of the source's, in parts of white. Each
 * difference is weighted by the cell's alpha, for a transparent cell says nothing of its neighbours' colours.
 */
function missingOf(was: SmallPicture, is: SmallPicture, colour: number): Plane {
  const { width, height, bands } = was;
  const missing = alphaOf(was);
  for (let i = 0; i < width * height; i += 1) {
    const at = i * bands + colour;
    const lacks = (was.data[at] as number) - (is.data[at] as number);
    missing.data[i] = (missing.data[i] as number) * lacks;
  }
  return missing;
}
