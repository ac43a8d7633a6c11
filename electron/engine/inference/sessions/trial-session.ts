/**
 * Runs a network with an unknown contract on tensors of any shape, on the CPU, without keeping memory between
 * runs.
 */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { assertNoTelemetry } from '../../host/engine-environment.ts';
import { defaultThreads, processorHere } from '../measuring/processor.ts';

export interface TrialOutput {
  name: string;
  shape: readonly number[];
  data: Float32Array;
}

export interface TrialSession {
  /** Returns all outputs of 32-bit floats, in the file's order. @throws onnxruntime's error */
  run(shape: readonly number[], values: Float32Array): Promise<TrialOutput[]>;
  close(): Promise<void>;
}

const fatalOnly = 4;

/** Loads a file that will run a few times only. @throws onnxruntime's error if the file cannot be loaded */
export function loadForTrial(path: string): Promise<InferenceSession> {
  assertNoTelemetry();
  return InferenceSession.create(path, {
    executionProviders: ['cpu'],
    intraOpNumThreads: defaultThreads(processorHere()),
    logSeverityLevel: fatalOnly,
    // Memory is freed at once, because each size is run only once or twice.
    enableCpuMemArena: false,
    enableMemPattern: false,
    extra: { session: { intra_op: { allow_spinning: '0' }, disable_prepacking: '1' } },
  });
}

/** Opens a file. @throws onnxruntime's error if the file cannot be loaded */
export async function openTrial(path: string, input: string): Promise<TrialSession> {
  const session = await loadForTrial(path);
  return {
    async run(shape, values) {
      const outputs = await session.run({ [input]: new Tensor('float32', values, shape) });
      return session.outputNames.flatMap((name) => {
        const tensor = outputs[name];
        if (!(tensor?.data instanceof Float32Array)) return [];
        return [{ name, shape: tensor.dims, data: tensor.data }];
      });
    },
    close: () => session.release(),
  };
}
