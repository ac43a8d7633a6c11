/** A session is a network that is loaded on a device. */
import { readFile } from 'node:fs/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { EnlargerError } from '../../../contract/errors.ts';
import type { Precision } from '../../../contract/models/model.ts';
import { assertSilent } from '../../host/engine-environment.ts';
import { carriedFile, type CarriedFile } from '../network-files/carried-file.ts';
import { carriedSession, stepRows, type OnStep } from './carried-session.ts';
import { firstLine } from '../devices/device-fault.ts';
import { halfFile } from '../network-files/half-file.ts';
import type { RunTile } from '../../tiles/run-pass.ts';
import { tensorShape } from '../../tiles/tensor-pixels.ts';
import type { AnyNetworkFile, NetworkFile, Provider } from '../../protocol/messages.ts';
import { chosenCard } from '../../host/graphics-cards.ts';
import { providerOn } from '../devices/providers.ts';
import { conditionedFile, roundedCondition } from '../network-files/conditioned-file.ts';
import { defaultThreads, processorHere } from '../measuring/processor.ts';
import { createLruCache } from './lru-cache.ts';

export interface Session {
  provider: Provider;
  precision: Precision;
  /** It tells whether the file says that one call may take several pictures. The file may be wrong. */
  takesBatches: boolean;
  /** It tells whether a large tile is computed in steps, so that it takes little more memory than a small one. */
  carriesRows: boolean;
  /**
   * Runs the network. `condition` has a number for each of the network's values; without it they are zeros.
   * For a tile that is computed in steps, `onStep` is called between them, and an error that it throws ends
   * the run; the margins of such a tile's answer are not valid.
   */
  run: (
    ...asked: [...Parameters<RunTile>, condition?: readonly number[] | undefined, onStep?: OnStep]
  ) => ReturnType<RunTile>;
  close(): Promise<void>;
}

/** At level 3 onnxruntime logs errors only; files of older opsets would cause hundreds of warnings. */
const errorsOnly = 3;

/**
 * Makes threads that wait for each other sleep instead of spinning. It is as fast on an idle machine, and up
 * to twice as fast beside other programs (2 cores, load 8: 150 ms a tile instead of 240).
 */
const waitWithoutSpinning = { session: { intra_op: { allow_spinning: '0' } } };

/**
 * Loads one variant of a network on one provider. It throws MODEL_UNAVAILABLE when not even the CPU can load
 * it. The float array that `run` resolves to is valid until the next call.
 *
 * @param threads of a network on the CPU; the default is the one for this processor
 */
export async function openSession(
  network: AnyNetworkFile,
  precision: Precision,
  provider: Provider,
  threads: number = defaultThreads(processorHere()),
): Promise<Session> {
  const on = { provider, threads };
  const whole = loadByCondition(network, (condition) =>
    loadVariant(network, precision, on, condition),
  );
  const takesBatches = hasFreeBatch(await whole.under(), network);
  const carried = await carriedOf(network, precision, provider);
  const inSteps =
    carried && loadByCondition(network, (condition) => loadCarried(carried, on, condition));
  return {
    provider,
    precision,
    takesBatches,
    carriesRows: inSteps !== undefined,
    async run(tensor, width, height, condition, onStep) {
      if (inSteps && height > stepRows(width)) {
        const session = await inSteps.under(condition);
        return await session.run(tensor, width, height, onStep);
      }
      const session = await whole.under(condition);
      const count = tensor.length / (3 * width * height);
      const pictures = new Tensor(
        'float32',
        tensor,
        tensorShape(network, { width, height }, count),
      );
      return await runOnce(session, network, { [network.input]: pictures });
    },
    async close() {
      await whole.close();
      await inSteps?.close();
    },
  };
}

interface Carried extends CarriedFile {
  network: NetworkFile;
}

/** Makes the file that computes tiles in steps, where the network has such a form: in int8, on the CPU. */
async function carriedOf(
  network: AnyNetworkFile,
  precision: Precision,
  provider: Provider,
): Promise<Carried | undefined> {
  const variant = network.variants.find((one) => one.precision === precision);
  if (provider !== 'cpu' || precision !== 'int8' || !variant) return undefined;
  if (!('scale' in network) || !network.tileExact || network.layout !== 'NCHW') return undefined;
  const carried = carriedFile(await readFile(variant.path));
  return carried && carried.lagPx <= network.marginPx ? { ...carried, network } : undefined;
}

async function loadCarried(carried: Carried, on: LoadedOn, condition: readonly number[]) {
  const { file, network } = carried;
  const conditioned = network.condition
    ? conditionedFile(Buffer.from(file), network.condition.constant, condition)
    : file;
  const session = await InferenceSession.create(conditioned, optionsOn(on));
  return carriedSession(session, carried, network);
}

function hasFreeBatch({ inputMetadata }: InferenceSession, network: AnyNetworkFile): boolean {
  const input = inputMetadata.find(({ name }) => name === network.input);
  return input?.isTensor === true && typeof input.shape[0] === 'string';
}

/** A network stays loaded for this many conditions, so that photos of as many kinds in turn share it. */
const mostLoaded = 3;

/** Loads a network once for each condition, and keeps the latest few. */
function loadByCondition<Loaded extends Pick<InferenceSession, 'release'>>(
  network: AnyNetworkFile,
  load: (condition: readonly number[]) => Promise<Loaded>,
) {
  const values = 'scale' in network ? (network.condition?.values ?? []) : [];
  const nothing = values.map(() => 0);
  const loaded = createLruCache<Loaded>(mostLoaded, (session) => session.release());
  return {
    under(given: readonly number[] = nothing): Promise<Loaded> {
      const condition = values.length > 0 ? roundedCondition(given) : nothing;
      return loaded.get(condition.join(), () => load(condition));
    },
    close: () => loaded.drop(),
  };
}

interface LoadedOn {
  provider: Provider;
  threads: number;
}

const optionsOn = ({ provider, threads }: LoadedOn): InferenceSession.SessionOptions => ({
  executionProviders: [providerOn(provider, chosenCard())],
  logSeverityLevel: errorsOnly,
  extra: waitWithoutSpinning,
  intraOpNumThreads: threads,
});

async function loadVariant(
  network: AnyNetworkFile,
  precision: Precision,
  on: LoadedOn,
  condition: readonly number[],
) {
  assertSilent();
  const variant = network.variants.find((v) => v.precision === precision);
  try {
    if (!variant) throw new Error(`it has no ${precision} variant`);
    const options = optionsOn(on);
    const taken = 'scale' in network ? network.condition : undefined;
    if (!taken && precision !== 'fp16') return await InferenceSession.create(variant.path, options);
    const stored = await readFile(variant.path);
    const file = taken ? conditionedFile(stored, taken.constant, condition) : stored;
    return await InferenceSession.create(precision === 'fp16' ? halfFile(file) : file, options);
  } catch (error) {
    if (on.provider !== 'cpu') throw error;
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
