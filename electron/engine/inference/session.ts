/** A network loaded on a device. The only file that calls onnxruntime. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { EnlargerError } from '../../contract/errors.ts';
import type { Precision } from '../../contract/model.ts';
import { assertSilent } from '../hosting/engine-environment.ts';
import type { Provider } from '../protocol.ts';
import type { RunTile } from '../works/upscale/run-pass.ts';
import { tensorShape } from '../works/upscale/tensor-pixels.ts';
import type { AnyNetworkFile } from '../protocol.ts';

export interface Session {
  provider: Provider;
  precision: Precision;
  /** `condition` has a number for each of the network's; without one they are zeros. */
  run: (...asked: [...Parameters<RunTile>, condition?: readonly number[]]) => ReturnType<RunTile>;
  close(): Promise<void>;
}

/** 3: errors only. Files of older opsets would print hundreds of warnings. */
const errorsOnly = 3;

/**
 * Threads that wait for each other sleep instead of spinning: as fast on an idle machine, up to
 * twice as fast beside other programs (2 cores, load 8: 150 ms a tile instead of 240).
 */
const waitWithoutSpinning = { session: { intra_op: { allow_spinning: '0' } } };

/**
 * Loads one variant of a network on one provider. Throws MODEL_UNAVAILABLE when not even the CPU
 * can load it. Threads are onnxruntime's own choice, one for
 * each physical core. The float array that `run` resolves to is valid until its next call.
 */
export async function openSession(
  network: AnyNetworkFile,
  precision: Precision,
  provider: Provider,
): Promise<Session> {
  const session = await loadVariant(network, precision, provider);
  return {
    provider,
    precision,
    run(tensor, width, height, condition) {
      const picture = new Tensor('float32', tensor, tensorShape(network, width, height));
      const feeds = { [network.input]: picture, ...conditionFeed(network, condition) };
      return runOnce(session, network, feeds);
    },
    close: () => session.release(),
  };
}

async function loadVariant(network: AnyNetworkFile, precision: Precision, provider: Provider) {
  assertSilent();
  const variant = network.variants.find((v) => v.precision === precision);
  try {
    if (!variant) throw new Error(`it has no ${precision} variant`);
    return await InferenceSession.create(variant.path, {
      executionProviders: [provider],
      logSeverityLevel: errorsOnly,
      extra: waitWithoutSpinning,
    });
  } catch (error) {
    if (provider !== 'cpu') throw error;
    const said = error instanceof Error ? error.message : String(error);
    const name = 'scale' in network ? `${network.modelId} (${network.scale}x)` : network.modelId;
    throw new EnlargerError('MODEL_UNAVAILABLE', `The model ${name} cannot be loaded: ${said}`);
  }
}

/** What a network that can be told of its picture's damage is told. */
function conditionFeed(
  network: AnyNetworkFile,
  given: readonly number[] = [],
): Record<string, Tensor> {
  const condition = 'scale' in network ? network.condition : undefined;
  if (!condition) return {};
  const values = Float32Array.from(condition.values, (_, i) => given[i] ?? 0);
  return { [condition.input]: new Tensor('float32', values, [1, values.length]) };
}

async function runOnce(
  session: InferenceSession,
  network: AnyNetworkFile,
  feeds: Record<string, Tensor>,
): Promise<Float32Array> {
  const answers = await session.run(feeds, [network.output]);
  const data = answers[network.output]?.data;
  if (data instanceof Float32Array) return data;
  throw new Error(`${network.modelId} did not give 32-bit floats as ${network.output}`);
}
