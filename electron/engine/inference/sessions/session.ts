/** A network loaded on a device. */
import { readFile } from 'node:fs/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';
import type { Precision } from '../../../../packages/contract/src/models/model.ts';
import { assertNoTelemetry } from '../../host/engine-environment.ts';
import { streamedNetwork, type StreamedNetwork } from '../network-files/streamed-network.ts';
import { createStreamedSession, type OnStrip } from './streamed-session.ts';
import { firstLine } from '../devices/device-fault.ts';
import { halfFile } from '../network-files/half-precision-file.ts';
import { maxStripRows, type RowStream } from '../../tiles/run-columns.ts';
import type { RunTile } from '../../tiles/run-pass.ts';
import { tensorShape } from '../../tiles/tensor-pixels.ts';
import type { AnyNetworkFile, NetworkFile, Provider } from '../../protocol/messages.ts';
import { chosenCard } from '../../host/graphics-cards.ts';
import { providerOn } from '../devices/providers.ts';
import { conditionedFile, roundedCondition } from '../network-files/conditioned-file.ts';
import {
  isConstantType,
  splitCondition,
  withConstants,
  type ComputedConstant,
  type SplitNetwork,
} from '../network-files/split-condition.ts';
import { defaultThreads, processorHere } from '../measuring/processor.ts';
import type { FeatureTensor } from '../../tiles/mask-tensor.ts';
import { createLruCache } from './lru-cache.ts';

export interface Session {
  provider: Provider;
  precision: Precision;
  /** Whether the file declares a free batch dimension. The file may be wrong. */
  acceptsBatches: () => Promise<boolean>;
  /**
   * Opens a stream of rows of one width, under a condition as `run`'s; absent: the network cannot run in strips. With
   * it, a large tile is computed in strips, too, so that it takes little more memory than a small one.
   *
   * @param threads of the stream; absent: the session's
   */
  openStream?: (
    width: number,
    condition?: readonly number[],
    threads?: number,
  ) => Promise<RowStream>;
  /** Loads what a run needs whatever its condition and the size of its tile are. */
  prepare(): Promise<void>;
  /**
   * Runs the network.
   *
   * @param condition a number for each of the network's values; absent: zeros
   * @param onStrip for a tile computed in strips: called between them, and an error that it throws ends the
   *   run; the margins of such a tile's output are invalid
   */
  run: (
    ...args: [...Parameters<RunTile>, condition?: readonly number[] | undefined, onStep?: OnStrip]
  ) => ReturnType<RunTile>;
  /** Runs a mask network once; the first output is the mask's, the others are those named. */
  runFor(
    outputs: readonly string[],
    tensor: Float32Array,
    width: number,
    height: number,
  ): Promise<[FeatureTensor, ...FeatureTensor[]]>;
  close(): Promise<void>;
}

/** Level 3: errors only. Files of older opsets would cause hundreds of warnings. */
const errorsOnly = 3;

/**
 * Waiting threads sleep instead of spinning: as fast on an idle machine, up to twice as fast beside other
 * programs (2 cores, load 8: 150 ms per tile instead of 240).
 */
const waitWithoutSpinning = { session: { intra_op: { allow_spinning: '0' } } };

/**
 * Opens one variant of a network on one provider. What a run needs of it is loaded at that run: the whole
 * file or its form for strips, with the condition of the picture. The array that `run` resolves to is reused
 * by the next call.
 *
 * @param threads on the CPU; default: this processor's
 * @throws EnlargerError MODEL_UNAVAILABLE, here or at a run, if not even the CPU can load the file
 */
