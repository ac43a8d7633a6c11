/**
 * Corrects a mask by points and strokes, with a network that knows the photo's features: the object that a stroke
 * touches is kept or removed as a whole.
 */
import type { Rect, Size } from '../../../../../packages/contract/src/geometry.ts';
import type { Stroke } from '../../../../../packages/contract/src/options/strokes.ts';
import { boxOf, distancesTo, minRadiusPx } from '../../../../../packages/painting/src/index.ts';
import type { YieldTurn } from '../../../cancellation/yield.ts';
import type { ClickRequest } from '../../../inference/protocol.ts';
import type { InferenceThread } from '../../../inference/thread.ts';
import type { ClickNetworkFile } from '../../../protocol/messages.ts';
import { resampledTo } from '../../../raster/planes/resample.ts';
import { planeIn, type Colours } from '../../../raster/planes/plane.ts';
import { logitOf, sigmoid, type Mask } from '../../../tiles/mask-tensor.ts';
import { withReach } from './click-reach.ts';
import type { CloserLook, LookCloser, PhotoFeatures } from './closer-look.ts';
import { fineAsPart, selectsBox } from './look-in-boxes.ts';

/** How clicks of one photo are answered. */
export interface ClickTools extends PhotoFeatures {
  inference: Pick<InferenceThread, 'runClicks'>;
  network: ClickNetworkFile;
  photo: Size;
  lookCloser: LookCloser;
  /** Of every request. */
  options: Pick<ClickRequest, 'preempts' | 'keepAliveMs' | 'budget'>;
}

/** Whether a stroke selects the whole object that it touches. */
export const selectsObject = ({ selects, hardness }: Stroke): boolean =>
  selects === 'object' && hardness === undefined;

/**
 * Returns the mask after each stroke from `first` on that selects an object. It is seen together with all before it. A
 * small subject is looked at alone.
 *
 * @param before the mask that the stroke at `first` corrects; of any size
 * @throws EnlargerError, and as `yieldTurn`, which is called after each stroke
 */
export async function chooseByClicks(
  tools: ClickTools,
  before: Mask,
  strokes: readonly Stroke[],
  yieldTurn: YieldTurn,
  first = 0,
): Promise<Mask[]> {
  const { lookCloser, photo } = tools;
  const masks: Mask[] = [];
  for (let count = first + 1; count <= strokes.length; count += 1) {
    const stroke = strokes[count - 1];
    if (stroke === undefined || !selectsObject(stroke)) continue;
    const known = masks.at(-1) ?? before;
    const seen = strokes.slice(0, count);
    const look = await lookCloser(known, seen);
    masks.push(
      look
        ? await answerCloser(
            { ...tools, ...look },
            known,
            strokesIn(look.part, seen, photo),
            yieldTurn,
          )
        : await answer(tools, known, seen, yieldTurn),
    );
    await yieldTurn();
  }
  return masks;
}

/** Runs the network twice: the second run sees the first one's mask with what the strokes reach by their colours. */
async function answer(
  { inference, network, features, colours: [red, green, blue], options }: ClickTools,
  before: Mask,
  strokes: readonly Stroke[],
  yieldTurn: YieldTurn,
): Promise<Mask> {
  const size = { width: network.hintWidth, height: network.hintHeight };
  const small: Colours = [
    resampledTo(red, size),
    resampledTo(green, size),
    resampledTo(blue, size),
  ];
  const run = (hints: Float32Array) =>
    inference.runClicks({ network, features, hints, ...options });
  const hints = hintsOf(resampledTo(before, size), strokes, network.clickRadius);
  const found = resampledTo(await run(hints), size);
  await yieldTurn();
  hints.set(withReach(found, small, hints).data);
  return run(hints);
}

/** Of a subject that is seen alone the network takes too much by these logits: its training shows whole photos. */
const closerExcess = 0.7;

/** Returns the photo's mask with the answer of a part in it, as fine as that. */
async function answerCloser(
  tools: ClickTools & CloserLook,
  before: Mask,
  strokes: readonly Stroke[],
  yieldTurn: YieldTurn,
): Promise<Mask> {
  const { network, part, photo } = tools;
  const fine = { width: network.hintWidth, height: network.hintHeight };
  const { mask, place } = fineAsPart(before, fine, part, photo);
  const found = resampledTo(await answer(tools, planeIn(mask, place), strokes, yieldTurn), place);
  for (let y = 0; y < place.height; y += 1)
    for (let x = 0; x < place.width; x += 1)
      mask.data[(place.y + y) * mask.width + place.x + x] = sigmoid(
        logitOf(found.data[y * place.width + x] as number) - closerExcess,
      );
  return mask;
}

/** The strokes in shares of a part's sides. */
const strokesIn = (part: Rect, strokes: readonly Stroke[], { width, height }: Size): Stroke[] =>
  strokes.map((stroke) => ({
    ...stroke,
    points: stroke.points.map(([x, y]) => [
      (x * width - part.x) / part.width,
      (y * height - part.y) / part.height,
    ]),
  }));

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
