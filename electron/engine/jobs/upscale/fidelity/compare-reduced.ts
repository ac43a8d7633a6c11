/** Measures what a network changed: its result is reduced and compared with the source, pixel by pixel. */
import type { ChangedPixels } from '../../../../contract/task.ts';
import { colourBands, samplesIn, hasAlpha, type Raster } from '../../../raster/raster-file.ts';
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
  const map: ChangeMap = {
    width: Math.ceil(width / cellPx),
    height: Math.ceil(height / cellPx),
    levels: new Uint8Array(Math.ceil(width / cellPx) * Math.ceil(height / cellPx)),
  };
  let [sum, largest, over] = [0, 0, 0];
  await visitDifferences(source, reduced, options, (x, y, level) => {
    sum += level;
    if (level > largest) largest = level;
    if (level > invisibleLevels) over += 1;
    const cell = Math.floor(y / cellPx) * map.width + Math.floor(x / cellPx);
    const shown = Math.min(255, Math.round(level));
    if (shown > (map.levels[cell] as number)) map.levels[cell] = shown;
  });
  const pixels = width * height;
  const changed = {
    mean: rounded(sum / pixels, 3),
    largest: rounded(largest, 2),
    share: rounded(over / pixels, 5),
  };
  return { changed, map };
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

/** Calls `visit` for each pixel with the difference of the colour that differs most, in levels of 255. */
async function visitDifferences(
  source: Raster,
  reduced: Raster,
  options: StripOptions,
  visit: (x: number, y: number, level: number) => void,
): Promise<void> {
  const { width, bands } = source.shape;
  const isClear = hasAlpha(source.shape);
  const colours = colourBands(source.shape);
  const factors = [source, reduced].map(({ shape }) => 255 / (2 ** shape.bits - 1));
  const [ofSource = 1, ofReduced = 1] = factors;
  await eachStrip(source, options, ({ samples: was, y: top, rows }) => {
    const is = samplesIn(reduced, { x: 0, y: top, width, height: rows });
    for (let i = 0; i < width * rows; i += 1) {
      const at = i * bands;
      let level = 0;
      for (let c = 0; c < colours; c += 1) {
        const one = (was[at + c] as number) * ofSource - (is[at + c] as number) * ofReduced;
        level = Math.max(level, Math.abs(one));
      }
      if (isClear && was[at + colours] === 0) level = 0;
      visit(i % width, top + Math.floor(i / width), level);
    }
  });
}