export async function openSession(
  network: AnyNetworkFile,
  precision: Precision,
  provider: Provider,
  threads: number = defaultThreads(processorHere()),
): Promise<Session> {
  assertNoTelemetry();
  const on = { provider, threads };
  const split = await orUnavailable(network, on, () => openSplit(network, precision, on));
  const whole = loadByCondition(network, (condition) =>
    split
      ? orUnavailable(network, on, () => loadSplit(split, split.network, on, condition))
      : loadVariant(network, precision, on, condition),
  );
  const streamed = await orUnavailable(network, on, () =>
    streamedFileOf(network, precision, provider, split?.network),
  );
  const stripsOn = (those: DeviceThreads) =>
    streamed &&
    loadByCondition(network, (condition) =>
      orUnavailable(network, those, () => loadStreamed(streamed, split, those, condition)),
    );
  const strips = stripsOn(on);
  const singleStrips = stripsOn({ provider, threads: 1 });
  return {
    provider,
    precision,
    acceptsBatches: async () => hasFreeBatch(await whole.forCondition(), network),
    ...(strips && {
      async openStream(width, condition, streamThreads) {
        const [those, others] =
          streamThreads === 1 ? [singleStrips, strips] : [strips, singleStrips];
        // Each holds tens of megabytes.
        await others?.close();
        return (await (those ?? strips).forCondition(condition)).open(width);
      },
    }),
    async prepare() {
      await split?.prepare();
      const isConditioned = 'scale' in network && network.condition !== undefined;
      if (!strips && !isConditioned) await whole.forCondition();
    },
    async run(tensor, width, height, condition, onStep) {
      if (strips && height > maxStripRows(width)) {
        const session = await strips.forCondition(condition);
        return await session.run(tensor, width, height, onStep);
      }
      const session = await whole.forCondition(condition);
      const count = tensor.length / (3 * width * height);
      const pictures = new Tensor(
        'float32',
        tensor,
        tensorShape(network, { width, height }, count),
      );
      const [output] = await runOnce(session, network, { [network.input]: pictures });
      return output.data;
    },
    async runFor(outputs, tensor, width, height) {
      const picture = new Tensor('float32', tensor, tensorShape(network, { width, height }, 1));
      const session = await whole.forCondition();
      return await runOnce(session, network, { [network.input]: picture }, outputs);
    },
    async close() {
      await whole.close();
      await strips?.close();
      await singleStrips?.close();
      await split?.close();
    },
  };
}

interface StreamedFile extends StreamedNetwork {
  network: NetworkFile;
}

/**
 * Rewrites the file for streaming, if the network allows it: int8, on the CPU.
 *
 * @param file its bytes; absent: to be read
 */
async function streamedFileOf(
  network: AnyNetworkFile,
  precision: Precision,
  provider: Provider,
  file?: Buffer,
): Promise<StreamedFile | undefined> {
  const variant = network.variants.find((one) => one.precision === precision);
  if (provider !== 'cpu' || precision !== 'int8' || !variant) return undefined;
  if (!('scale' in network) || !network.tileExact || network.layout !== 'NCHW') return undefined;
  const streamed = streamedNetwork(file ?? (await readFile(variant.path)));
  return streamed && streamed.lagPx <= network.marginPx ? { ...streamed, network } : undefined;
}

async function loadStreamed(
  streamed: StreamedFile,
  split: SplitFile | undefined,
  on: DeviceThreads,
  condition: readonly number[],
) {
  const { file, network } = streamed;
  const session = split
    ? await loadSplit(split, file, on, condition)
    : await InferenceSession.create(
        network.condition
          ? conditionedFile(Buffer.from(file), network.condition.constant, condition)
          : file,
        sessionOptions(on),
      );
  return createStreamedSession(session, streamed, network);
}

interface SplitFile extends Pick<SplitNetwork, 'network'> {
  /** Loads the network of the condition. */
  prepare(): Promise<unknown>;
  constantsFor(condition: readonly number[]): Promise<ComputedConstant[]>;
  close(): Promise<void>;
}

/** Splits the file at its condition, if it has one: int8, on the CPU. */
async function openSplit(
  network: AnyNetworkFile,
  precision: Precision,
  { provider }: DeviceThreads,
): Promise<SplitFile | undefined> {
  const variant = network.variants.find((one) => one.precision === precision);
  const constant = 'scale' in network ? network.condition?.constant : undefined;
  if (provider !== 'cpu' || precision !== 'int8' || !variant || constant === undefined)
    return undefined;
  const split = splitCondition(await readFile(variant.path), constant);
  if (!split) return undefined;
  let opened: Promise<InferenceSession> | undefined;
  const open = () =>
    (opened ??= InferenceSession.create(split.condition, {
      ...sessionOptions({ provider, threads: 1 }),
      graphOptimizationLevel: 'disabled',
    }));
  return {
    network: split.network,
    prepare: open,
    async constantsFor(condition) {
      const session = await open();
      const input = new Tensor('float32', Float32Array.from(condition), [1, condition.length]);
      return Object.entries(await session.run({ [constant]: input })).map(constantOf);
    },
    close: async () => (await opened)?.release(),
  };
}

