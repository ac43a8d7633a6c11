/** A network of clicks, loaded on the CPU. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { EnlargerError } from '../../../contract/errors.ts';
import { maskOf, type Mask } from '../../tiles/mask-tensor.ts';
import { assertNoTelemetry } from '../../host/engine-environment.ts';
import { firstLine } from '../devices/device-fault.ts';
import type { ClickRequest } from '../protocol.ts';
import { sessionOptions } from './session.ts';

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
  assertNoTelemetry();
  const session = await load(network, threads);
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

async function load(
  { variants: [variant], modelId }: ClickRequest['network'],
  threads: number,
): Promise<InferenceSession> {
  try {
    if (!variant) throw new Error('it has no file');
    return await InferenceSession.create(
      variant.path,
      sessionOptions({ provider: 'cpu', threads }),
    );
  } catch (error) {
    process.stderr.write(`A network of clicks cannot be loaded: ${firstLine(error)}\n`);
    throw new EnlargerError(
      'MODEL_UNAVAILABLE',
      `The network of clicks of ${modelId} cannot be loaded: its file is not there or damaged. Install Enlarger again.`,
      { cause: error },
    );
  }
}
