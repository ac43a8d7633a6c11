/** Checks every tile before its picture may be published. */
import { EnlargerError } from '../../contract/errors.ts';
import { colourBands } from '../raster/raster-file.ts';
import type { SampleView } from './tensor-pixels.ts';

/** A part of the input that varies by more than this share of the range cannot become one flat colour. */
const flatShare = 8 / 255;

/** Tells whether a colour band varies by more than `allowed` sample values over `width` x `height` pixels. */
function varies(view: SampleView, width: number, height: number, allowed: number): boolean {
  const { samples } = view;
  for (let band = 0; band < colourBands(view); band += 1) {
    let low = samples[view.offset + band] as number;
    let high = low;
    for (let y = 0; y < height; y += 1) {
      let at = view.offset + y * view.stride + band;
      for (let x = 0; x < width; x += 1, at += view.bands) {
        const value = samples[at] as number;
        if (value < low) low = value;
        if (value > high) high = value;
        if (high - low > allowed) return true;
      }
    }
  }
  return false;
}

interface CheckedTile {
  input: SampleView;
  output: SampleView;
  /** These are the sides of the core, in input pixels. */
  width: number;
  height: number;
  scale: number;
  /** True means that every value of the network's answer was finite. */
  finite: boolean;
}

/** Throws INVALID_OUTPUT for values that are not finite, and for a flat colour from an input that is not flat. */
export function assertTile(tile: CheckedTile): void {
  if (!tile.finite) {
    throw new EnlargerError('INVALID_OUTPUT', 'The network gave values that are not numbers.');
  }
  const { width, height, scale } = tile;
  if (varies(tile.output, width * scale, height * scale, 0)) return;
  if (varies(tile.input, width, height, flatShare * (2 ** tile.input.bits - 1))) {
    throw new EnlargerError(
      'INVALID_OUTPUT',
      'The network gave one flat colour for a part of the picture that is not flat.',
    );
  }
}
