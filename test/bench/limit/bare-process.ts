/** Runs networks in plain onnxruntime-node, for the benchmark that forks this file. */
import { readFile } from 'node:fs/promises';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { createStreamedSession } from '../../../electron/engine/inference/sessions/streamed-session.ts';
import { streamedNetwork } from '../../../electron/engine/inference/network-files/streamed-network.ts';
import type {
  BareCost,
  BareNetwork,
  BareReply,
  BareRequest,
  Settings,
  Tile,
} from './bare-protocol.ts';

interface BareSession {
  run(tensor: Float32Array, width: number, height: number): Promise<unknown>;
  release(): Promise<void>;
}

const optionsOf = ({ provider, threads, spins }: Settings): InferenceSession.SessionOptions => ({
  executionProviders: [provider],
  logSeverityLevel: 3,
  ...(threads !== undefined && { intraOpNumThreads: threads }),
  ...(!spins && { extra: { session: { intra_op: { allow_spinning: '0' } } } }),
});

async function openBare(network: BareNetwork, settings: Settings): Promise<BareSession> {
  const options = optionsOf(settings);
  const { input, output, scale } = network;
  if (settings.inStrips) {
    const streamed = streamedNetwork(await readFile(network.path));
    if (!streamed) throw new Error('The network cannot run in strips');
    const session = await InferenceSession.create(streamed.file, options);
    return createStreamedSession(session, streamed, { input, output, scale });
  }
  const session = await InferenceSession.create(network.path, options);
  return {
    run: (tensor, width, height) => {
      const shape = network.layout === 'NCHW' ? [1, 3, height, width] : [1, height, width, 3];
      return session.run({ [input]: new Tensor('float32', tensor, shape) }, [output]);
    },
    release: () => session.release(),
  };
}

/** Noise, whose values no network computes faster than a photo's. */
function noise(length: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length }, () => {
    state = (state * 48271) % 0x7fffffff;
    return state / 0x7fffffff;
  });
}

async function secondsOf(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1000;
}

const medianOf = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[(values.length - 1) >> 1] ?? Infinity;

async function compare(network: BareNetwork, tiles: Tile[], rounds: number): Promise<number[]> {
  const sessions = new Map<string, Promise<BareSession>>();
  const runOf = async ({ settings, width, height }: Tile) => {
    const key = JSON.stringify(settings);
    const opened = sessions.get(key) ?? openBare(network, settings);
    sessions.set(key, opened);
    const session = await opened;
    const tensor = noise(3 * width * height);
    return () => session.run(tensor, width, height);
  };
  const runs = await Promise.all(tiles.map(runOf));
  const times: number[][] = tiles.map(() => []);
  for (let round = 0; round <= rounds; round += 1)
    for (const [i, run] of runs.entries()) {
      const seconds = await secondsOf(run);
      if (round > 0) times[i]?.push(seconds);
    }
  for (const opened of sessions.values()) await (await opened).release();
  return times.map(medianOf);
}

async function repeat(
  network: BareNetwork,
  { settings, width, height }: Tile,
  count: number,
): Promise<BareCost> {
  const session = await openBare(network, settings);
  const tensor = noise(3 * width * height);
  await session.run(tensor, width, height);
  const before = process.cpuUsage();
  const seconds = await secondsOf(async () => {
    for (let i = 0; i < count; i += 1) await session.run(tensor, width, height);
  });
  const { user, system } = process.cpuUsage(before);
  await session.release();
  return { seconds, cpuSeconds: (user + system) / 1e6 };
}

async function replyTo(request: BareRequest): Promise<BareReply> {
  try {
    return 'compare' in request
      ? { medians: await compare(request.network, request.compare, request.rounds) }
      : { cost: await repeat(request.network, request.repeat, request.count) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (request: BareRequest) => {
  void replyTo(request).then((reply) => process.send?.(reply));
});
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
