/** Measures what a network changed: its result is reduced and compared with the source, pixel by pixel. */
import type { ChangedPixels } from '../../../../../packages/contract/src/task.ts';
import { colourBands, samplesIn, type Raster, type Samples } from '../../../raster/raster-file.ts';
import type { ChangeMap } from '../../../views/views.ts';
import { eachStrip, type StripOptions } from '../../../raster/strips.ts';

export interface Changes {
  changed: ChangedPixels;
  map: ChangeMap;
}

/** Rounding errors and invisible changes. */
const invisibleLevels = 2;
/** Cells along the longer side of the map. */
const mapSidePx = 1024;

/**
 * Compares two rasters of one size and number of bands; their depths may differ. Pixels that are fully
 * transparent in the source count as unchanged.
 *
 * @throws the signal's reason
 */
export async function compareReduced(
  source: Raster,
  reduced: Raster,
  options: StripOptions,
): Promise<Changes> {
  const { width, height } = source.shape;
  const cellPx = Math.ceil(Math.max(width, height) / mapSidePx);
  const cells = { width: Math.ceil(width / cellPx), height: Math.ceil(height / cellPx) };
  const found: Differences = {
    sum: 0,
    largest: 0,
    over: 0,
    cells: new Float64Array(cells.width * cells.height),
    cellOf: Int32Array.from({ length: width }, (_, x) => Math.floor(x / cellPx)),
  };
  const depths = [source, reduced].map(({ shape }) => 255 / (2 ** shape.bits - 1));
  const [ofSource = 1, ofReduced = 1] = depths;
  const { bands } = source.shape;
  await eachStrip(source, options, ({ samples: was, y: top, rows }) => {
    const is = samplesIn(reduced, { x: 0, y: top, width, height: rows });
    for (let row = 0; row < rows; row += 1) {
      const first = Math.floor((top + row) / cellPx) * cells.width;
      const start = row * width * bands;
      addRow(found, { was, is, bands, ofSource, ofReduced }, start, first);
    }
  });
  const pixels = width * height;
  const changed = {
    mean: rounded(found.sum / pixels, 3),
    largest: rounded(found.largest, 2),
    share: rounded(found.over / pixels, 5),
  };
  return { changed, map: { ...cells, levels: shownLevels(found.cells) } };
}

/** Not by `from`, which takes several times as long with a function. */
function shownLevels(cells: Float64Array): Uint8Array {
  const levels = new Uint8Array(cells.length);
  for (let cell = 0; cell < cells.length; cell += 1)
    levels[cell] = Math.min(255, Math.round(cells[cell] as number));
  return levels;
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

/** In levels of 255, of the colour of each pixel that differs most. */
interface Differences {
  sum: number;
  largest: number;
  /** Number of visible ones. */
  over: number;
  /** The largest one in each cell of the map. */
  cells: Float64Array;
  /** The cell of each column in a row of cells. */
  cellOf: Int32Array;
}

interface ComparedSamples {
  was: Samples;
  is: Samples;
  bands: number;
  /** Levels of 255 per sample value. */
  ofSource: number;
  ofReduced: number;
}

/** Adds a row that begins with sample `start`, in the row of cells that begins with `firstCell`. */
function addRow(
  found: Differences,
  { was, is, bands, ofSource, ofReduced }: ComparedSamples,
  start: number,
  firstCell: number,
): void {
  const { cells, cellOf } = found;
  const colours = colourBands({ bands });
  let { sum, largest, over } = found;
  for (let x = 0, at = start; x < cellOf.length; x += 1, at += bands) {
    if (colours < bands && was[at + colours] === 0) continue;
    let level = Math.abs((was[at] as number) * ofSource - (is[at] as number) * ofReduced);
    for (let c = 1; c < colours; c += 1) {
      const one = Math.abs((was[at + c] as number) * ofSource - (is[at + c] as number) * ofReduced);
      if (one > level) level = one;
    }
    sum += level;
    if (level > largest) largest = level;
    if (level > invisibleLevels) over += 1;
    const cell = firstCell + (cellOf[x] as number);
    if (level > (cells[cell] as number)) cells[cell] = level;
  }
  Object.assign(found, { sum, largest, over });
}
