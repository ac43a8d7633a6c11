import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  batchCandidates,
  measureBatch,
} from '../../../../electron/engine/inference/measuring/batch-size.ts';
import type { Session } from '../../../../electron/engine/inference/sessions/session.ts';

describe('batches worth trying', () => {
  it('have no more pixels than the largest tile that devices are tried with', () => {
    expect([256, 512, 768, 1024].map((tilePx) => batchCandidates(tilePx, 5))).toEqual([
      [2, 4],
      [2, 4],
      [],
      [],
    ]);
  });

  it('are none where a tile takes long, because such a device does not wait for its calls', () => {
    expect([60, 100, 200].map((ms) => batchCandidates(256, ms))).toEqual([[2, 4], [2], []]);
  });
});

describe('the batch that a device is given', () => {
  let nowMs = 0;
  beforeEach(() => {
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => vi.restoreAllMocks());

  const speed = { tilePx: 16, megapixelsPerSecond: 1 };
  const pictureOf = (i: number) => new Float32Array(3 * 16 * 16).fill(i / 8);
  const isRight = (found: Float32Array, expected: Float32Array) =>
    Buffer.compare(Buffer.from(found.buffer), Buffer.from(expected.buffer)) === 0;

  type Answer = (tensor: Float32Array, count: number) => Float32Array;

  /** A device on which a call with a number of tiles takes `msOf` that number. */
  function measuredOn(msOf: (count: number) => number, output: Answer = (tensor) => tensor) {
    const calls: number[] = [];
    const session: Session = {
      provider: 'cuda',
      precision: 'fp32',
      prepare: () => Promise.resolve(),
      acceptsBatches: () => Promise.resolve(true),
      run(tensor, width, height) {
        const count = tensor.length / (3 * width * height);
        calls.push(count);
        nowMs += msOf(count);
        return Promise.resolve(output(tensor, count));
      },
      runFor: () => Promise.reject(new Error('It is no mask network.')),
      close: () => Promise.resolve(),
    };
    return { calls, measured: measureBatch(session, speed, pictureOf, isRight) };
  }

  it('is the largest that gains, with the speed that it comes to', async () => {
    const { measured } = measuredOn((count) => 10 + count);
    expect(await measured).toMatchObject({ tilePx: 16, batch: 4 });
    expect((await measured).megapixelsPerSecond).toBeCloseTo(11 / (14 / 4));
  });

  it('is the one before, where a larger one gains less than a twentieth', async () => {
    const { measured } = measuredOn((count) => (count === 1 ? 10 : 6 * count));
    expect(await measured).toMatchObject({ batch: 2 });
  });

  it('is one tile where two do not gain, and four are not tried then', async () => {
    const { measured, calls } = measuredOn((count) => 10 * count);
    expect(await measured).toEqual(speed);
    expect(Math.max(...calls)).toBe(2);
  });

  it.each<[string, Answer]>([
    ['mistakes one for the other', (tensor, count) => (count > 1 ? tensor.toReversed() : tensor)],
    ['answers the first only', (tensor, count) => tensor.subarray(0, tensor.length / count)],
    [
      'lacks the memory',
      (tensor, count) => {
        if (count > 1) throw new Error('CUDA error 2: out of memory');
        return tensor;
      },
    ],
  ])('is one tile on a device that with several %s', async (_, output) => {
    const { measured } = measuredOn(() => 10, output);
    expect(await measured).toEqual(speed);
  });

  it('stays at two where four fail', async () => {
    const { measured } = measuredOn(
      () => 10,
      (tensor, count) => {
        if (count === 4) throw new Error('The device was lost.');
        return tensor;
      },
    );
    expect(await measured).toMatchObject({ batch: 2 });
  });
});
