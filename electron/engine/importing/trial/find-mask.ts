/**
 * Finds how a network that gives a mask is used: it is shown drawn scenes in each of the ways in which such
 * networks take pictures, and the way in which it finds the subjects of most scenes is taken for its own.
 */
import { sigmoid, tensorOf } from '../../tiles/mask-tensor.ts';
import type { MaskNetworkDescriptor } from '../../../contract/models/model.ts';
import type { TrialOutput } from '../../inference/sessions/trial-session.ts';
import { tensorShape } from '../../tiles/tensor-pixels.ts';
import { refused } from '../../onnx/refused.ts';
import type { MaskNetworkContract } from '../../protocol/importing.ts';
import type { Trial } from './find-upscaler.ts';
import { drawScenes, type Scene } from './scenes.ts';

export const notNumbers = () =>
  refused('The network gives values that are not numbers. Its weights are damaged.');

type Values = Pick<MaskNetworkDescriptor, 'range' | 'mean' | 'deviation'> & {
  /** A way that is used with one order of colours alone names it. */
  channels?: MaskNetworkDescriptor['channels'];
};

const likeliestWay: Values = {
  range: [0, 1],
  mean: [0.485, 0.456, 0.406],
  deviation: [0.229, 0.224, 0.225],
};
/** The ways in which networks take pictures; the likeliest comes first. */
const ways: Values[] = [
  likeliestWay,
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

/** A subject is found where the mask's mean error is below this share of what an empty mask would have. */
const foundBelow = 0.5;
/** A way that finds so many fewer subjects than the best one is not tried any further. */
const droppedBy = 2;
/** A network that takes any size is given this short side, which is usual for those that find subjects. */
const usualShortSidePx = 512;

interface Way extends Values {
  channels: MaskNetworkContract['channels'];
}

/** What a way came to over the scenes so far; a score for each plane of the answer. */
interface Trials {
  way: Way;
  planes: PlaneScore[];
}

interface PlaneScore {
  plane: number;
  /** Subjects found. */
  found: number;
  /** Sum of the mean errors of all scenes, 0..1 each. */
  error: number;
  /** Whether every value so far was within 0..1; values that leave it count as logits. */
  isMask: boolean;
}

/** Finds the contract; `first` is the mask that was given for a photograph. @throws EnlargerError MODEL_REFUSED */
export async function findMask(
  trial: Trial & { size: { width: number; height: number } },
  first: TrialOutput,
  multiple: number,
): Promise<{ contract: MaskNetworkContract; notes: string[] }> {
  const scenes = drawScenes(trial.size.width, trial.size.height);
  const show = async ({ way, planes }: Trials, scene: Scene): Promise<Trials> => {
    const tensor = tensorOf(scene.colours, { layout: trial.layout, ...way });
    const answers = await trial.run(tensorShape(trial, scene), tensor);
    const answer = answers.find(({ name }) => name === first.name);
    return { way, planes: answer ? scored(planes, answer, scene.mask) : planes };
  };
  const inEachWay = async (tried: Way[]): Promise<Trials[]> => {
    let left: Trials[] = tried.map((way) => ({ way, planes: [] }));
    for (const scene of scenes) {
      const shown: Trials[] = [];
      for (const trials of left) shown.push(await show(trials, scene));
      const most = Math.max(...shown.map((trials) => bestPlane(trials).found));
      left = shown.filter((trials) => bestPlane(trials).found > most - droppedBy);
    }
    return left;
  };
  const redFirst = bestOf(await inEachWay(ways.map((way) => ({ channels: 'RGB', ...way }))));
  const blueFirst =
    redFirst.way.channels === 'RGB' ? await inEachWay([{ ...redFirst.way, channels: 'BGR' }]) : [];
  const best = bestOf([redFirst, ...blueFirst]);
  const { found, error, isMask, plane: outputPlane } = bestPlane(best);
  if (Number.isNaN(error)) throw notNumbers();
  const { range, mean, deviation, channels } = best.way;
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
      outputPlane,
      activation: isMask ? 'none' : 'sigmoid',
      matting: false,
    },
    notes:
      found > 0
        ? []
        : [
            'It found the subject of none of six drawn scenes: it may be made for other subjects, or take values in another way. Look at a result, and correct its contract if need be.',
          ],
  };
}

function sizeOf(
  { fixedPx, size }: Trial & { size: { width: number; height: number } },
  multiple: number,
): MaskNetworkContract['size'] {
  return fixedPx === undefined
    ? { kind: 'free', shortSidePx: usualShortSidePx, multiple }
    : { kind: 'fixed', ...size };
}

/** Rounding may lead a mask's values this far out of 0..1. */
const allowedBeyond = 0.01;

/** Adds what an answer's planes come to beside the true mask. */
function scored(before: PlaneScore[], { data }: TrialOutput, mask: Float32Array): PlaneScore[] {
  const pixels = mask.length;
  const area = mask.reduce((sum, value) => sum + value, 0) / pixels;
  return Array.from({ length: Math.floor(data.length / pixels) }, (_, plane) => {
    const values = data.subarray(plane * pixels, (plane + 1) * pixels);
    const isMask = values.every((value) => value >= -allowedBeyond && value <= 1 + allowedBeyond);
    const own = meanError(values, mask, isMask);
    const { found, error, isMask: wasMask } = before[plane] ?? { found: 0, error: 0, isMask: true };
    return {
      plane,
      found: found + (own < foundBelow * area ? 1 : 0),
      error: error + own,
      isMask: wasMask && isMask,
    };
  });
}

const isBetter = (one: PlaneScore, other: PlaneScore) =>
  Number.isNaN(other.error) ||
  one.found > other.found ||
  (one.found === other.found && one.error < other.error);

const noPlane: PlaneScore = { plane: 0, found: 0, error: NaN, isMask: true };

const bestPlane = ({ planes }: Trials): PlaneScore =>
  planes.reduce((best, plane) => (isBetter(plane, best) ? plane : best), noPlane);

/** The likelier way comes first and stays where another one is no better. */
const bestOf = ([likeliest, ...others]: readonly Trials[]): Trials =>
  others.reduce(
    (best, other) => (isBetter(bestPlane(other), bestPlane(best)) ? other : best),
    likeliest ?? { way: { channels: 'RGB', ...likeliestWay }, planes: [] },
  );

function meanError(values: Float32Array, mask: Float32Array, isMask: boolean): number {
  let sum = 0;
  for (const [i, value] of values.entries()) {
    const found = isMask ? value : sigmoid(value);
    sum += Math.abs(found - (mask[i] as number));
  }
  return sum / values.length;
}
