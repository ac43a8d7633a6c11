/** Finds by running how a network of one channel enlarges, before it is rewritten for colours. */
import { firstLine } from '../../inference/devices/device-fault.ts';
import type { TrialOutput, TrialSession } from '../../inference/sessions/trial-session.ts';
import { type TensorInfo, refused } from '../../../../packages/onnx/src/index.ts';
import { assertSquare, findScale, type ScaleContract } from './find-scale.ts';

interface PlaneScale extends Pick<ScaleContract, 'scale' | 'trimPx'> {
  output: string;
}

/** Sides tried on a network of any size, the fastest first. */
const sizes = [32, 64, 128, 256];

/** Finds output, scale and cropped border. @throws EnlargerError MODEL_REFUSED with the reason */
export async function findPlaneScale(
  session: TrialSession,
  input: TensorInfo,
): Promise<PlaneScale> {
  const [, , height, width] = input.shape ?? [];
  const isFixed = typeof height === 'number' && typeof width === 'number' && height > 0;
  if (isFixed) assertSquare({ width, height });
  const { sizePx, outputs } = await firstRun(session, isFixed ? [height] : sizes);
  const plane = outputs.find((answer) => sideOf(answer) !== undefined);
  const givenPx = plane && sideOf(plane);
  if (givenPx === undefined)
    throw refused(
      `The network takes one channel and gives ${outputs.map(({ shape }) => shape.join(' x ')).join(', ') || 'nothing'}; one that gives the brightness of a square again can be used.`,
    );
  const outputAt = async (px: number) => {
    const found = await run(session, px).catch(() => []);
    const again = found.find(({ name }) => name === plane?.name);
    return again && sideOf(again);
  };
  const fixedPx = isFixed ? sizePx : undefined;
  const { scale, trimPx } = await findScale({ fixedPx, sizePx, givenPx }, outputAt);
  return { output: plane?.name ?? '', scale, trimPx };
}

/** Side of a square single-channel plane; undefined for anything else. */
function sideOf({ shape }: TrialOutput): number | undefined {
  const [, channels, height, width] = shape;
  return shape.length === 4 && channels === 1 && height === width ? height : undefined;
}

const run = (session: TrialSession, px: number) =>
  session.run([1, 1, px, px], new Float32Array(px * px).fill(0.5));

async function firstRun(session: TrialSession, tried: readonly number[]) {
  let objection: unknown;
  for (const sizePx of tried) {
    try {
      return { sizePx, outputs: await run(session, sizePx) };
    } catch (error) {
      objection ??= error;
    }
  }
  throw refused(`The network cannot run on one channel: ${firstLine(objection)}`);
}
