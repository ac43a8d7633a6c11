/**
 * Iterative back-projection (Irani and Peleg 1991): the result is reduced, its difference from the source is
 * added to the pixels concerned, and this is repeated until no pixel differs by more than one level.
 */
import { join } from 'node:path';
import {
  colourBands,
  samplesIn,
  type Raster,
  consumeRaster,
  withRaster,
} from '../../../raster/raster-file.ts';
import { writeReduced } from '../../../raster/finish-raster.ts';
import { rewriteStrips, type StripOptions } from '../../../raster/strips.ts';
import { compareReduced, type Changes } from './compare-reduced.ts';

export interface Projection {
  /** The enlarged raster, in no direction smaller than the source; rewritten in place. */
  path: string;
  sourcePath: string;
  scratchDir: string;
}

/** Maximum difference of a result from its source, in levels of 255. */
export const faithfulLevels = 1;
/**
 * Some differences never vanish: those clipped by black and white, and the finest detail in a result hardly
 * larger than its source.
 */
export const maxRounds = 16;
/** Over-correction, because reducing attenuates fine detail. */
const gain = 1.25;

/** Projects a result onto its source. @returns the remaining differences @throws the signal's reason */
export async function projectOnSource(
  projection: Projection,
  options: StripOptions,
): Promise<Changes> {
  let changes = await compareWithSource(projection, options);
  for (let round = 0; round < maxRounds && changes.changed.largest > faithfulLevels; round += 1) {
    await withReduced(projection, (source, reduced) =>
      correct(projection.path, source, reduced, options),
    );
    changes = await compareWithSource(projection, options);
  }
  return changes;
}

/** Compares the result of any network with its source. */
export const compareWithSource = (
  projection: Projection,
  options: StripOptions,
): Promise<Changes> =>
  withReduced(projection, (source, reduced) => compareReduced(source, reduced, options));

let written = 0;

async function withReduced<T>(
  { path, sourcePath, scratchDir }: Projection,
  use: (source: Raster, reduced: Raster) => Promise<T>,
): Promise<T> {
  // libvips caches files by name, so each reduced file gets a new one.
  written += 1;
  const reducedPath = join(scratchDir, `reduced-${written}.v`);
  return withRaster(sourcePath, async (source) => {
    await writeReduced(path, reducedPath, source.shape);
    return consumeRaster(reducedPath, (reduced) => use(source, reduced));
  });
}

/** Adds the difference at each source pixel to all pixels enlarged from it. */
async function correct(
  path: string,
  source: Raster,
  reduced: Raster,
  options: StripOptions,
): Promise<void> {
  await withRaster(path, async (enlarged) => {
    const { width, height, bands } = source.shape;
    const colours = colourBands(source.shape);
    const top = 2 ** enlarged.shape.bits - 1;
    const [ofSource = 1, ofReduced = 1] = [source, reduced].map(
      ({ shape }) => top / (2 ** shape.bits - 1),
    );
    const { width: wide, height: high } = enlarged.shape;
    const column = (x: number) => Math.floor(((x + 0.5) * width) / wide);
    const row = (y: number) => Math.floor(((y + 0.5) * height) / high);
    const columns = Uint32Array.from({ length: wide }, (_, x) => column(x));
    await rewriteStrips(enlarged, options, ({ samples, y, rows }) => {
      const first = row(y);
      const covered = { x: 0, y: first, width, height: row(y + rows - 1) - first + 1 };
      const was = samplesIn(source, covered);
      const is = samplesIn(reduced, covered);
      for (let i = 0; i < wide * rows; i += 1) {
        const from =
          (row(y + Math.floor(i / wide)) - first) * width + (columns[i % wide] as number);
        for (let c = 0; c < colours; c += 1) {
          const deficit =
            (was[from * bands + c] as number) * ofSource -
            (is[from * bands + c] as number) * ofReduced;
          const at = i * bands + c;
          const next = (samples[at] as number) + gain * deficit;
          samples[at] = Math.min(Math.max(Math.round(next), 0), top);
        }
      }
    });
  });
}
