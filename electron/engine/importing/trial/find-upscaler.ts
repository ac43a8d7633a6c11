/**
 * Finds by running how an upscaler is used: scale, cropped border, range, channel order, size multiple, and
 * the margin from which tiles equal the whole.
 */
import { note } from '../../../../packages/contract/src/notes/notes.ts';
import type { NetworkDescriptor } from '../../../../packages/contract/src/models/model.ts';
import { tensorStrides, tensorShape, type TensorLayout } from '../../tiles/tensor-pixels.ts';
import type { TrialOutput } from '../../inference/sessions/trial-session.ts';
import { refused } from '../../../../packages/onnx/src/index.ts';
import type { UpscalerContract } from '../../protocol/importing.ts';
import { findOrder, type ChannelOrder, type OrderTrial } from './find-order.ts';
import { findScale } from './find-scale.ts';
import { measureMargin } from './margin.ts';
import { photograph, sidesOf, type TrialPicture, plainTensor } from './sample.ts';

export interface Trial extends TensorLayout {
  input: string;
  /** Side of a network with a fixed size; undefined: any size. */
  fixedPx: number | undefined;
  run(shape: readonly number[], values: Float32Array): Promise<TrialOutput[]>;
  /** Number of weights. */
  weights: number;
}

/**
 * Finds the contract.
 *
 * @param first the output for a photograph of `sizePx` in 0..1
 * @throws EnlargerError MODEL_REFUSED
 */
export async function findUpscaler(
  trial: Trial,
  first: TrialOutput,
  sizePx: number,
): Promise<{ contract: UpscalerContract; notes: string[] }> {
  const runOn = runsOf(trial, first.name);
  const givenPx = outputSide(trial, first);
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

type ValueRange = NetworkDescriptor['range'];

type RunOn = (
  picture: TrialPicture,
  range: ValueRange,
  channels?: ChannelOrder,
) => Promise<TrialOutput>;

const runsOf =
  (trial: Trial, outputName: string): RunOn =>
  async (picture, range, channels) => {
    const tensor = plainTensor(picture, trial, range, channels);
    const outputs = await trial.run(tensorShape(trial, picture), tensor);
    const output = outputs.find(({ name }) => name === outputName);
    if (!output) throw new Error(`no output ${outputName}`);
    return output;
  };

/** Side of an output, which must be a square of three colours. @throws EnlargerError MODEL_REFUSED */
function outputSide(trial: TensorLayout, output: TrialOutput): number {
  const { channels, width, height } = sidesOf(trial, output.shape);
  if (channels !== 3 || width !== height)
    throw refused(
      `The network gives ${output.shape.join(' x ')} for a square picture; three colours of a square are expected.`,
    );
  return width;
}

/** Side of the output for a square; undefined if the network cannot take that size. */
async function outputAt(trial: Trial, runOn: RunOn, sizePx: number): Promise<number | undefined> {
  try {
    return outputSide(trial, await runOn(photograph(sizePx, sizePx), [0, 1]));
  } catch {
    return undefined;
  }
}

const ranges: ValueRange[] = [
  [0, 1],
  [0, 255],
  [-1, 1],
];

/** Mean difference, as a share of the range, below which the output clearly is the same picture. */
const clearDifference = 0.1;
/** Mean difference from which on the output hardly is the same picture. */
const poorDifference = 0.3;

async function findRange(
  trial: Trial,
  runOn: RunOn,
  first: TrialOutput,
  sizePx: number,
  { scale, trimPx }: { scale: number; trimPx: number },
): Promise<{ range: ValueRange; notes: string[] }> {
  const picture = photograph(sizePx, sizePx);
  let best: { range: ValueRange; difference: number } | undefined;
  for (const range of ranges) {
    const output = range[1] === 1 && range[0] === 0 ? first : await runOn(picture, range);
    const difference = differenceFrom(trial, output, picture, range, { scale, trimPx });
    // The first range is the most common, so another must be much better.
    if (!best || difference < best.difference / 2) best = { range, difference };
    if (best.difference < clearDifference) break;
  }
  const { range, difference } = best as { range: ValueRange; difference: number };
  const notes =
    difference < poorDifference
      ? []
      : [note('HARDLY_RESEMBLES', { percent: Math.round(100 * difference) })];
  return { range, notes };
}

/** Mean difference from the nearest-neighbour enlargement, as a share of the range. */
function differenceFrom(
  trial: TensorLayout,
  output: TrialOutput,
  picture: TrialPicture,
  range: ValueRange,
  { scale, trimPx }: { scale: number; trimPx: number },
): number {
  const { width, height } = sidesOf(trial, output.shape);
  const { pixel, colour } = tensorStrides(trial, width * height);
  let sum = 0;
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor((y + trimPx) / scale) * picture.width;
    for (let x = 0; x < width; x += 1) {
      const from = (row + Math.floor((x + trimPx) / scale)) * 3;
      for (let band = 0; band < 3; band += 1) {
        const value = output.data[(y * width + x) * pixel + band * colour] as number;
        const found = (value - range[0]) / (range[1] - range[0]);
        sum += Math.min(Math.abs(found - (picture.colours[from + band] as number)), 1);
      }
    }
  }
  return sum / (width * height * 3);
}
