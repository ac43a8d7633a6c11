/** Finds a network's task and contract from its file and by running it. */
import type { Operation } from '../../../../packages/contract/src/request.ts';
import { firstLine } from '../../inference/devices/device-fault.ts';
import type { TrialOutput, TrialSession } from '../../inference/sessions/trial-session.ts';
import { tensorShape, type TensorLayout } from '../../tiles/tensor-pixels.ts';
import { refused, type TensorInfo } from '../../../../packages/onnx/src/index.ts';
import type { MaskNetworkContract, UpscalerContract } from '../../protocol/importing.ts';
import { findMask, notNumbers } from './find-mask.ts';
import { assertSquare } from './find-scale.ts';
import { findUpscaler, type Trial } from './find-upscaler.ts';
import type { TrialProgress } from './trial-progress.ts';
import { photograph, sidesOf, plainTensor } from './sample.ts';

export type FoundContract =
  | { task: 'upscale'; contract: UpscalerContract; notes: string[] }
  | { task: 'remove-bg'; contract: MaskNetworkContract; notes: string[] };

/**
 * Finds the contract of a network.
 *
 * @param weights its number of weights
 * @throws EnlargerError MODEL_REFUSED with the reason
 */
export async function findContract(
  session: TrialSession,
  input: TensorInfo,
  weights: number,
  { expect }: Pick<TrialProgress, 'expect'>,
): Promise<FoundContract> {
  const inputLayout = inputLayoutOf(input);
  const { layout, size, outputs } = await firstRun(session, inputLayout);
  const fixedPx = inputLayout.fixed ? size.width : undefined;
  const trial: Trial = {
    layout,
    input: input.name,
    fixedPx,
    weights,
    run: (shape, values) => session.run(shape, values),
  };
  const { output, task } = usableOutput(outputs, { layout }, size);
  assertNumbers(output);
  if (task === 'remove-bg') {
    const multiple = inputLayout.fixed ? 1 : 32;
    return { task, ...(await findMask({ ...trial, size, expect }, output, multiple)) };
  }
  assertSquare(size);
  return { task, ...(await findUpscaler(trial, output, size.width)) };
}

interface InputLayout {
  layouts: TensorLayout['layout'][];
  fixed: { width: number; height: number } | undefined;
}

function inputLayoutOf({ name, shape }: TensorInfo): InputLayout {
  if (!shape) return { layouts: ['NCHW', 'NHWC'], fixed: undefined };
  const [batch, a, b, c] = shape;
  if (typeof batch === 'number' && batch > 1)
    throw refused(`The network takes ${batch} pictures at a time; one that takes one can be used.`);
  const layouts: TensorLayout['layout'][] =
    a === 3 ? ['NCHW'] : c === 3 ? ['NHWC'] : typeof a === 'number' ? [] : ['NCHW', 'NHWC'];
  const [layout] = layouts;
  if (layout === undefined)
    throw refused(
      `The network takes ${name.slice(0, 40)} with ${String(a)} channels (${shape.join(' x ')}); pictures have three, red, green and blue.`,
    );
  const [height, width] = layout === 'NCHW' ? [b, c] : [a, b];
  const isFixed =
    typeof height === 'number' && typeof width === 'number' && height > 0 && width > 0;
  return { layouts, fixed: isFixed ? { width, height } : undefined };
}

/** Sides tried on a network of any size, the fastest first. */
const sizes = [32, 64, 128, 256, 320, 512];

async function firstRun(session: TrialSession, { layouts, fixed }: InputLayout) {
  const tried = fixed ? [fixed] : sizes.map((side) => ({ width: side, height: side }));
  let objection: unknown;
  for (const size of tried) {
    for (const layout of layouts) {
      const picture = photograph(size.width, size.height);
      try {
        const outputs = await session.run(
          tensorShape({ layout }, picture),
          plainTensor(picture, { layout }),
        );
        // A network that crops its border may have nothing left of a small picture.
        if (colourOutputOf(outputs, { layout })?.data.length !== 0)
          return { layout, size, outputs };
        objection ??= new Error('it gives an empty picture.');
      } catch (error) {
        objection ??= error;
      }
    }
  }
  throw refused(
    `The network cannot run on ${tried.map(({ width, height }) => `${width} x ${height}`).join(', ')} pixels: ${firstLine(objection)}`,
  );
}

const colourOutputOf = (outputs: readonly TrialOutput[], layout: TensorLayout) =>
  outputs.find(({ shape }) => shape.length === 4 && sidesOf(layout, shape).channels === 3);

/** Picks the output that is a picture, or else a mask: one or two planes of the input's size. */
function usableOutput(
  outputs: readonly TrialOutput[],
  layout: TensorLayout,
  { width, height }: { width: number; height: number },
): { output: TrialOutput; task: Operation } {
  const picture = colourOutputOf(outputs, layout);
  if (picture) return { output: picture, task: 'upscale' };
  const mask = outputs.find(({ data, shape }) => {
    const planes = data.length / (width * height);
    const spansPicture = shape.slice(-2).join() === `${height},${width}` || shape.at(-1) === 1;
    return (planes === 1 || planes === 2) && spansPicture;
  });
  if (mask) return { output: mask, task: 'remove-bg' };
  const given = outputs.map(({ shape }) => shape.join(' x ')).slice(0, 4);
  throw refused(
    `For a picture of ${width} x ${height} pixels the network gives ${given.join(', ') || 'nothing'}: neither a picture of three colours nor a mask. It cannot be used; if it is the encoder of a network that takes points, bring its decoder together with it.`,
  );
}

function assertNumbers({ data }: TrialOutput): void {
  if (data.every(Number.isFinite)) return;
  throw notNumbers();
}
