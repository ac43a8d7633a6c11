/** A network loaded on a device. The only file that calls onnxruntime. */
import { readFile } from 'node:fs/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { EnlargerError } from '../../contract/errors.ts';
import type { Precision } from '../../contract/model.ts';
import { assertSilent } from '../hosting/engine-environment.ts';
import { firstLine } from './first-line.ts';
import { halfFile } from './half-file.ts';
import type { Provider } from '../protocol.ts';
import type { RunTile } from '../works/upscale/run-pass.ts';
import { tensorShape } from '../works/upscale/tensor-pixels.ts';
import type { AnyNetworkFile } from '../protocol.ts';
import { chosenCard } from './graphics-cards.ts';
import { providerOn } from './providers.ts';
import { roundedCondition, toldFile } from './told-file.ts';

export interface Session {
  provider: Provider;
  precision: Precision;
  /** Whether its file says that several pictures may come in one call. It may be wrong. */
  takesBatches: boolean;
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
 * can load it. Without `threads` their number is onnxruntime's own choice, one for
 * each physical core. The float array that `run` resolves to is valid until its next call.
 */
export async function openSession(
  network: AnyNetworkFile,
  precision: Precision,
  provider: Provider,
  threads?: number,
): Promise<Session> {
  const loaded = await loadAsTold(network, (told) =>
    loadVariant(network, precision, { provider, threads }, told),
  );
  return {
    provider,
    precision,
    takesBatches: hasFreeBatch(await loaded.toldOf(), network),
    async run(tensor, width, height, condition) {
      const session = await loaded.toldOf(condition);
      const count = tensor.length / (3 * width * height);
      const pictures = new Tensor('float32', tensor, tensorShape(network, width, height, count));
      return await runOnce(session, network, { [network.input]: pictures });
    },
    close: () => loaded.close(),
  };
}

function hasFreeBatch({ inputMetadata }: InferenceSession, network: AnyNetworkFile): boolean {
  const input = inputMetadata.find(({ name }) => name === network.input);
  return input?.isTensor === true && typeof input.shape[0] === 'string';
}

/** Photos of that many kinds in turn load a network once each. */
const mostLoaded = 3;

/** A network as often as it is told something else, the latest few of them. */
async function loadAsTold(
  network: AnyNetworkFile,
  load: (condition: readonly number[]) => Promise<InferenceSession>,
) {
  const values = 'scale' in network ? (network.condition?.values ?? []) : [];
  const nothing = values.map(() => 0);
  const loaded = new Map([[nothing.join(), await load(nothing)]]);
  return {
    async toldOf(given: readonly number[] = nothing): Promise<InferenceSession> {
      const condition = values.length > 0 ? roundedCondition(given) : nothing;
      const key = condition.join();
      const session = loaded.get(key) ?? (await load(condition));
      loaded.delete(key);
      loaded.set(key, session);
      await releaseOldest(loaded);
      return session;
    },
    async close() {
      await Promise.all([...loaded.values()].map((session) => session.release()));
    },
  };
}

async function releaseOldest(loaded: Map<string, InferenceSession>): Promise<void> {
  const [oldest] = loaded;
  if (!oldest || loaded.size <= mostLoaded) return;
  loaded.delete(oldest[0]);
  await oldest[1].release();
}

async function loadVariant(
  network: AnyNetworkFile,
  precision: Precision,
  { provider, threads }: { provider: Provider; threads: number | undefined },
  condition: readonly number[],
) {
  assertSilent();
  const variant = network.variants.find((v) => v.precision === precision);
  try {
    if (!variant) throw new Error(`it has no ${precision} variant`);
    const options: InferenceSession.SessionOptions = {
      executionProviders: [providerOn(provider, chosenCard())],
      logSeverityLevel: errorsOnly,
      extra: waitWithoutSpinning,
      ...(threads !== undefined && { intraOpNumThreads: threads }),
    };
    const told = 'scale' in network ? network.condition : undefined;
    if (!told && precision !== 'fp16') return await InferenceSession.create(variant.path, options);
    const stored = await readFile(variant.path);
    const file = told ? toldFile(stored, told.constant, condition) : stored;
    return await InferenceSession.create(precision === 'fp16' ? halfFile(file) : file, options);
  } catch (error) {
    if (provider !== 'cpu') throw error;
    process.stderr.write(`A model cannot be loaded: ${firstLine(error)}\n`);
    const name = 'scale' in network ? `${network.modelId} (${network.scale}x)` : network.modelId;
    throw new EnlargerError(
      'MODEL_UNAVAILABLE',
      `The model ${name} cannot be loaded: its file is not there, damaged, or of a kind that onnxruntime does not run. Install Enlarger again, or remove the model and add it anew.`,
      { cause: error },
    );
  }
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
