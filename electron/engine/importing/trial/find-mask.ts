/**
 * Finds how a network that gives a mask is used: it is shown a ball before a plain ground in each of the ways
 * in which such networks take pictures, and the way in which it finds the ball is taken for its own.
 */
import { sigmoid, tensorOf } from '../../tiles/mask-tensor.ts';
import type { MaskNetworkDescriptor } from '../../../contract/models/model.ts';
import type { TrialAnswer } from '../../inference/sessions/trial-session.ts';
import { tensorShape } from '../../tiles/tensor-pixels.ts';
import { refused } from '../../onnx/refused.ts';
import type { MaskContract } from '../../protocol/importing.ts';
import type { Trial } from './find-upscaler.ts';
import { subject } from './sample.ts';

export const notNumbers = () =>
  refused('The network gives values that are not numbers. Its weights are damaged.');

type Values = Pick<MaskNetworkDescriptor, 'range' | 'mean' | 'deviation'> & {
  /** A way that is used with one order of colours alone names it. */
  channels?: MaskNetworkDescriptor['channels'];
};

/** The ways in which networks take pictures; the likeliest comes first. */
const ways: Values[] = [
  { range: [0, 1], mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] },
  { range: [0, 1], mean: [0.5, 0.5, 0.5], deviation: [1, 1, 1] },
  { range: [0, 1], mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] },
  { range: [0, 1], mean: [0, 0, 0], deviation: [1, 1, 1] },
  { range: [0, 255], mean: [0, 0, 0], deviation: [1, 1, 1] },
  // SINet (Park 2020) and other portrait networks take off their own pictures' mean, and give values that are
  // 255 times smaller than usual to their weights.
  {
    range: [0, 255],
    mean: [126.91212, 111.25247, 102.890434],
    deviation: [66.355705 * 255, 62.82138 * 255, 62.93292 * 255],
    channels: 'BGR',
  },
];

/** Another way must bring the mask nearer to the ball by this mean difference (masks are 0..1). */
const worthIt = 0.03;
/** Once a mask differs from the ball by less than this, no other way is tried. */
const sure = 0.03;
/** When the best mask differs from the ball by this or more, the network did not find it. */
const unsure = 0.25;
/** A network that takes any size is given this short side, which is usual for those that find subjects. */
const usualShortSidePx = 512;

interface Way extends Values {
  channels: MaskContract['channels'];
  plane: number;
  activation: MaskContract['activation'];
  distance: number;
}

/** Finds the contract; `first` is the mask that was given for a photograph. It throws MODEL_REFUSED. */
export async function findMask(
  trial: Trial & { size: { width: number; height: number } },
  first: TrialAnswer,
  multiple: number,
): Promise<{ contract: MaskContract; notes: string[] }> {
  const { width, height } = trial.size;
  const picture = subject(width, height);
  let best: Way | undefined;
  const tryIn = async (way: Values, channels: Way['channels']) => {
    if (best && best.distance < sure) return;
    const tensor = tensorOf(picture.colours, { layout: trial.layout, channels, ...way });
    const answers = await trial.run(tensorShape(trial, picture), tensor);
    const answer = answers.find(({ name }) => name === first.name);
    if (!answer) return;
    const found = bestPlane(answer, picture.mask);
    if (!best || found.distance < best.distance - worthIt) best = { ...way, channels, ...found };
  };
  for (const way of ways) await tryIn(way, way.channels ?? 'RGB');
  if (best?.channels === 'RGB') await tryIn(best, 'BGR');
  if (!best || Number.isNaN(best.distance)) throw notNumbers();
  const { range, mean, deviation, channels, plane, activation } = best;
  return {
    contract: {
      input: trial.input,
      output: first.name,
      layout: trial.layout,
      channels,
      size: sizeOf(trial, multiple),
      fit: 'stretch',
      range,
      mean,
      deviation,
      outputPlane: plane,
      activation,
      matting: false,
    },
    notes:
      best.distance < unsure
        ? []
        : [
            'It did not find a ball before a plain ground: it may be made for other subjects, or take values in another way. Look at a result, and correct its contract if need be.',
          ],
  };
}

function sizeOf(
  { fixedPx, size }: Trial & { size: { width: number; height: number } },
  multiple: number,
): MaskContract['size'] {
  return fixedPx === undefined
    ? { kind: 'free', shortSidePx: usualShortSidePx, multiple }
    : { kind: 'fixed', ...size };
}

/** Rounding may lead a mask's values this far out of 0..1. */
const allowedBeyond = 0.01;

type Plane = Pick<Way, 'plane' | 'activation' | 'distance'>;

/** Picks the plane that is nearest to the ball; values that leave 0..1 count as logits. */
function bestPlane(answer: TrialAnswer, mask: Float32Array): Plane {
  const pixels = mask.length;
  const planes = Math.floor(answer.data.length / pixels);
  let best: Plane = { plane: 0, activation: 'none', distance: NaN };
  for (let plane = 0; plane < planes; plane += 1) {
    const values = answer.data.subarray(plane * pixels, (plane + 1) * pixels);
    const isMask = values.every((value) => value >= -allowedBeyond && value <= 1 + allowedBeyond);
    const activation = isMask ? 'none' : 'sigmoid';
    const distance = distanceOf(values, mask, isMask);
    if (!(distance >= best.distance)) best = { plane, activation, distance };
  }
  return best;
}

function distanceOf(values: Float32Array, mask: Float32Array, isMask: boolean): number {
  let sum = 0;
  for (const [i, value] of values.entries()) {
    const found = isMask ? value : sigmoid(value);
    sum += Math.abs(found - (mask[i] as number));
  }
  return sum / values.length;
}
