/**
 * Finds by running how a network that gives a picture is used: its scale, what it cuts off, its range, the
 * order of its colours, the multiple that its sides must be of, and the margin at which tiles equal the
 * whole.
 */
import type { NetworkDescriptor } from '../../../contract/models/model.ts';
import { tensorStrides, tensorShape } from '../../tiles/tensor-pixels.ts';
import type { TrialOutput } from '../../inference/sessions/trial-session.ts';
import { refused } from '../../onnx/refused.ts';
import type { UpscalerContract } from '../../protocol/importing.ts';
import { findOrder, type Order, type OrderTrial } from './find-order.ts';
import { findScale } from './find-scale.ts';
import { measureMargin } from './margin.ts';
import { photograph, sidesOf, type Layout, type TrialPicture, plainTensor } from './sample.ts';

export interface Trial extends Layout {
  input: string;
  /** The length of both sides of a network that takes one size only; else undefined. */
  fixedPx: number | undefined;
  run(shape: readonly number[], values: Float32Array): Promise<TrialOutput[]>;
  /** The number of weights that the network has. */
  weights: number;
}

/** Finds the contract; `first` is the answer to a photograph of `sizePx` in 0..1. It throws MODEL_REFUSED. */
export async function findUpscaler(
  trial: Trial,
  first: TrialOutput,
  sizePx: number,
): Promise<{ contract: UpscalerContract; notes: string[] }> {
  const runOn = runsOf(trial, first.name);
  const givenPx = sideGiven(trial, first);
  const { scale, trimPx, multiple } = await findScale(
    { fixedPx: trial.fixedPx, sizePx, givenPx },
    (px) => outputAt(trial, runOn, px),
  );
  const range = await findRange(trial, runOn, first, sizePx, { scale, trimPx });
  const order: OrderTrial = {
    layout: trial.layout,
    scale,
    trimPx,
    range: range.range,
    run: (picture, channels) => runOn(picture, range.range, channels),
  };
  const channels = await findOrder(order, sizePx);
  const base = {
    scale,
    input: trial.input,
    output: first.name,
    layout: trial.layout,
    channels,
    range: range.range,
    padding: trimPx > 0 ? ('reflect' as const) : ('replicate' as const),
    multiple,
    minSizePx: sizePx,
    ...(trial.fixedPx !== undefined && { fixedPx: trial.fixedPx }),
    ...(trimPx > 0 && { trimPx }),
  };
  const margin = await measureMargin(
    {
      ...trial,
      scale,
      trimPx,
      multiple,
      range: range.range,
      run: (picture) => runOn(picture, range.range, channels),
    },
    sizePx,
  );
  return { contract: { ...base, ...margin }, notes: [...range.notes] };
}

type Range = NetworkDescriptor['range'];

type RunOn = (picture: TrialPicture, range: Range, channels?: Order) => Promise<TrialOutput>;

const runsOf =
  (trial: Trial, output: string): RunOn =>
  async (picture, range, channels) => {
    const tensor = plainTensor(picture, trial, range, channels);
    const answers = await trial.run(tensorShape(trial, picture), tensor);
    const answer = answers.find(({ name }) => name === output);
    if (!answer) throw new Error(`no output ${output}`);
    return answer;
  };

/** Answers the side of an output, which must be a square of three colours. It throws MODEL_REFUSED. */
function sideGiven(trial: Layout, answer: TrialOutput): number {
  const { channels, width, height } = sidesOf(trial, answer.shape);
  if (channels !== 3 || width !== height)
    throw refused(
      `The network gives ${answer.shape.join(' x ')} for a square picture; three colours of a square are expected.`,
    );
  return width;
}

/** Answers the side of the output for a square; undefined when the network cannot take that size. */
async function outputAt(trial: Trial, runOn: RunOn, sizePx: number): Promise<number | undefined> {
  try {
    return sideGiven(trial, await runOn(photograph(sizePx, sizePx), [0, 1]));
  } catch {
    return undefined;
  }
}

const ranges: Range[] = [
  [0, 1],
  [0, 255],
  [-1, 1],
];

/** Below this mean difference (a share of the range) the output is plainly the same picture. */
const plainly = 0.1;
/** From this mean difference on, the output is hardly the same picture. */
const hardly = 0.3;

async function findRange(
  trial: Trial,
  runOn: RunOn,
  first: TrialOutput,
  sizePx: number,
  { scale, trimPx }: { scale: number; trimPx: number },
): Promise<{ range: Range; notes: string[] }> {
  const picture = photograph(sizePx, sizePx);
  let best: { range: Range; difference: number } | undefined;
  for (const range of ranges) {
    const answer = range[1] === 1 && range[0] === 0 ? first : await runOn(picture, range);
    const difference = differenceFrom(trial, answer, picture, range, { scale, trimPx });
    // The first range is the usual one, so another must be much better.
    if (!best || difference < best.difference / 2) best = { range, difference };
    if (best.difference < plainly) break;
  }
  const { range, difference } = best as { range: Range; difference: number };
  const notes =
    difference < hardly
      ? []
      : [
          `What it gives hardly resembles what it was given (they differ by ${Math.round(100 * difference)} % of the range).`,
        ];
  return { range, notes };
}

/** Measures the mean difference from the picture with its pixels repeated, as a share of the range. */
function differenceFrom(
  trial: Layout,
  answer: TrialOutput,
  picture: TrialPicture,
  range: Range,
  { scale, trimPx }: { scale: number; trimPx: number },
): number {
  const { width, height } = sidesOf(trial, answer.shape);
  const { pixel, colour } = tensorStrides(trial, width * height);
  let sum = 0;
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor((y + trimPx) / scale) * picture.width;
    for (let x = 0; x < width; x += 1) {
      const from = (row + Math.floor((x + trimPx) / scale)) * 3;
      for (let band = 0; band < 3; band += 1) {
        const value = answer.data[(y * width + x) * pixel + band * colour] as number;
        const found = (value - range[0]) / (range[1] - range[0]);
        sum += Math.min(Math.abs(found - (picture.colours[from + band] as number)), 1);
      }
    }
  }
  return sum / (width * height * 3);
}
