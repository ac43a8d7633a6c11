import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { EngineHost } from '../../../electron/engine/host/host.ts';
import type { Heartbeat } from '../../../packages/pool/src/messages.ts';
import { createJobRunner } from '../../../packages/pool/src/job-runner.ts';
import type {
  InFlightJob,
  PoolOutcome,
  Submitter,
} from '../../../packages/pool/src/submit/submitter.ts';
import { helper, jobIn, reportOfJob, skill } from '../../support/pool-parts.ts';
import { quick } from '../../support/pool.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Run = EngineHost['run'];

/** One helper that is idle and fast, and does what `run` does. */
function open(
  engine: Run,
  run: Submitter['run'],
  {
    inFlight = [],
    speed = 100,
    hasWaiting = () => false,
    helpers = 1,
    slots = 2,
  }: {
    inFlight?: InFlightJob[];
    speed?: number;
    hasWaiting?: () => boolean;
    helpers?: number;
    slots?: number;
  } = {},
) {
  const heartbeat: Heartbeat = {
    version: 1,
    ...helper,
    skills: [{ ...skill, megapixelsPerSecond: speed }],
    slots,
    doing: [],
    finished: 0,
  };
  const submitter: Submitter = {
    inFlight,
    helpers: [{ heartbeat, isAway: false }],
    eligibleWorkers: () =>
      Array.from({ length: helpers }, (_, i) => ({
        id: i === 0 ? helper.id : `${helper.id}-${i}`,
        slots,
        megapixelsPerSecond: speed,
      })),
    run,
    problem: () => undefined,
    close: () => Promise.resolve(),
  };
  const jobRunner = createJobRunner({
    engine: {
      run: engine,
      inspect: () => Promise.resolve({ ...reportOfJob.input, pages: 1 }),
    },
    submitter: () => submitter,
    hasWaiting,
    onRoom: () => undefined,
    stragglersEveryMs: 20,
  });
  onTestFinished(() => jobRunner.close());
  return jobRunner;
}

const watch = { signal: new AbortController().signal, onProgress: () => undefined };

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('It was stopped.')));
  });

test('a late task of this machine is started again on an idle faster helper, and stopped here', async () => {
  const folder = temporaryFolder();
  const wasStopped = vi.fn();
  const place = vi.fn(() => Promise.resolve());
  const asked: unknown[] = [];
  const jobRunner = open(
    async (_job, { signal, onProgress }) => {
      // After a second it is at 5 percent: it would take 19 more.
      setTimeout(() => onProgress({ step: 'network', percent: 5 }), 1000);
      return untilAborted(signal).finally(wasStopped);
    },
    (_job, _watch, again) => {
      asked.push(again);
      return Promise.resolve({
        report: reportOfJob,
        ranOn: helper,
        moveFiles: place,
        discard: () => Promise.reject(new Error('It won.')),
      });
    },
  );
  const report = await jobRunner.run(jobIn(folder, 1), watch);
  expect(report.ranOn).toEqual(helper);
  expect(wasStopped).toHaveBeenCalledOnce();
  expect(place).toHaveBeenCalledOnce();
  expect(asked).toEqual([{ notFor: [], withinSeconds: expect.any(Number) as number }]);
});

test('a task of this machine is not started again on a helper that is no faster', async () => {
  const folder = temporaryFolder();
  const again = vi.fn<Submitter['run']>(() => Promise.reject(new Error('It is too slow.')));
  const jobRunner = open(
    async (_job, { onProgress }) => {
      await wait(500);
      onProgress({ step: 'network', percent: 5 });
      await wait(500);
      return reportOfJob;
    },
    again,
    // 0.005 megapixels take it 100 seconds, and this machine a tenth of that.
    { speed: 0.000_05 },
  );
  expect((await jobRunner.run(jobIn(folder, 1), watch)).ranOn).toBeUndefined();
  expect(again).not.toHaveBeenCalled();
});

