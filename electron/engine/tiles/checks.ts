/** Validates the network's output tile by tile, before the result may be published. */
import { EnlargerError } from '../../contract/errors.ts';
import { colourBands } from '../raster/raster-file.ts';
import type { SampleView } from './tensor-pixels.ts';

/** Range of input values, as a share of full scale, above which a flat output is invalid. */
const flatShare = 8 / 255;

/** Whether a colour band spans more than `allowed` sample values over `width` x `height` pixels. */
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
  /** Sides of the core, in input pixels. */
  width: number;
  height: number;
  scale: number;
  /** Whether every value of the network's output was finite. */
  finite: boolean;
}

/**
 * @throws EnlargerError INVALID_OUTPUT for values that are not finite, and for a flat output from an input
 *   that is not
 */
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
