/** Validates the network's output tile by tile, before the result may be published. */
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
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

/** Checks a tile, or one that comes in parts: the output of a part first, then its input. */
export interface TileCheck {
  /**
   * @param finite whether every value of the network's output was finite
   * @throws EnlargerError INVALID_OUTPUT if not
   */
  addOutput(view: SampleView, width: number, height: number, finite: boolean): void;
  addInput(view: SampleView, width: number, height: number): void;
  /** @throws EnlargerError INVALID_OUTPUT for a flat output from an input that is not */
  end(): void;
}

export function createTileCheck(): TileCheck {
  let outputVaries = false;
  let inputVaries = false;
  return {
    addOutput(view, width, height, finite) {
      if (!finite)
        throw new EnlargerError('INVALID_OUTPUT', 'The network gave values that are not numbers.');
      outputVaries ||= varies(view, width, height, 0);
    },
    addInput(view, width, height) {
      if (!outputVaries)
        inputVaries ||= varies(view, width, height, flatShare * (2 ** view.bits - 1));
    },
    end() {
      if (outputVaries || !inputVaries) return;
      throw new EnlargerError(
        'INVALID_OUTPUT',
        'The network gave one flat colour for a part of the picture that is not flat.',
      );
    },
  };
}
