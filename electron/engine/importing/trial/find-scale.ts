/** Finds a network's scale and size constraints from the sizes of its outputs. */
import { refused } from '../../../../packages/onnx/src/index.ts';

/** Supported factors of one pass. */
const scales = [1, 2, 3, 4, 8, 16];
const multiples = [1, 2, 4, 8, 16, 32, 64];

/**
 * The network enlarges by `scale`, crops `trimPx` output pixels from each side, and takes sides in multiples.
 */
export interface ScaleContract {
  scale: number;
  trimPx: number;
  multiple: number;
}

/**
 * Finds the scale.
 *
 * @param givenPx side of the output for `sizePx`
 * @param outputAt the same for other sizes; undefined: not supported
 * @throws EnlargerError MODEL_REFUSED
 */
export async function findScale(
  { fixedPx, sizePx, givenPx }: { fixedPx: number | undefined; sizePx: number; givenPx: number },
  outputAt: (sizePx: number) => Promise<number | undefined>,
): Promise<ScaleContract> {
  if (fixedPx !== undefined) return scaleOfFixed(givenPx, sizePx);
  for (const multiple of multiples) {
    const second = await outputAt(sizePx + multiple);
    const scale = second === undefined ? NaN : (second - givenPx) / multiple;
    const cut = scale * sizePx - givenPx;
    if (!scales.includes(scale) || cut < 0 || cut % 2 !== 0) continue;
    const third = await outputAt(sizePx + 3 * multiple);
    if (third === scale * (sizePx + 3 * multiple) - cut)
      return { scale, trimPx: cut / 2, multiple };
  }
  throw refused(
    `The network gives ${givenPx} pixels for ${sizePx}, and no sizes were found at which it enlarges by a whole number. It cannot be used.`,
  );
}

function scaleOfFixed(outputPx: number, sizePx: number): ScaleContract {
  const scale = outputPx / sizePx;
  if (scales.includes(scale)) return { scale, trimPx: 0, multiple: 1 };
  throw refused(
    `The network takes ${sizePx} pixels a side and gives ${outputPx}, which is not ${scales.join(', ')} times as many. It cannot be used.`,
  );
}

/** @throws EnlargerError MODEL_REFUSED for a fixed size that is not square */
export function assertSquare({ width, height }: { width: number; height: number }): void {
  if (width === height) return;
  throw refused(
    `The network enlarges pieces of ${width} x ${height} pixels only; square ones can be used. Export it with free sides.`,
  );
}
