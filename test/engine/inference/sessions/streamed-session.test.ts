import { expect, it, describe } from 'vitest';
import { maxStripRows } from '../../../../electron/engine/tiles/run-columns.ts';
import { samplePicture } from '../../../../electron/engine/inference/checks/sample-picture.ts';
import { openSession } from '../../../../electron/engine/inference/sessions/session.ts';
import { embeddedNetwork, embeddedNetworks } from '../../../support/networks.ts';
import { blurNetwork } from '../../../support/networks-made.ts';
import { passOver, withSession } from '../../../support/passes.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const inIntegers = embeddedNetworks().filter(({ variants }) =>
  variants.some(({ precision }) => precision === 'int8'),
);

const width = 203;
/** The least rows that are run in so many steps. */
const rowsOfSteps = (steps: number) => maxStripRows(width) * (steps - 1) + 3;
const samples = samplePicture(width, rowsOfSteps(3));

/** Some rows of the picture that all of these tests enlarge, its colours as planes. */
function rowsOfPicture(first: number, rows: number): Float32Array {
  const plane = width * rows;
  const from = first * width;
  const planes = new Float32Array(3 * plane);
  for (let band = 0; band < 3; band += 1)
    for (let i = 0; i < plane; i += 1)
      planes[band * plane + i] = (samples[3 * (from + i) + band] ?? 0) / 255;
  return planes;
}

describe.each(inIntegers)('$modelId at $scale x in integers', (network) => {
  const { modelId, scale, marginPx } = network;
  /** One of them goes on from a step that went on from another one. */
  const steps = modelId === 'natural' && scale === 2 ? 3 : 2;
  const height = rowsOfSteps(steps);
  const stepRows = Math.ceil(height / steps);

  /**
   * Cuts the picture's rows `from` up to `to`, without the sides, out of an answer to rows from `first` on.
   */
  function core(output: Float32Array, first: number, rows: number, from: number, to: number) {
    const stride = width * scale;
    const lines: Float32Array[] = [];
    for (let band = 0; band < 3; band += 1)
      for (let y = (from - first) * scale; y < (to - first) * scale; y += 1) {
        const start = (band * rows * scale + y) * stride;
        const line = output.subarray(start + marginPx * scale, start + stride - marginPx * scale);
        lines.push(line.slice());
      }
    return lines;
  }

  it('gives a large tile in steps the numbers that it gives small ones', async () => {
    await withSession(network, 'int8', async (session) => {
      expect(session.openStream).toBeDefined();
      const told = network.condition?.values.map(() => 0.3);
      const all = rowsOfPicture(0, height);
      const shares: number[] = [];
      const large = await session.run(all, width, height, told, (share) => {
        shares.push(share);
        return Promise.resolve();
      });
      expect(shares).toHaveLength(steps - 1);
      expect(shares.every((share) => share > 0 && share < 1)).toBe(true);
      const inSteps = large.slice();
      const rows = 48;
      const boundaries = Array.from({ length: steps - 1 }, (_, i) => (i + 1) * stepRows - rows / 2);
      for (const first of [0, ...boundaries, height - rows]) {
        const [from, to] = [first + marginPx, first + rows - marginPx];
        const small = await session.run(rowsOfPicture(first, rows), width, rows, told);
        const expected = core(small, first, rows, from, to);
        expect(core(inSteps, 0, height, from, to)).toEqual(expected);
      }
    });
  });
});

it('makes the same picture in tiles of any size, also of one smaller than a step', async () => {
  const network = embeddedNetwork(2);
  await withSession(network, 'int8', async (session) => {
    for (const [width, height] of [
      [301, 237],
      [90, 41],
    ] as const) {
      const picture = { data: samplePicture(width, height), width, height, channels: 3 as const };
      const large = await passOver(picture, network, session, 768);
      const small = await passOver(picture, network, session, 160);
      expect(large.tiles).toBe(1);
      expect(Buffer.from(large.picture.data).equals(Buffer.from(small.picture.data))).toBe(true);
    }
  });
});

it('ends between two steps when it is told to, and runs again afterwards', async () => {
  const network = embeddedNetwork(2);
  await withSession(network, 'int8', async (session) => {
    const inTwoSteps = maxStripRows(width) + 1;
    const tensor = rowsOfPicture(0, inTwoSteps);
    const whole = (await session.run(tensor, width, inTwoSteps)).slice();
    let steps = 0;
    const stopped = session.run(tensor, width, inTwoSteps, undefined, () => {
      steps += 1;
      return Promise.reject(new Error('No longer wanted.'));
    });
    await expect(stopped).rejects.toThrow('No longer wanted.');
    expect(steps).toBe(1);
    expect(await session.run(tensor, width, inTwoSteps)).toEqual(whole);
  });
});

it('computes tiles whole in another precision and of a file of another shape', async () => {
  const single = await openSession(embeddedNetwork(2), 'fp32', 'cpu');
  expect(single.openStream).toBeUndefined();
  await single.close();
  const blur = blurNetwork(temporaryFolder());
  const variants = blur.variants.map((variant) => ({ ...variant, precision: 'int8' as const }));
  await withSession({ ...blur, variants, marginPx: 0 }, 'int8', async (session) => {
    expect(session.openStream).toBeUndefined();
    const tall = maxStripRows(64) + 8;
    const output = await session.run(new Float32Array(3 * 64 * tall).fill(0.5), 64, tall);
    expect(output).toHaveLength(3 * 64 * tall * blur.scale ** 2);
  });
});
