import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { bytesInMemory } from '../../../../packages/onnx/src/byte-source.ts';
import { readOnnx } from '../../../../packages/onnx/src/read-onnx.ts';
import { precisionsOn } from '../../../../electron/engine/inference/devices/better-precision.ts';
import {
  allowedFor,
  differenceOf,
  objectionTo,
  sampleTensor,
} from '../../../../electron/engine/inference/checks/check.ts';
import { halfFile } from '../../../../electron/engine/inference/network-files/half-precision-file.ts';
import { openSession } from '../../../../electron/engine/inference/sessions/session.ts';
import type { Precision } from '../../../../packages/contract/src/models/model.ts';
import { embeddedNetworks } from '../../../support/networks.ts';
import { blurNetwork } from '../../../support/networks-made.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const has =
  (wanted: Precision) =>
  ({ variants }: ReturnType<typeof embeddedNetworks>[number]) =>
    variants.some(({ precision }) => precision === wanted);
const halved = embeddedNetworks().filter(has('fp16'));
const fileOf = async ({ variants }: (typeof halved)[number], precision: Precision) =>
  await readFile(variants.find((one) => one.precision === precision)?.path ?? '');

const sidePx = 64;

describe('half precision from a file of single precision', () => {
  it('is tried on graphics cards of each network that is given by default, and on no CPU', () => {
    const natural = halved.filter(({ modelId }) => modelId === 'natural');
    expect(natural.map(({ scale }) => scale)).toEqual([1, 2, 4]);
    for (const network of halved) {
      for (const provider of ['cuda', 'webgpu', 'dml', 'coreml'] as const)
        expect(precisionsOn(provider, network)).toEqual(['fp16', 'fp32']);
      expect(precisionsOn('cpu', network)).toEqual(['fp32']);
    }
  });

  describe.each(halved)('of $modelId at $scale x', (network) => {
    it('puts casts where it begins and ends, and leaves weights and operations alone', async () => {
      const stored = await fileOf(network, 'fp32');
      const [before, after] = [stored, halfFile(stored)].map((file) =>
        readOnnx(bytesInMemory(file)),
      );
      expect(after?.initializers).toEqual(before?.initializers);
      expect(after?.outputs).toEqual(before?.outputs);
      const cast = ':Cast';
      const without = (of: ReadonlyMap<string, number> | undefined) =>
        [...(of ?? [])].filter(([operation]) => operation !== cast);
      expect(without(after?.operations)).toEqual(without(before?.operations));
      // Each tower has a cast where it begins, one where it ends, and casts for its biases and their
      // condition.
      const more = (after?.operations.get(cast) ?? 0) - (before?.operations.get(cast) ?? 0);
      const towers = network.scale === 1 ? 1 : 2;
      const biases = network.condition ? 14 + 7 : 15;
      expect(more).toBe(towers * (2 + biases));
    });

    it('gives the numbers of single precision within one level', async () => {
      const [half, single] = await Promise.all([
        openSession(network, 'fp16', 'cpu'),
        openSession(network, 'fp32', 'cpu'),
      ]);
      const told = network.condition?.values.map(() => 0.3);
      const answers = [half, single].map(async (session) =>
        (await session.run(sampleTensor(network, sidePx), sidePx, sidePx, told)).slice(),
      );
      const [inHalf, inSingle] = await Promise.all(answers);
      const difference = differenceOf(inHalf!, inSingle!, network.range);
      expect(objectionTo(difference, allowedFor(network, 'fp16'))).toBeUndefined();
      expect(difference.max).toBeGreaterThan(0);
      await Promise.all([half.close(), single.close()]);
    });
  });

  it('leaves a file as it is whose kernels are single themselves', async () => {
    const [variant] = blurNetwork(temporaryFolder()).variants;
    const file = await readFile(variant?.path ?? '');
    expect(halfFile(file)).toEqual(file);
  });
});
