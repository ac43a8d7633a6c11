/** A helper that does its work by the product's own parts and lies about it, or falls silent, as it is told. */
import { readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { defaultSettings } from './default-settings.ts';
import type { LeaseTimes } from '../../packages/pool/src/queue/work-queues.ts';
import type { EngineHost } from '../../electron/engine/host/host.ts';
import type { Job, JobReport } from '../../electron/engine/protocol/messages.ts';
import { openTransfers, type Transfers } from '../../packages/pool/src/bytes/transfers.ts';
import { startHelper } from '../../packages/pool/src/help/helper.ts';
import type { NetworkFiles } from '../../packages/pool/src/job-travel.ts';
import type { Capability } from '../../packages/pool/src/messages.ts';
import {
  createHelpQueues,
  createRegistry,
  openPoolServer,
  defaultTimes,
} from '../../packages/pool/src/queue/queue.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const lies = ['flat', 'other', 'size', 'hash', 'text', 'number'] as const;
/** `silent`: it takes a task and is never heard of again. */
export type Lie = (typeof lies)[number] | 'silent';

interface LyingHelperOptions {
  address: string;
  storage: string;
  lie: Lie;
  skills: Omit<Capability, 'megapixelsPerSecond'>[];
  id?: string;
  times?: LeaseTimes;
}

interface LyingHelper {
  /** How many tasks it was given. */
  taken(): number;
  close(): Promise<void>;
}

export async function startLyingHelper(options: LyingHelperOptions): Promise<LyingHelper> {
  const { address, storage, lie, skills, id = 'a1a1a1a1a1a1a1a1', times = defaultTimes } = options;
  const scratchDir = temporaryFolder();
  const server = openPoolServer(address);
  await new Promise<void>((resolve) => server.quick.once('ready', () => resolve()));
  let taken = 0;
  const engine: Pick<EngineHost, 'run'> = {
    async run(job, { signal }) {
      taken += 1;
      if (lie === 'silent') {
        server.close();
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('It was stopped.')));
        });
      }
      return enlargeFalsely(job, lie);
    },
  };
  const nothing: NetworkFiles = {
    network: (modelId, scale) =>
      Promise.resolve({ modelId, scale } as Awaited<ReturnType<NetworkFiles['network']>>),
    maskNetwork: () => Promise.reject(new Error('It cuts nothing out.')),
  };
  const helper = startHelper({
    me: { id, name: 'liar' },
    registry: createRegistry(server.quick),
    transfers: lyingTransfers(await openTransfers(storage, ''), lie),
    openQueues: (work) => createHelpQueues(server, times, work),
    engine,
    networks: nothing,
    skills: () => Promise.resolve(skills),
    isBusy: () => false,
    settings: () => defaultSettings,
    scratchDir,
    log: () => undefined,
    heartbeatEveryMs: 100,
  });
  return {
    taken: () => taken,
    async close() {
      await helper.close();
      server.close();
    },
  };
}

/** Reports another hash than the file's. */
function lyingTransfers(transfers: Transfers, lie: Lie): Transfers {
  if (lie !== 'hash') return transfers;
  return {
    ...transfers,
    async send(from, name, signal) {
      return { ...(await transfers.send(from, name, signal)), sha256: '0'.repeat(64) };
    },
  };
}

async function enlargeFalsely(job: Job, lie: Lie): Promise<JobReport> {
  if (job.operation !== 'upscale') throw new Error('It only enlarges.');
  const { width, height } = await sharp(job.sourcePath).metadata();
  const scale = job.passes.reduce((all, pass) => all * pass.scale, 1);
  const size = { width: width * scale, height: height * scale };
  const flat = sharp({ create: { ...size, channels: 3, background: '#777' } });
  const turned = sharp(await readFile(job.sourcePath))
    .rotate(180)
    .negate();
  const right = sharp(await readFile(job.sourcePath));
  const made = new Map([
    ['flat', flat],
    ['other', turned],
  ]).get(lie);
  const to = lie === 'size' ? { width, height } : size;
  await (made ?? right).resize(to.width, to.height, { fit: 'fill' }).png().toFile(job.outputPath);
  if (lie === 'text') await writeFile(job.outputPath, 'not a picture');
  await writeFile(job.thumbPath, await flat.resize(16, 16).webp().toBuffer());
  const info = { format: 'png', bitDepth: 8, channels: 3, sizeBytes: 1000 };
  return {
    input: { ...info, width, height },
    output: { ...info, ...size },
    ...(lie === 'number' && { changed: { mean: NaN, largest: NaN, share: NaN } }),
    device: { provider: 'cpu', name: 'CPU', precision: 'fp32' },
    timings: {},
    notes: [],
    ran: job.passes.map((pass) => ({ modelId: pass.modelId, scale: pass.scale })),
    tiles: { count: 1, sizePx: 64, computedPerCore: 1 },
  };
}
