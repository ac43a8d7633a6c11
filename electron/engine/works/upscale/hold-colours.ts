/**
 * Gives a result the colours of its source: a network that makes up what it does not see may shift them. What is
 * coarse comes from the source, what is fine stays the network's.
 */
import { createRowResampler } from '../../raster/planes/resample.ts';
import { createPlane, type Plane } from '../../raster/planes/plane.ts';
import { createSamples, hasAlpha, openRaster } from '../../raster/raster-file.ts';
import { reduceRaster, type SmallPicture } from '../../raster/reduce-raster.ts';
import { eachStrip } from '../../raster/strips.ts';
import type { Projection } from './keep-faithful.ts';

/**
 * Means are compared over squares of so many pixels of the source: large beside all that a network sharpens or
 * draws, small beside what a person calls the colour of a thing.
 */
const cellPx = 16;

/** The raster is rewritten in place, and `onStrip` told of each part of it. Rejects with the signal's reason. */
export async function holdColours(
  { path, sourcePath }: Pick<Projection, 'path' | 'sourcePath'>,
  signal: AbortSignal,
  onStrip: () => void,
): Promise<void> {
  const enlarged = openRaster(path);
  const source = openRaster(sourcePath);
  try {
    const size = {
      width: Math.ceil(source.shape.width / cellPx),
      height: Math.ceil(source.shape.height / cellPx),
    };
    const was = await reduceRaster(source, size, signal);
    const is = await reduceRaster(enlarged, size, signal);
    const { bands, bits } = enlarged.shape;
    const colours = hasAlpha(enlarged.shape) ? bands - 1 : bands;
    const rowsOf = Array.from({ length: colours }, (_, colour) =>
      createRowResampler(missingOf(was, is, colour), enlarged.shape),
    );
    const seenOf = createRowResampler(seenIn(was), enlarged.shape);
    const top = 2 ** bits - 1;
    await eachStrip(enlarged, { signal, onProgress: onStrip }, ({ samples, y, rows, stride }) => {
      const held = createSamples(enlarged.shape, rows * stride);
      held.set(samples.subarray(0, held.length));
      for (let row = 0; row < rows; row += 1) {
        const seen = Float32Array.from(seenOf(y + row));
        for (const [colour, rowOf] of rowsOf.entries()) {
          const missing = rowOf(y + row);
          for (let x = 0; x < missing.length; x += 1) {
            const at = row * stride + x * bands + colour;
            const weight = seen[x] as number;
            if (weight === 0) continue;
            const next = (held[at] as number) + (top * (missing[x] as number)) / weight;
            held[at] = Math.min(Math.max(Math.round(next), 0), top);
          }
        }
      }
      enlarged.writeRect({ x: 0, y, width: enlarged.shape.width, height: rows }, held, 0, stride);
    });
  } finally {
    source.close();
    enlarged.close();
  }
}

/** What one colour of the result lacks of the source's, in parts of white; by how much is seen of each cell. */
function missingOf(was: SmallPicture, is: SmallPicture, colour: number): Plane {
  const { width, height, bands } = was;
  const missing = seenIn(was);
  for (let i = 0; i < width * height; i += 1) {
    const at = i * bands + colour;
    const lacks = (was.data[at] as number) - (is.data[at] as number);
    missing.data[i] = (missing.data[i] as number) * lacks;
  }
  return missing;
}

/** How much of each cell is not transparent: a clear one says nothing of its neighbours' colours. */
function seenIn({ width, height, bands, data }: SmallPicture): Plane {
  const plane = createPlane(width, height);
  const hasAlphaBand = bands % 2 === 0;
  for (let i = 0; i < width * height; i += 1)
    plane.data[i] = hasAlphaBand ? (data[i * bands + bands - 1] as number) : 1;
  return plane;
}
