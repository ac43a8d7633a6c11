/**
 * Reads the working copy, on which alpha is solved: the picture reduced by an integer factor to at most
 * `maxWorkingPixels`, as floats. Its size bounds the refinement's memory for any picture.
 */
import { createPlane, type Colours, type Plane } from '../../../raster/planes/plane.ts';
import { colourBands, type Raster, type Samples } from '../../../raster/raster-file.ts';
import { eachStrip } from '../../../raster/strips.ts';

export interface WorkingCopy {
  /** Source pixels per working pixel along a side; fewer in the last row and column. */
  factor: number;
  width: number;
  height: number;
  colours: Colours;
}

export async function readWorkingCopy(
  source: Raster,
  factor: number,
  signal: AbortSignal,
): Promise<WorkingCopy> {
  const { width, height, bands, bits } = source.shape;
  const size = { width: Math.ceil(width / factor), height: Math.ceil(height / factor) };
  const planes = Array.from({ length: colourBands({ bands }) }, () =>
    createPlane(size.width, size.height),
  );
  await eachStrip(source, { signal, stripRows: factor }, ({ samples, y, rows }) => {
    reduceRow(samples, { width, bands, rows, factor }, planes, y / factor, 2 ** bits - 1);
  });
  const [red, green = red, blue = red] = planes as [Plane, Plane?, Plane?];
  return { factor, ...size, colours: [red, green, blue] };
}

function reduceRow(
  samples: Samples,
  { width, bands, rows, factor }: { width: number; bands: number; rows: number; factor: number },
  planes: readonly Plane[],
  y: number,
  top: number,
): void {
  const [first, second, third] = planes;
  const start = y * (first?.width ?? 0);
  for (let x = 0; x * factor < width; x += 1) {
    const columns = Math.min(factor, width - x * factor);
    let [red, green, blue] = [0, 0, 0];
    for (let row = 0; row < rows; row += 1) {
      let at = (row * width + x * factor) * bands;
      for (let column = 0; column < columns; column += 1, at += bands) {
        red += samples[at] as number;
        if (third === undefined) continue;
        green += samples[at + 1] as number;
        blue += samples[at + 2] as number;
      }
    }
    const whole = rows * columns * top;
    if (first) first.data[start + x] = red / whole;
    if (second) second.data[start + x] = green / whole;
    if (third) third.data[start + x] = blue / whole;
  }
}
