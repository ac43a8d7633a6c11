/** Loads the networks that belong to another one and run on the CPU alone. */
import { InferenceSession } from 'onnxruntime-node';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import type { NetworkVariant } from '../../../../packages/contract/src/models/model.ts';
import { assertNoTelemetry } from '../../host/engine-environment.ts';
import { firstLine } from '../devices/device-fault.ts';
import { sessionOptions } from './session.ts';

interface CpuNetwork {
  modelId: string;
  variants: (NetworkVariant & { path: string })[];
}

/**
 * @param name of the network in messages: `network of clicks`
 * @throws EnlargerError MODEL_UNAVAILABLE if the file cannot be loaded
 */
export async function openCpuSession(
  { variants: [variant], modelId }: CpuNetwork,
  name: string,
  threads: number,
): Promise<InferenceSession> {
  assertNoTelemetry();
  try {
    if (!variant) throw new Error('it has no file');
    return await InferenceSession.create(
      variant.path,
      sessionOptions({ provider: 'cpu', threads }),
    );
  } catch (error) {
    process.stderr.write(`A ${name} cannot be loaded: ${firstLine(error)}\n`);
    throw new EnlargerError(
      'MODEL_UNAVAILABLE',
      `The ${name} of ${modelId} cannot be loaded: its file is not there or damaged. Install Enlarger again.`,
      { cause: error },
    );
  }
}
