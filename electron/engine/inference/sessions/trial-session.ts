/**
 * Runs a network whose contract is not known yet on tensors of any shape. It runs on the CPU, and no memory
 * is kept between runs.
 */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { assertSilent } from '../../host/engine-environment.ts';
import { defaultThreads, processorHere } from '../measuring/processor.ts';

export interface TrialAnswer {
  name: string;
  shape: readonly number[];
  data: Float32Array;
}

export interface TrialSession {
  /** Gives all outputs that are 32-bit floats, in the file's order. It rejects with onnxruntime's error. */
  run(shape: readonly number[], values: Float32Array): Promise<TrialAnswer[]>;
  close(): Promise<void>;
}

const fatalOnly = 4;

/** Opens a file. It rejects with onnxruntime's error when the file cannot be loaded. */
export async function openTrial(path: string, input: string): Promise<TrialSession> {
  assertSilent();
  const session = await InferenceSession.create(path, {
    executionProviders: ['cpu'],
    intraOpNumThreads: defaultThreads(processorHere()),
    logSeverityLevel: fatalOnly,
    // Memory is given back at once, because each size is run only once or twice.
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
