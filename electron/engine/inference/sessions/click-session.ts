/** A network of clicks, loaded on the CPU. */
import { Tensor } from 'onnxruntime-node';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import { maskOf, type Mask } from '../../tiles/mask-tensor.ts';
import type { ClickRequest } from '../protocol.ts';
import { openCpuSession } from './cpu-session.ts';

export interface ClickSession {
  /** @throws EnlargerError INVALID_OUTPUT for anything but a mask */
  run(request: Pick<ClickRequest, 'features' | 'hints'>): Promise<Mask>;
  close(): Promise<void>;
}

/** @throws EnlargerError MODEL_UNAVAILABLE if the file cannot be loaded */
export async function openClickSession(
  network: ClickRequest['network'],
  threads: number,
): Promise<ClickSession> {
  const session = await openCpuSession(network, 'network of clicks', threads);
  const { hints: hintsName, hintWidth, hintHeight, features: names, output } = network;
  return {
    async run({ features, hints }) {
      const feeds: Record<string, Tensor> = {
        [hintsName]: new Tensor('float32', hints, [1, 3, hintHeight, hintWidth]),
      };
      for (const [i, { dims, data }] of features.entries())
        feeds[names[i] ?? ''] = new Tensor('float32', data, dims);
      const { [output]: mask } = await session.run(feeds, [output]);
      const [, , height = 0, width = 0] = mask?.dims ?? [];
      const data = mask?.data;
      if (!(data instanceof Float32Array))
        throw new EnlargerError('INVALID_OUTPUT', `${network.modelId} gave no mask.`);
      return maskOf(data, plainMask, { width, height });
    },
    close: () => session.release(),
  };
}

const plainMask = { outputPlane: 0, activation: 'none' } as const;
