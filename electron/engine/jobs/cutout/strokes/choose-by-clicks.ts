/**
 * Corrects a mask by points and strokes, with a network that knows the photo's features: the object that a stroke
 * touches is kept or removed as a whole.
 */
import type { Size } from '../../../../contract/geometry.ts';
import type { Stroke } from '../../../../contract/options/strokes.ts';
import { boxOf, distancesTo, minRadiusPx } from '../../../../../packages/painting/src/index.ts';
import type { YieldTurn } from '../../../cancellation/yield.ts';
import type { ClickRequest } from '../../../inference/protocol.ts';
import type { InferenceThread } from '../../../inference/thread.ts';
import type { ClickNetworkFile } from '../../../protocol/messages.ts';
import { resampledTo } from '../../../raster/planes/resample.ts';
import type { Colours } from '../../../raster/planes/plane.ts';
import type { FeatureTensor, Mask } from '../../../tiles/mask-tensor.ts';
import { withReach } from './click-reach.ts';
import { selectsBox } from './look-in-boxes.ts';

/** How clicks of one photo are answered. */
export interface ClickTools {
  inference: Pick<InferenceThread, 'runClicks'>;
  network: ClickNetworkFile;
  features: FeatureTensor[];
  /** The photo's, 0..1, of any size. */
  colours: Colours;
  /** Of every request. */
  options: Pick<ClickRequest, 'preempts' | 'keepAliveMs' | 'budget'>;
}

/** Whether a stroke selects the whole object that it touches. */
export const selectsObject = ({ selects, hardness }: Stroke): boolean =>
  selects === 'object' && hardness === undefined;

/**
 * Returns the mask after each stroke from `first` on that selects an object. It is seen together with all before it. The
 * network runs twice a stroke: the second run sees the first one's mask with what the strokes reach by their colours.
 *
 * @param before the mask that the stroke at `first` corrects; of any size
 * @throws EnlargerError, and as `yieldTurn`, which is called after each stroke
 */
export async function chooseByClicks(
  { inference, network, features, colours, options }: ClickTools,
  before: Mask,
  strokes: readonly Stroke[],
  yieldTurn: YieldTurn,
  first = 0,
): Promise<Mask[]> {
  const size = { width: network.hintWidth, height: network.hintHeight };
  const [red, green, blue] = colours;
  const small: Colours = [
    resampledTo(red, size),
    resampledTo(green, size),
    resampledTo(blue, size),
  ];
  const run = (hints: Float32Array) =>
    inference.runClicks({ network, features, hints, ...options });
  const masks: Mask[] = [];
  for (let count = first + 1; count <= strokes.length; count += 1) {
    const stroke = strokes[count - 1];
    if (stroke === undefined || !selectsObject(stroke)) continue;
    const hints = hintsOf(
      resampledTo(masks.at(-1) ?? before, size),
      strokes.slice(0, count),
      network.clickRadius,
    );
    const answer = resampledTo(await run(hints), size);
    await yieldTurn();
    hints.set(withReach(answer, small, hints).data);
    masks.push(await run(hints));
    await yieldTurn();
  }
  return masks;
}

/**
 * The network's hints: the mask, and two planes that are 1 along the middle of the strokes that keep and of those
 * that remove. Brushes are broader than what people mean, so that their breadth is not shown. Where strokes cross,
 * the later one counts.
 *
 * @param radius of a stroke's line, as a share of each side
 */
export function hintsOf(mask: Mask, strokes: readonly Stroke[], radius: number): Float32Array {
  const { width, height } = mask;
  const pixels = width * height;
  const hints = new Float32Array(3 * pixels);
  hints.set(mask.data);
  for (const stroke of strokes) {
    if (selectsBox(stroke)) continue;
    const [own, other] = stroke.kind === 'keep' ? [pixels, 2 * pixels] : [2 * pixels, pixels];
    for (const at of pixelsAlong(stroke, mask, radius)) {
      hints[own + at] = 1;
      hints[other + at] = 0;
    }
  }
  return hints;
}

/** Indices of the pixels along a stroke's middle. */
function pixelsAlong({ points }: Stroke, size: Size, radius: number): number[] {
  const { width, height } = size;
  const path = {
    points: points.map(([x, y]): [number, number] => [x * width, y * height]),
    across: Math.max(minRadiusPx, radius * width),
    down: Math.max(minRadiusPx, radius * height),
  };
  const box = boxOf(path, size, 0);
  if (box === undefined) return [];
  const found: number[] = [];
  for (const [i, distance] of distancesTo(path, box).data.entries())
    if (distance <= 1)
      found.push((box.y + Math.floor(i / box.width)) * width + box.x + (i % box.width));
  return found;
}
