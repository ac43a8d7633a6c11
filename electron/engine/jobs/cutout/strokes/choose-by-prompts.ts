/**
 * Corrects a mask with a network that takes prompts: what a point or a box means is selected, then added to the subject
 * or taken away from it.
 */
import type { Rect, Size } from '../../../../../packages/contract/src/geometry.ts';
import type { Stroke } from '../../../../../packages/contract/src/options/strokes.ts';
import type { YieldTurn } from '../../../cancellation/yield.ts';
import type { PromptRequest } from '../../../inference/protocol.ts';
import type { InferenceThread } from '../../../inference/thread.ts';
import type { PromptNetworkFile } from '../../../protocol/messages.ts';
import { createPlane } from '../../../raster/planes/plane.ts';
import { resampledTo } from '../../../raster/planes/resample.ts';
import type { FeatureTensor, Mask } from '../../../tiles/mask-tensor.ts';
import type { Prompt } from '../../../tiles/prompt-tensors.ts';
import { selectsObject } from './choose-by-clicks.ts';
import type { SeenMask } from './look-in-boxes.ts';

/** How prompts of one photo are answered. */
export interface PromptTools {
  inference: Pick<InferenceThread, 'answerPrompts'>;
  network: PromptNetworkFile;
  features: FeatureTensor[];
  /** The photo's size within the encoder's square. */
  picture: Size;
  /** Of every request. */
  options: Pick<PromptRequest, 'preempts' | 'keepAliveMs' | 'budget'>;
}

/** A mask, and 1 where it was decided by what was selected. */
export interface ChosenMask {
  mask: Mask;
  decided: Mask;
}

/**
 * Returns the mask after the strokes from `first` on that select objects; undefined if there are none. Earlier strokes
 * of the other kind say what the object is not.
 *
 * @param before the mask that the stroke at `first` corrects; of any size
 * @throws EnlargerError, and as `yieldTurn`, which is called after each stroke
 */
export async function chooseByPrompts(
  tools: PromptTools,
  before: Mask,
  strokes: readonly Stroke[],
  yieldTurn: YieldTurn,
  first = 0,
): Promise<ChosenMask | undefined> {
  let chosen: ChosenMask | undefined;
  for (let at = first; at < strokes.length; at += 1) {
    const stroke = strokes[at];
    const prompts = stroke && selectsObject(stroke) ? promptsOf(stroke, strokes.slice(0, at)) : [];
    if (!stroke || !prompts.some(({ label }) => label === 1)) continue;
    const object = await ask(tools, prompts);
    chosen = combined(chosen ?? { mask: before, decided: emptyLike(before) }, object, stroke.kind);
    await yieldTurn();
  }
  return chosen;
}

/** Selects what a box holds. */
export async function objectInBox(
  tools: PromptTools,
  { points }: Stroke,
  photo: Size,
): Promise<SeenMask> {
  const [xs, ys] = [0, 1].map((axis) => points.map((point) => inside(point[axis] ?? 0))) as [
    number[],
    number[],
  ];
  const found = await ask(tools, [
    { label: 2, x: Math.min(...xs), y: Math.min(...ys) },
    { label: 3, x: Math.max(...xs), y: Math.max(...ys) },
  ]);
  return { found, seen: { x: 0, y: 0, ...photo } satisfies Rect };
}

const ask = (
  { inference, network, features, picture, options }: PromptTools,
  prompts: readonly Prompt[],
): Promise<Mask> => inference.answerPrompts({ network, features, picture, prompts, ...options });

const inside = (share: number) => Math.min(1, Math.max(0, share));

/** Most points of a stroke. */
const maxPoints = 5;

/** The object's points, and those of earlier strokes on what it is not. */
function promptsOf(stroke: Stroke, earlier: readonly Stroke[]): Prompt[] {
  const others = earlier.filter((one) => selectsObject(one) && one.kind !== stroke.kind);
  return [...promptsAlong(stroke, 1), ...others.flatMap((other) => promptsAlong(other, 0))];
}

/** Points on the photo, evenly along a stroke. */
function promptsAlong({ points }: Stroke, label: 0 | 1): Prompt[] {
  const count = Math.min(maxPoints, points.length);
  return Array.from({ length: count }, (_, i) => {
    const at = count === 1 ? 0 : Math.round((i * (points.length - 1)) / (count - 1));
    const [x, y] = points[at] ?? [0, 0];
    return { label, x, y };
  }).filter(({ x, y }) => inside(x) === x && inside(y) === y);
}

const emptyLike = ({ width, height }: Size): Mask => createPlane(width, height);

/** Values below this belong to no object. */
const minObject = 1 / 255;

/** Adds an object or takes it away. The mask becomes as fine as the finer of both. */
function combined(before: ChosenMask, object: Mask, kind: Stroke['kind']): ChosenMask {
  const size = {
    width: Math.max(before.mask.width, object.width),
    height: Math.max(before.mask.height, object.height),
  };
  const [mask, decided, own] = [before.mask, before.decided, object].map((plane) =>
    resampledTo(plane, size),
  ) as [Mask, Mask, Mask];
  for (const [at, value] of own.data.entries()) {
    const known = mask.data[at] as number;
    mask.data[at] = kind === 'keep' ? Math.max(known, value) : Math.min(known, 1 - value);
    if (value >= minObject) decided.data[at] = 1;
  }
  return { mask, decided };
}
