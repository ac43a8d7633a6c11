/**
 * Finds how a mask network takes pictures: it is shown drawn scenes in each known way, and the way in which
 * it finds the most subjects is chosen.
 */
import { note } from '../../../../packages/contract/src/notes/notes.ts';
import { sigmoid, tensorOf } from '../../tiles/mask-tensor.ts';
import type { MaskNetworkDescriptor } from '../../../../packages/contract/src/models/model.ts';
import type { TrialOutput } from '../../inference/sessions/trial-session.ts';
import { tensorShape } from '../../tiles/tensor-pixels.ts';
import { refused } from '../../../../packages/onnx/src/index.ts';
import type { MaskNetworkContract } from '../../protocol/importing.ts';
import type { Trial } from './find-upscaler.ts';
import { drawScenes, type Scene } from './scenes.ts';
import type { TrialProgress } from './trial-progress.ts';

export const notNumbers = () =>
  refused('The network gives values that are not numbers. Its weights are damaged.');

type WayValues = Pick<MaskNetworkDescriptor, 'range' | 'mean' | 'deviation'> & {
  /** Set for a way that is used with one order of colours only. */
  channels?: MaskNetworkDescriptor['channels'];
};

const defaultInput: WayValues = {
  range: [0, 1],
  mean: [0.485, 0.456, 0.406],
  deviation: [0.229, 0.224, 0.225],
};
/** Known ways in which networks take pictures, the likeliest first. */
const inputWays: WayValues[] = [
  defaultInput,
  { range: [0, 1], mean: [0.5, 0.5, 0.5], deviation: [1, 1, 1] },
  { range: [0, 1], mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] },
  { range: [0, 1], mean: [0, 0, 0], deviation: [1, 1, 1] },
  { range: [0, 255], mean: [0, 0, 0], deviation: [1, 1, 1] },
  // SINet (Park 2020) and other portrait networks subtract the mean of their own data set, and feed values
  // that are 255 times smaller than usual.
  {
    range: [0, 255],
    mean: [126.91212, 111.25247, 102.890434],
    deviation: [66.355705 * 255, 62.82138 * 255, 62.93292 * 255],
    channels: 'BGR',
  },
];

/** Share of an empty mask's mean error below which a subject counts as found. */
const maxErrorShare = 0.5;
/** Ways that find this many fewer subjects than the best one are dropped. */
const maxDeficit = 2;
/** After two scenes one fewer suffices if the mean error is greater by this, about a third of a subject's area. */
const clearLead = 0.06;
const minScenesForLead = 2;
/** Short side for a network of any size, typical of subject detection. */
const defaultShortSidePx = 512;

interface InputWay extends WayValues {
  channels: MaskNetworkContract['channels'];
}

/** Results of a way over the scenes so far, with a score for each plane of the output. */
interface WayResult {
  way: InputWay;
  planes: PlaneScore[];
}

interface PlaneScore {
  plane: number;
  /** Number of subjects found. */
  found: number;
  /** Sum of the mean errors of all scenes, 0..1 each. */
  error: number;
  /** Whether every value so far was within 0..1; otherwise values are logits. */
  isMask: boolean;
}

type MaskTrial = Trial & { size: { width: number; height: number } } & Pick<
    TrialProgress,
    'expect'
  >;

