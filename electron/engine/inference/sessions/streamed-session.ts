/** Runs a tile in strips of some rows, with the rewritten file of network-files/streamed-network. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { assertNoTelemetry } from '../../host/engine-environment.ts';
import type { NetworkFile } from '../../protocol/messages.ts';
import type { StreamedNetwork } from '../network-files/streamed-network.ts';
import { stripRowsOf, type RowStream } from '../../tiles/run-columns.ts';
import type { RowBuffer } from '../network-files/row-buffer-plan.ts';

/** Called after each strip but the last with the finished share of the tile, 0..1. Throws to stop the run. */
export type OnStrip = (done: number) => Promise<void>;

interface StreamedSession {
  /** Opens a stream of rows of one width. The array that it resolves to is not used again. */
  open(width: number): RowStream;
  /**
   * Returns the network's output for [3, height, width]. Its outermost `marginPx` rows above and below are
   * invalid. The array is reused by the next call.
   */
  run(
    tensor: Float32Array,
    width: number,
    height: number,
    onStrip?: OnStrip,
  ): Promise<Float32Array>;
  release(): Promise<void>;
}

export function createStreamedSession(
  session: InferenceSession,
  { buffers, lagPx }: StreamedNetwork,
  { input, output, scale }: Pick<NetworkFile, 'input' | 'output' | 'scale'>,
): StreamedSession {
  assertNoTelemetry();
  let tile = new Float32Array(0);
  return {
    open,
    async run(tensor, width, height, onStrip) {
      const length = 3 * width * height * scale ** 2;
      if (tile.length !== length) tile = new Float32Array(length);
      const stream = open(width);
      const rows = stripRowsOf(width, height);
      for (let y = 0; y < height; y += rows) {
        if (y > 0) await onStrip?.(y / height);
        const own = Math.min(rows, height - y);
        const strip = new Float32Array(3 * own * width);
        for (let band = 0; band < 3; band += 1) {
          const start = (band * height + y) * width;
          strip.set(tensor.subarray(start, start + own * width), band * own * width);
        }
        const data = await stream.next(strip, own);
        copyRows(data, { first: (y - lagPx) * scale, rows: own * scale, stride: width * scale });
      }
      return tile;
    },
    release: () => session.release(),
  };

  function open(width: number): RowStream {
    let carriedRows = buffers.map((one) => emptyBuffer(session, one, width));
    // Filled by each run: new arrays of megabytes would wait for the collection of garbage.
    let picture = new Float32Array(0);
    const carried = Object.fromEntries(buffers.map(({ name }) => [`${name}.after`, null]));
    return {
      lagPx,
      async next(strip, rows) {
        const given = buffers.map(
          ({ name }, i) => [`${name}.before`, carriedRows[i] as Tensor] as const,
        );
        const length = 3 * rows * width * scale ** 2;
        if (picture.length !== length) picture = new Float32Array(length);
        const shape = [1, 3, rows * scale, width * scale];
        const found = await session.run(
          {
            ...Object.fromEntries(given),
            [input]: new Tensor('float32', strip, [1, 3, rows, width]),
          },
          { ...carried, [output]: new Tensor('float32', picture, shape) },
        );
        carriedRows = buffers.map(({ name }) => found[`${name}.after`] as Tensor);
        const data = found[output]?.data;
        if (data instanceof Float32Array) return data;
        throw new Error(`${output} is to be 32-bit floats`);
      },
    };
  }

  /** Copies output rows to their position; rows above the tile's first row are dropped. */
  function copyRows(data: Float32Array, to: { first: number; rows: number; stride: number }): void {
    const { first, rows, stride } = to;
    const dropped = Math.min(rows, Math.max(0, -first));
    for (let band = 0; band < 3; band += 1) {
      const part = data.subarray((band * rows + dropped) * stride, (band + 1) * rows * stride);
      tile.set(part, (band * tile.length) / 3 + (first + dropped) * stride);
    }
  }
}

/** Zeros as the rows above a tile's first row; they affect only the tile's margin. */
function emptyBuffer(
  { outputMetadata }: InferenceSession,
  { name, rows, isPicture }: RowBuffer,
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
