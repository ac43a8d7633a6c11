/** Runs a tile in steps of some rows, on a file of network-files/carried-file. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { assertSilent } from '../../host/engine-environment.ts';
import type { NetworkFile } from '../../protocol/messages.ts';
import type { CarriedFile } from '../network-files/carried-file.ts';
import type { CarriedRows } from '../network-files/carried-plan.ts';

/** The pixels of a step: as many as a tile may have for its layers to stay in the processor's cache. */
const stepPixels = 64 * 1024;

/** Tells how many rows of a tile one step computes. */
export const stepRows = (width: number): number => Math.max(32, Math.floor(stepPixels / width));

/** Called after each step but the last with how much of the tile is done, 0..1. It throws to stop the run. */
export type OnStep = (done: number) => Promise<void>;

interface CarriedSession {
  /**
   * Gives the network's answer to [3, height, width]. Its outermost `marginPx` rows above and below are not
   * valid. The array is valid until the next call.
   */
  run(tensor: Float32Array, width: number, height: number, onStep?: OnStep): Promise<Float32Array>;
  release(): Promise<void>;
}

export function carriedSession(
  session: InferenceSession,
  { carried, lagPx }: CarriedFile,
  { input, output, scale }: NetworkFile,
): CarriedSession {
  assertSilent();
  let answer = new Float32Array(0);
  return {
    async run(tensor, width, height, onStep) {
      const length = 3 * width * height * scale ** 2;
      if (answer.length !== length) answer = new Float32Array(length);
      const rows = Math.ceil(height / Math.ceil(height / stepRows(width)));
      let left = carried.map((one) => nothing(session, one, width));
      for (let y = 0; y < height; y += rows) {
        if (y > 0) await onStep?.(y / height);
        const own = Math.min(rows, height - y);
        const strip = new Float32Array(3 * own * width);
        for (let band = 0; band < 3; band += 1) {
          const start = (band * height + y) * width;
          strip.set(tensor.subarray(start, start + own * width), band * own * width);
        }
        const given = carried.map(({ name }, i) => [`${name}.before`, left[i] as Tensor] as const);
        const found = await session.run({
          ...Object.fromEntries(given),
          [input]: new Tensor('float32', strip, [1, 3, own, width]),
        });
        left = carried.map(({ name }) => found[`${name}.after`] as Tensor);
        const data = found[output]?.data;
        if (!(data instanceof Float32Array)) throw new Error(`${output} is to be 32-bit floats`);
        keep(data, { first: (y - lagPx) * scale, rows: own * scale, stride: width * scale });
      }
      return answer;
    },
    release: () => session.release(),
  };

  /** Copies rows of an answer to their place; rows above the tile's first row are dropped. */
  function keep(data: Float32Array, to: { first: number; rows: number; stride: number }): void {
    const { first, rows, stride } = to;
    const dropped = Math.min(rows, Math.max(0, -first));
    for (let band = 0; band < 3; band += 1) {
      const part = data.subarray((band * rows + dropped) * stride, (band + 1) * rows * stride);
      answer.set(part, (band * answer.length) / 3 + (first + dropped) * stride);
    }
  }
}

/** Gives zeros as the rows above a tile's first row; they falsify no more than the tile's margin. */
function nothing(
  { outputMetadata }: InferenceSession,
  { name, rows, isPicture }: CarriedRows,
  width: number,
): Tensor {
  if (isPicture) {
    const shape = [1, 3, rows, width];
    return new Tensor('float32', new Float32Array(3 * rows * width), shape);
  }
  const known = outputMetadata.find((one) => one.name === `${name}.after`);
  const channels = known?.isTensor === true ? known.shape[3] : undefined;
  if (typeof channels !== 'number') throw new Error(`${name} has an unknown number of channels`);
  const shape = [1, rows, width, channels];
  return new Tensor('uint8', new Uint8Array(channels * rows * width), shape);
}
