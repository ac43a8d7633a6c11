/** Parts of a pool by themselves: a submitter that sends what it is told, and a queue's worker that does as it is told. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { JobReport, UpscaleJob } from '../../electron/engine/protocol/messages.ts';
import { openTransfers } from '../../packages/pool/src/bytes/transfers.ts';
import type { PoolStorage } from '../../packages/pool/src/bytes/storage.ts';
import type { PoolJob, PoolResult } from '../../packages/pool/src/messages.ts';
import {
  createHelpQueues,
  createRegistry,
  createSubmitQueues,
  openPoolServer,
  defaultTimes,
} from '../../packages/pool/src/queue/queue.ts';
import { queueOf } from '../../packages/pool/src/skills.ts';
import { createQuarantine, type Quarantine } from '../../packages/pool/src/submit/quarantine.ts';
import { openSubmitter, type Submitter } from '../../packages/pool/src/submit/submitter.ts';
import { defaultFrame } from './engine.ts';
import { quick } from './pool.ts';

export const skill = { model: 'faithful', digest: '0123456789abcdef', precision: 'fp32' };
export const helper = { id: 'f'.repeat(16), name: 'helper' };
const picture = { format: 'png', width: 100, height: 50, bitDepth: 8, channels: 3, sizeBytes: 1 };

/** A job whose picture is not looked at. @param number of its task */
export function jobIn(folder: string, number: number, attempt = 1): UpscaleJob {
  const task = `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`;
  const at = (name: string) => path.join(folder, `${number}-${name}`);
  return {
    jobId: `${task}-${attempt}`,
    operation: 'upscale',
    passes: [{ modelId: 'faithful', scale: 2 }] as UpscaleJob['passes'],
    sourcePath: path.join(folder, 'source'),
    scratchDir: folder,
    outputPath: at('result'),
    thumbPath: at('thumb'),
    ...defaultFrame,
  };
}

export const reportOfJob: JobReport = {
  input: picture,
  output: { ...picture, width: 200, height: 100 },
  device: { provider: 'cpu', name: 'CPU', precision: 'fp32' },
  timings: {},
  notes: [],
  ran: [],
  tiles: { count: 1, sizePx: 1, computedPerCore: 1 },
};

/** @param folder of the share, and of the source of `jobIn` */
export async function openTestSubmitter(
  address: string,
  folder: string,
  id: string,
  waits = true,
  tickMs = 100,
  storage: Partial<PoolStorage> = {},
): Promise<{
  submitter: Submitter;
  quarantine: Quarantine;
  /** How many sweeps of the storage failed. */
  failedSweeps: () => number;
}> {
  const server = openPoolServer(address);
  if (waits) await expect.poll(() => server.isReady(), quick).toBe(true);
  await writeFile(path.join(folder, 'source'), 'a picture');
  const quarantine = createQuarantine();
  const transfers = await openTransfers(folder, '');
  let failedSweeps = 0;
  const submitter = await openSubmitter({
    me: { id, name: id },
    registry: createRegistry(server.quick),
    transfers: { ...transfers, storage: { ...transfers.storage, ...storage } },
    openQueues: (listener) => createSubmitQueues(server, listener),
    isReady: () => server.isReady(),
    engine: {
      inspect: () => Promise.resolve({ ...picture, pages: 1 }),
      work: () => Promise.reject(new Error('It looks at no picture.')),
    },
    skill: () => skill,
    quarantine,
    submits: true,
    scratchDir: folder,
    log: (_level, message) => {
      if (message.includes('could not be swept')) failedSweeps += 1;
    },
    onPolled: () => undefined,
    tickMs,
  });
  onTestFinished(async () => {
    await submitter.close();
    server.close();
  });
  return { submitter, quarantine, failedSweeps: () => failedSweeps };
}

/** Takes one job at a time. */
export async function openTestWorker(
  address: string,
  work: (job: PoolJob) => Promise<PoolResult>,
): Promise<void> {
  const server = openPoolServer(address);
  await expect.poll(() => server.isReady(), quick).toBe(true);
  const queues = createHelpQueues(server, defaultTimes, ({ job, report }) => {
    report({ helper, percent: 0 });
    return work(job);
  });
  queues.setSlots(1);
  queues.serve([queueOf(skill)]);
  onTestFinished(async () => {
    await queues.close();
    server.close();
  });
}