function constantOf([name, { type, dims, data }]: [string, Tensor]): ComputedConstant {
  if (!isConstantType(type) || !ArrayBuffer.isView(data))
    throw new Error(`${name} follows from a condition, but is of type ${type}`);
  const { buffer, byteOffset, byteLength } = data;
  return { name, type, sides: dims, bytes: new Uint8Array(buffer, byteOffset, byteLength) };
}

const loadSplit = async (
  split: SplitFile,
  file: Buffer,
  on: DeviceThreads,
  condition: readonly number[],
): Promise<InferenceSession> =>
  InferenceSession.create(
    withConstants(file, await split.constantsFor(condition)),
    sessionOptions(on),
  );

function hasFreeBatch({ inputMetadata }: InferenceSession, network: AnyNetworkFile): boolean {
  const input = inputMetadata.find(({ name }) => name === network.input);
  return input?.isTensor === true && typeof input.shape[0] === 'string';
}

/** Conditions for which a network stays loaded, so that alternating kinds of photos need no reloading. */
const maxLoaded = 3;

/** Loads a network once per condition, in a cache of the latest few. */
function loadByCondition<Loaded extends Pick<InferenceSession, 'release'>>(
  network: AnyNetworkFile,
  load: (condition: readonly number[]) => Promise<Loaded>,
) {
  const values = 'scale' in network ? (network.condition?.values ?? []) : [];
  const nothing = values.map(() => 0);
  const loaded = createLruCache<Loaded>(maxLoaded, (session) => session.release());
  return {
    forCondition(given: readonly number[] = nothing): Promise<Loaded> {
      const condition = values.length > 0 ? roundedCondition(given) : nothing;
      return loaded.get(condition.join(), () => load(condition));
    },
    close: () => loaded.clear(),
  };
}

interface DeviceThreads {
  provider: Provider;
  threads: number;
}

export const sessionOptions = ({
  provider,
  threads,
}: DeviceThreads): InferenceSession.SessionOptions => ({
  executionProviders: [providerOn(provider, chosenCard())],
  logSeverityLevel: errorsOnly,
  extra: waitWithoutSpinning,
  intraOpNumThreads: threads,
});

const loadVariant = (
  network: AnyNetworkFile,
  precision: Precision,
  on: DeviceThreads,
  condition: readonly number[],
) =>
  orUnavailable(network, on, async () => {
    const variant = network.variants.find((v) => v.precision === precision);
    if (!variant) throw new Error(`it has no ${precision} variant`);
    const options = sessionOptions(on);
    const conditioned = 'scale' in network ? network.condition : undefined;
    if (!conditioned && precision !== 'fp16')
      return await InferenceSession.create(variant.path, options);
    const stored = await readFile(variant.path);
    const file = conditioned ? conditionedFile(stored, conditioned.constant, condition) : stored;
    return await InferenceSession.create(precision === 'fp16' ? halfFile(file) : file, options);
  });

/** @throws EnlargerError MODEL_UNAVAILABLE if loading on the CPU fails; the error itself on another device */
async function orUnavailable<Loaded>(
  network: AnyNetworkFile,
  { provider }: DeviceThreads,
  load: () => Promise<Loaded>,
): Promise<Loaded> {
  try {
    return await load();
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
  others: readonly string[] = [],
): Promise<[FeatureTensor, ...FeatureTensor[]]> {
  const found = await session.run(feeds, [network.output, ...others]);
  const tensorNamed = (name: string): FeatureTensor => {
    const { data, dims } = found[name] ?? {};
    if (data instanceof Float32Array && dims) return { data, dims };
    throw new Error(`${network.modelId} did not give 32-bit floats as ${name}`);
  };
  return [tensorNamed(network.output), ...others.map(tensorNamed)];
}