/** Finds the contract. @param first the mask for a photograph @throws EnlargerError MODEL_REFUSED */
export async function findMask(
  trial: MaskTrial,
  first: TrialOutput,
  multiple: number,
): Promise<{ contract: MaskNetworkContract; notes: string[] }> {
  const scenes = drawScenes(trial.size.width, trial.size.height);
  const show = async ({ way, planes }: WayResult, scene: Scene): Promise<WayResult> => {
    const tensor = tensorOf(scene.colours, { layout: trial.layout, ...way });
    const outputs = await trial.run(tensorShape(trial, scene), tensor);
    const output = outputs.find(({ name }) => name === first.name);
    return { way, planes: output ? scored(planes, output, scene.mask) : planes };
  };
  const inEachWay = async (tried: InputWay[], runsAfter: number): Promise<WayResult[]> => {
    let remaining: WayResult[] = tried.map((way) => ({ way, planes: [] }));
    for (const [i, scene] of scenes.entries()) {
      trial.expect(remaining.length * (scenes.length - i) + runsAfter);
      const results: WayResult[] = [];
      for (const trials of remaining) results.push(await show(trials, scene));
      remaining = results.filter((result) => !isBehind(result, results, i + 1));
    }
    return remaining;
  };
  const redFirst = bestOf(
    await inEachWay(
      inputWays.map((way) => ({ channels: 'RGB', ...way })),
      scenes.length,
    ),
  );
  const blueFirst =
    redFirst.way.channels === 'RGB'
      ? await inEachWay([{ ...redFirst.way, channels: 'BGR' }], 0)
      : [];
  const best = blueFirst.find((blue) => isClearlyBetter(blue, redFirst)) ?? redFirst;
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
    notes: found > 0 ? [] : [note('NO_SUBJECT_FOUND')],
  };
}

function sizeOf(
  { fixedPx, size }: Pick<MaskTrial, 'fixedPx' | 'size'>,
  multiple: number,
): MaskNetworkContract['size'] {
  return fixedPx === undefined
    ? { kind: 'free', shortSidePx: defaultShortSidePx, multiple }
    : { kind: 'fixed', ...size };
}

/** Tolerance beyond 0..1 for rounding errors. */
const rangeTolerance = 0.01;

/** Adds the scores of an output's planes against the true mask. */
function scored(before: PlaneScore[], { data }: TrialOutput, mask: Float32Array): PlaneScore[] {
  const pixels = mask.length;
  const area = mask.reduce((sum, value) => sum + value, 0) / pixels;
  return Array.from({ length: Math.floor(data.length / pixels) }, (_, plane) => {
    const values = data.subarray(plane * pixels, (plane + 1) * pixels);
    const isMask = values.every((value) => value >= -rangeTolerance && value <= 1 + rangeTolerance);
    const own = meanError(values, mask, isMask);
    const { found, error, isMask: wasMask } = before[plane] ?? { found: 0, error: 0, isMask: true };
    return {
      plane,
      found: found + (own < maxErrorShare * area ? 1 : 0),
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

const bestPlane = ({ planes }: WayResult): PlaneScore =>
  planes.reduce((best, plane) => (isBetter(plane, best) ? plane : best), noPlane);

/** Whether a way finds so much less than the best one that it need not be tried further. */
function isBehind(result: WayResult, all: readonly WayResult[], scenes: number): boolean {
  const own = bestPlane(result);
  const best = all.map(bestPlane).reduce((one, other) => (isBetter(other, one) ? other : one), own);
  const deficit = best.found - own.found;
  if (deficit >= maxDeficit) return true;
  const lead = (own.error - best.error) / scenes;
  return deficit > 0 && scenes >= minScenesForLead && lead > clearLead;
}

/** Errors of networks to which the order of colours matters differ by more. */
const clearShare = 0.9;

/** Whether the unlikelier order of colours finds more, or the same with a distinctly smaller error. */
function isClearlyBetter(result: WayResult, other: WayResult): boolean {
  const [own, before] = [bestPlane(result), bestPlane(other)];
  return (
    own.found > before.found ||
    (own.found === before.found && own.error < clearShare * before.error)
  );
}

/** The likelier way comes first and stays unless another one is better. */
const bestOf = ([likeliest, ...others]: readonly WayResult[]): WayResult =>
  others.reduce(
    (best, other) => (isBetter(bestPlane(other), bestPlane(best)) ? other : best),
    likeliest ?? { way: { channels: 'RGB', ...defaultInput }, planes: [] },
  );

function meanError(values: Float32Array, mask: Float32Array, isMask: boolean): number {
  let sum = 0;
  for (const [i, value] of values.entries()) {
    const found = isMask ? value : sigmoid(value);
    sum += Math.abs(found - (mask[i] as number));
  }
  return sum / values.length;
}
