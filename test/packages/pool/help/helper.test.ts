/** A helper works for others with their own files alone, however large these say they are. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTransfers } from '../../../../packages/pool/src/bytes/transfers.ts';
import { startHelper } from '../../../../packages/pool/src/help/helper.ts';
import { requestOf } from '../../../../packages/pool/src/job-travel.ts';
import {
  Heartbeat,
  readJson,
  type PoolJob,
  type PoolResult,
} from '../../../../packages/pool/src/messages.ts';
import type { Registry } from '../../../../packages/pool/src/queue/registry.ts';
import type { LeasedJob } from '../../../../packages/pool/src/queue/work-queues.ts';
import { jobIn, reportOfJob, skill } from '../../../support/pool-parts.ts';
import { quick } from '../../../support/pool.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { defaultSettings } from '../../../support/default-settings.ts';

const signal = new AbortController().signal;
const submitter = { id: 'b'.repeat(16), name: 'submitter' };
const folder = `${submitter.id}/job`;

async function openTestHelper() {
  const scratchDir = temporaryFolder();
  const share = path.join(scratchDir, 'share');
  await mkdir(share);
  const transfers = await openTransfers(share, '');
  const file = path.join(scratchDir, 'photo');
  await writeFile(file, 'a picture');
  const source = await transfers.send(file, `${folder}/source`, signal);
  let runs = 0;
  const beats: Heartbeat[] = [];
  let work: ((held: LeasedJob) => Promise<PoolResult>) | undefined;
  const registry: Pick<Registry, 'beat' | 'leave' | 'quarantinedBy'> = {
    beat: (heartbeat) => {
      beats.push(heartbeat);
      return Promise.resolve();
    },
    leave: () => Promise.resolve(),
    quarantinedBy: () => Promise.resolve(new Map()),
  };
  const helper = startHelper({
    me: { id: 'a'.repeat(16), name: 'helper' },
    registry: registry as Registry,
    transfers,
    openQueues: (given) => {
      work = given;
      return { serve: () => undefined, setSlots: () => undefined, close: () => Promise.resolve() };
    },
    engine: {
      run: async (job) => {
        runs += 1;
        if (job.operation !== 'convert') await writeFile(job.outputPath, 'a result');
        return reportOfJob;
      },
    },
    networks: {
      network: (modelId, scale) => Promise.resolve({ modelId, scale } as never),
      maskNetwork: () => Promise.reject(new Error('It cuts nothing out.')),
    },
    skills: () => Promise.resolve([skill]),
    heartbeatEveryMs: 20,
    isBusy: () => false,
    settings: () => ({ ...defaultSettings, maxSourceBytes: 1000 }),
    scratchDir,
    log: () => undefined,
  });
  onTestFinished(() => helper.close());
  const job: PoolJob = {
    version: 1,
    submitter,
    taskId: '00000001-0000-4000-8000-000000000000',
    attempt: 1,
    copy: 1,
    megapixels: 1,
    asked: requestOf(jobIn(scratchDir, 1)),
    source,
    folder,
    notFor: [],
  };
  const run = (lie: Partial<PoolJob>) =>
    work!({ job: { ...job, ...lie }, signal, report: () => undefined });
  return { run, job, share, runs: () => runs, beats };
}

test('a job with files of its submitter is done', async () => {
  const { run, runs, share } = await openTestHelper();
  const { files } = await run({});
  expect(runs()).toBe(1);
  expect(files.map(({ role }) => role)).toEqual(['result']);
  expect(existsSync(path.join(share, files[0]!.parcel.name))).toBe(true);
});

test('a job that names files of others, or a source beyond the limit, is not', async () => {
  const { run, runs, job } = await openTestHelper();
  const other = `${'c'.repeat(16)}/job`;
  const notOwn = /not in the folder of its submitter/;
  await expect(run({ folder: other })).rejects.toThrow(notOwn);
  await expect(run({ folder: submitter.id })).rejects.toThrow(notOwn);
  const named = (name: string) => ({ source: { ...job.source, name } });
  await expect(run(named(`${other}/source`))).rejects.toThrow(notOwn);
  await expect(run(named(`${folder}-2/source`))).rejects.toThrow(notOwn);
  await expect(run({ source: { ...job.source, sizeBytes: 2 ** 40 } })).rejects.toMatchObject({
    code: 'SOURCE_TOO_LARGE',
  });
  expect(runs()).toBe(0);
});

test.each([0, Number.MAX_VALUE])(
  'a job that says it has %d megapixels changes nothing of what the helper says of itself',
  async (megapixels) => {
    const { run, beats } = await openTestHelper();
    await run({ megapixels });
    await expect.poll(() => beats.at(-1)?.finished, quick).toBe(1);
    const sent = readJson(Heartbeat, JSON.stringify(beats.at(-1)));
    expect(sent?.skills).toEqual([
      { ...skill, megapixelsPerSecond: expect.closeTo(2.5, -1) as number },
    ]);
  },
);
