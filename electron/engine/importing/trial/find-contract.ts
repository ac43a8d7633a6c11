/** Finds what a network is for and how it is used, by what its file says and by running it. */
import type { Operation } from '../../../contract/request.ts';
import { firstLine } from '../../inference/devices/device-fault.ts';
import type { TrialOutput, TrialSession } from '../../inference/sessions/trial-session.ts';
import { tensorShape } from '../../tiles/tensor-pixels.ts';
import { refused } from '../../onnx/refused.ts';
import type { Value } from '../../onnx/read-onnx.ts';
import type { MaskNetworkContract, UpscalerContract } from '../../protocol/importing.ts';
import { findMask, notNumbers } from './find-mask.ts';
import { assertSquare } from './find-scale.ts';
import { findUpscaler, type Trial } from './find-upscaler.ts';
import { photograph, sidesOf, type Layout, plainTensor } from './sample.ts';

export type FoundContract =
  | { task: 'upscale'; contract: UpscalerContract; notes: string[] }
  | { task: 'remove-bg'; contract: MaskNetworkContract; notes: string[] };

/** Finds the contract of a network with so many `weights`. It throws MODEL_REFUSED with the reason. */
export async function findContract(
  session: TrialSession,
  input: Value,
  weights: number,
): Promise<FoundContract> {
  const ends = endsOf(input);
  const { layout, size, answers } = await firstRun(session, ends);
  const fixedPx = ends.fixed ? size.width : undefined;
  const trial: Trial = {
    layout,
    input: input.name,
    fixedPx,
    weights,
    run: (shape, values) => session.run(shape, values),
  };
  const { answer, task } = pictureAmong(answers, { layout }, size);
  assertNumbers(answer);
  if (task === 'remove-bg') {
    const multiple = ends.fixed ? 1 : 32;
    return { task, ...(await findMask({ ...trial, size }, answer, multiple)) };
  }
  assertSquare(size);
  return { task, ...(await findUpscaler(trial, answer, size.width)) };
}

interface Ends {
  layouts: Layout['layout'][];
  fixed: { width: number; height: number } | undefined;
}

function endsOf({ name, shape }: Value): Ends {
  if (!shape) return { layouts: ['NCHW', 'NHWC'], fixed: undefined };
  const [batch, a, b, c] = shape;
  if (typeof batch === 'number' && batch > 1)
    throw refused(`The network takes ${batch} pictures at a time; one that takes one can be used.`);
  const layouts: Layout['layout'][] =
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

/** These sides are tried on a network that takes any size, the quickest first. */
const sizes = [32, 64, 128, 256, 320, 512];

async function firstRun(session: TrialSession, { layouts, fixed }: Ends) {
  const tried = fixed ? [fixed] : sizes.map((side) => ({ width: side, height: side }));
  let objection: unknown;
  for (const size of tried) {
    for (const layout of layouts) {
      const picture = photograph(size.width, size.height);
      try {
        const answers = await session.run(
          tensorShape({ layout }, picture),
          plainTensor(picture, { layout }),
        );
        // A network that cuts off its border may have nothing left of a small picture.
        if (coloursAmong(answers, { layout })?.data.length !== 0) return { layout, size, answers };
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

const coloursAmong = (answers: readonly TrialOutput[], layout: Layout) =>
  answers.find(({ shape }) => shape.length === 4 && sidesOf(layout, shape).channels === 3);

/** Picks the output that is a picture, or else a mask: one or two planes of the input's size. */
function pictureAmong(
  answers: readonly TrialOutput[],
  layout: Layout,
  { width, height }: { width: number; height: number },
): { answer: TrialOutput; task: Operation } {
  const picture = coloursAmong(answers, layout);
  if (picture) return { answer: picture, task: 'upscale' };
  const mask = answers.find(({ data, shape }) => {
    const planes = data.length / (width * height);
    const ends = shape.slice(-2).join() === `${height},${width}` || shape.at(-1) === 1;
    return (planes === 1 || planes === 2) && ends;
  });
  if (mask) return { answer: mask, task: 'remove-bg' };
  const given = answers.map(({ shape }) => shape.join(' x ')).slice(0, 4);
  throw refused(
    `For a picture of ${width} x ${height} pixels the network gives ${given.join(', ') || 'nothing'}: neither a picture of three colours nor a mask. It cannot be used.`,
  );
}

function assertNumbers({ data }: TrialOutput): void {
  if (data.every(Number.isFinite)) return;
  throw notNumbers();
}