test('a late task of a helper is started again here, and its own result is thrown away', async () => {
  const folder = temporaryFolder();
  const inFlight: InFlightJob[] = [];
  const ends = new Map<string, () => void>();
  const secondEnds: string[] = [];
  const slow = Promise.withResolvers<PoolOutcome>();
  const discard = vi.fn(() => Promise.resolve());
  let hasWaiting = true;
  const jobRunner = open(
    async (job) => {
      if (!job.jobId.endsWith('-2'))
        await new Promise<void>((resolve) => ends.set(job.jobId, resolve));
      await writeFile(job.outputPath, `made of ${job.jobId}`);
      await writeFile(job.thumbPath, 'thumb');
      if (job.jobId.endsWith('-2')) secondEnds.push(job.outputPath);
      return reportOfJob;
    },
    (job) => {
      inFlight.push({
        taskId: job.jobId.slice(0, 36),
        model: 'faithful',
        megapixels: 1,
        startedMs: Date.now(),
        isSecond: false,
        // Nobody took it yet.
        helper: undefined,
        percent: 0,
      });
      return slow.promise;
    },
    { inFlight, hasWaiting: () => hasWaiting },
  );
  const jobs = [1, 2, 3].map((number) => jobIn(folder, number));
  const runs = jobs.map((job) => jobRunner.run(job, watch));
  await expect.poll(() => [ends.size, inFlight.length], quick).toEqual([2, 1]);
  for (const end of ends.values()) end();
  await Promise.all(runs.slice(0, 2));
  hasWaiting = false;
  // The helper does not hear that it should stop, and ends after the second start did.
  await expect.poll(() => secondEnds, quick).toEqual([`${jobs[2]!.outputPath}.second`]);
  slow.resolve({
    report: reportOfJob,
    ranOn: helper,
    moveFiles: () => Promise.reject(new Error('It lost.')),
    discard,
  });
  const reports = await Promise.all(runs);
  expect(reports.map(({ ranOn }) => ranOn)).toEqual([undefined, undefined, undefined]);
  expect(discard).toHaveBeenCalledOnce();
  expect(await readFile(jobs[2]!.outputPath, 'utf8')).toBe(`made of ${jobs[2]!.jobId}-2`);
});

test('a late task of a slow helper is started again on the fastest idle machine, which may be another helper', async () => {
  const folder = temporaryFolder();
  const slow = { id: 'd'.repeat(16), name: 'slow' };
  const inFlight: InFlightJob[] = [];
  const asked: unknown[] = [];
  const jobRunner = open(
    // This machine is idle then too, and slower than the idle helper.
    async () => {
      await wait(200);
      return reportOfJob;
    },
    async (job, { signal, onProgress }, again) => {
      asked.push(again);
      if (again)
        return {
          ...{ report: reportOfJob, ranOn: helper },
          moveFiles: () => Promise.resolve(),
          discard: () => Promise.reject(new Error('It won.')),
        };
      inFlight.push({
        ...{ taskId: job.jobId.slice(0, 36), model: 'faithful', megapixels: 1, isSecond: false },
        ...{ startedMs: Date.now(), helper: slow, percent: 5 },
      });
      setTimeout(() => onProgress({ step: 'network', percent: 5 }), 1000);
      return untilAborted(signal);
    },
    { inFlight },
  );
  const runs = [1, 2, 3].map((number) => jobRunner.run(jobIn(folder, number), watch));
  const reports = await Promise.all(runs);
  expect(reports.map(({ ranOn }) => ranOn)).toEqual([undefined, undefined, helper]);
  expect(asked).toEqual([
    undefined,
    { notFor: [slow.id], withinSeconds: expect.any(Number) as number },
  ]);
});

test('has places for its own work and, once, for that of each helper that can do some, with a few to spare', () => {
  const able = new Map([
    ['natural', [helper.id]],
    ['restore', [helper.id]],
  ]);
  const words = [helper.id, 'e'.repeat(16)].map((id, i) => ({
    ...{ version: 1 as const, id, name: id, slots: 4, doing: [], finished: 0 },
    skills: (i === 0 ? [...able.keys()] : ['other']).map((model) => ({ ...skill, model })),
  }));
  const jobRunner = createJobRunner({
    engine: { run: () => Promise.reject(new Error('Nothing is run.')), inspect: vi.fn() },
    submitter: () => ({
      inFlight: [],
      helpers: words.map((heartbeat) => ({ heartbeat, isAway: false })),
      eligibleWorkers: ([model = '']) =>
        (able.get(model) ?? []).map((id) => ({ id, slots: 4, megapixelsPerSecond: 1 })),
      run: () => Promise.reject(new Error('Nothing is run.')),
      problem: () => undefined,
      close: () => Promise.resolve(),
    }),
    hasWaiting: () => false,
    onRoom: () => undefined,
  });
  onTestFinished(() => jobRunner.close());
  expect(jobRunner.slots()).toBe(2 + 4 + 1);
});

test('a crowd of helpers with many slots each takes no more tasks at once than a machine can send', () => {
  const never = () => Promise.reject(new Error('It is not run.'));
  expect(open(never, never, { helpers: 4 }).slots()).toBe(2 + 8 + 2);
  expect(open(never, never, { helpers: 200, slots: 64 }).slots()).toBe(2 + 256);
});
