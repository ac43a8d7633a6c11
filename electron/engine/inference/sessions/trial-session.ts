/** A network whose contract is not known yet, run on tensors of any shape: on the CPU, and with nothing kept. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { assertSilent } from '../../hosting/engine-environment.ts';

export interface TrialAnswer {
  name: string;
  shape: readonly number[];
  data: Float32Array;
}

export interface TrialSession {
  /** All outputs that are 32-bit floats, in the file's order. Rejects with what onnxruntime says. */
  run(shape: readonly number[], values: Float32Array): Promise<TrialAnswer[]>;
  close(): Promise<void>;
}

const fatalOnly = 4;

/** Rejects with what onnxruntime says when the file cannot be loaded. */
export async function openTrial(path: string, input: string): Promise<TrialSession> {
  assertSilent();
  const session = await InferenceSession.create(path, {
    executionProviders: ['cpu'],
    logSeverityLevel: fatalOnly,
    // Memory goes back at once: each size is run once or twice.
    enableCpuMemArena: false,
    enableMemPattern: false,
    extra: { session: { intra_op: { allow_spinning: '0' }, disable_prepacking: '1' } },
  });
  return {
    async run(shape, values) {
      const answers = await session.run({ [input]: new Tensor('float32', values, shape) });
      return session.outputNames.flatMap((name) => {
        const tensor = answers[name];
        if (!(tensor?.data instanceof Float32Array)) return [];
        return [{ name, shape: tensor.dims, data: tensor.data }];
      });
    },
    close: () => session.release(),
  };
}
