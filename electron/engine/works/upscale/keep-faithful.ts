/**
 * Brings a result back to its source: what is missing of it, once it is reduced, is added to the pixels that it came
 * from, again and again (iterative back-projection, Irani and Peleg 1991), until nothing differs by over a level.
 */
import { join } from 'node:path';
import {
  hasAlpha,
  rowBytes,
  samplesIn,
  type Raster,
  consumeRaster,
  withRaster,
} from '../../raster/raster-file.ts';
import { writeReduced } from '../../raster/finish-raster.ts';
import { rewriteStrips, type StripOptions } from '../../raster/strips.ts';
import { compareReduced, type Changes } from './compare-reduced.ts';

export interface Projection {
  /** The enlarged raster; it is rewritten in place. */
  path: string;
  sourcePath: string;
  scratchDir: string;
  scale: number;
}

/** So close to the source a result must come, in levels of 255. */
const faithfulLevels = 1;
/** What black and white cut off may never come back; then the nearest stays. */
const mostRounds = 16;
/** A little more than what is missing: reducing takes the fine parts of a correction away. */
const gain = 1.25;
const stripBytes = 4 * 1024 * 1024;

/** Answers what still differs. Rejects with the signal's reason. */
export async function projectOnSource(
  projection: Projection,
  options: StripOptions,
): Promise<Changes> {
  let changes = await compareWithSource(projection, options);
  for (let round = 0; round < mostRounds && changes.changed.largest > faithfulLevels; round += 1) {
    await withReduced(projection, (source, reduced) =>
      correct(projection, source, reduced, options),
    );
    changes = await compareWithSource(projection, options);
  }
  return changes;
}

/** The result of whatever network, held against its source. */
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
  // libvips knows a file by its name: each one has its own.
  written += 1;
  const reducedPath = join(scratchDir, `reduced-${written}.v`);
  return withRaster(sourcePath, async (source) => {
    await writeReduced(path, reducedPath, source.shape);
    return consumeRaster(reducedPath, (reduced) => use(source, reduced));
  });
}

/** Adds what is missing of each source pixel to all that it was enlarged to. */
async function correct(
  { path, scale }: Projection,
  source: Raster,
  reduced: Raster,
  options: StripOptions,
): Promise<void> {
  await withRaster(path, async (enlarged) => {
    const { width, bands } = source.shape;
    const colours = hasAlpha(source.shape) ? bands - 1 : bands;
    const top = 2 ** enlarged.shape.bits - 1;
    const [ofSource, ofReduced] = [source, reduced].map(({ shape }) => top / (2 ** shape.bits - 1));
    const wide = enlarged.shape.width;
    // Whole rows of the source.
    const ofRow = scale * rowBytes(enlarged.shape);
    const stripRows = scale * Math.max(1, Math.floor(stripBytes / ofRow));
    await rewriteStrips(enlarged, { ...options, stripRows }, ({ samples, y, rows }) => {
      const strip = { x: 0, y: y / scale, width, height: rows / scale };
      const was = samplesIn(source, strip);
      const is = samplesIn(reduced, strip);
      for (let i = 0; i < wide * rows; i += 1) {
        const [row, column] = [Math.floor(i / wide), i % wide];
        const from = (Math.floor(row / scale) * width + Math.floor(column / scale)) * bands;
        for (let c = 0; c < colours; c += 1) {
          const missing =
            (was[from + c] as number) * (ofSource ?? 1) -
            (is[from + c] as number) * (ofReduced ?? 1);
          const at = i * bands + c;
          const next = (samples[at] as number) + gain * missing;
          samples[at] = Math.min(Math.max(Math.round(next), 0), top);
        }
      }
    });
  });
}
