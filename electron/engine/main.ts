/**
 * Entry of the engine process, a message loop. It ends when its channel to the service closes, and ignores
 * SIGINT and SIGTERM, which a terminal sends to the whole process group: only the service stops it.
 *
 * - `node main.ts CACHE_DIR` runs jobs
 * - `node main.ts inspect` reads untrusted files
 * - `node main.ts probe` checks one device, and may crash
 * - `node main.ts measure` finds the best device for a network, and may be killed at any moment
 */
import { flushCompileCache } from 'node:module';
import { constants } from 'node:os';
import { EnlargerError, taskErrorCodeOf } from '../../packages/contract/src/errors.ts';
import { startInferenceThread } from './inference/thread.ts';
import type { CheckRequest } from './inference/checks/check.ts';
import type { MeasureRequest } from './inference/protocol.ts';
import { createMeasuring } from './inference/measuring/measuring.ts';
import { doPictureWork } from './jobs/picture-work.ts';
import type { EngineCalls, FromEngine, JobProgress, ToEngine } from './protocol/messages.ts';
import { createRpcServer, type RpcHandlers, type Failure } from './protocol/rpc.ts';
import { orStorageFull } from './raster/disk.ts';
import { assertAllRows, inspect } from '../../packages/photo-files/src/index.ts';
import { type JobTools, createInferenceLock } from './jobs/steps/job-context.ts';
import { runJob } from './jobs/run-job.ts';
import { applyPriority, lowerPriority, workPriority } from './plan/resource-budget.ts';
import { oldestAbandonedMs } from './cancellation/uncancellable-work.ts';

const heartbeatMs = 1000;
/** Abandoned native work that runs longer than this has hung; the process then ends once no job runs. */
const abandonedLimitMs = 60_000;

function post(message: FromEngine): void {
  process.send?.(message, undefined, undefined, (error) => {
    if (error) endProcess();
  });
}

/** Ends this process at once: a normal exit would wait for native threads. */
function endProcess(): never {
  process.kill(process.pid, 'SIGKILL');
  process.exit();
}

const enginePath = import.meta.filename;
const inferenceFile = new URL(
  enginePath.endsWith('.ts') ? 'inference/worker.ts' : 'inference.js',
  import.meta.url,
);

function failureOf(error: unknown): Failure {
  if (error instanceof EnlargerError)
    return { code: taskErrorCodeOf(error), message: error.message };
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return { code: 'INTERNAL', message: 'Something unexpected went wrong in the engine.' };
}

async function inspectFile({ path, limits, isWhole }: EngineCalls['inspect']['request']) {
  const inspected = await inspect(path, limits);
  if (isWhole) await assertAllRows(path, inspected);
  return inspected.info;
}

/** Serves requests and sends heartbeats, each after a call of `onTick`, until this process ends. */
function serve(handlers: RpcHandlers<EngineCalls>, onTick: () => void = () => undefined): void {
  const serveRequest = createRpcServer(
    handlers,
    (reply) => post({ kind: 'reply', reply }),
    failureOf,
  );
  process.on('message', ({ request }: ToEngine) => void serveRequest(request));
  setInterval(() => {
    onTick();
    post({ kind: 'heartbeat' });
  }, heartbeatMs);
  post({ kind: 'ready' });
}

function serveJobs(cacheDir: string): void {
  // Networks use every core: the service and the user's other programs go first.
  lowerPriority(workPriority);
  const inference = startInferenceThread(
    inferenceFile,
    { cacheDir, enginePath },
    ({ speeds }) => post({ kind: 'speeds', speeds }),
    (request) => measuring.measureWhenIdle(request),
  );
  const tools: JobTools = { inference, lock: createInferenceLock() };
  let running = 0;
  let working = 0;
  let isCodeKept = false;
  const measuring = createMeasuring(enginePath, inference, () => running + working > 0);

  const handlers: RpcHandlers<EngineCalls> = {
    async run(job, emit, signal) {
      measuring.preempt();
      if (job.budget) applyPriority(job.budget);
      running += 1;
      try {
        const onProgress = (progress: JobProgress, stallLimitMs: number) => {
          emit({ progress, stallLimitMs });
          if (isCodeKept || progress.step !== 'network') return;
          // This thread idles while a network runs, and whoever started this process may kill it after the job.
          isCodeKept = true;
          flushCompileCache();
        };
        return await runJob(job, tools, { signal, onProgress });
      } catch (error) {
        throw await orStorageFull(error, job);
      } finally {
        running -= 1;
      }
    },
    inspect: inspectFile,
    async devices() {
      await inference.started;
      return inference.known();
    },
    measure: (request) => measuring.measure(request),
    async work(work) {
      measuring.preempt();
      working += 1;
      return doPictureWork(work, inference).finally(() => (working -= 1));
    },
  };
  serve(handlers, () => {
    measuring.tick();
    if (running === 0 && oldestAbandonedMs() > abandonedLimitMs) endProcess();
  });
}

/** Serves inspections only, without networks. A file that makes this process hang or crash harms no job. */
function serveInspections(): void {
  lowerPriority(workPriority);
  const noNetworks = () => {
    throw new Error('Send this request to the process that has networks.');
  };
  serve({
    run: noNetworks,
    inspect: inspectFile,
    devices: noNetworks,
    measure: noNetworks,
    work: (work) => doPictureWork(work, undefined),
  });
}

/** Serves a single request. Nothing is cached here; the requesting engine caches the result. */
function serveOne(kind: 'check' | 'measure'): void {
  const inference = startInferenceThread(inferenceFile, { enginePath });
  const serve = async (request: CheckRequest & MeasureRequest) =>
    process.send?.(await inference[kind](request));
  process.once('message', (request: CheckRequest & MeasureRequest) => void serve(request));
}

process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('disconnect', endProcess);

const [mode = ''] = process.argv.slice(2);
if (mode === 'probe') serveOne('check');
else if (mode === 'inspect') serveInspections();
else if (mode === 'measure') {
  // Interactive use of this machine and the service itself go first.
  lowerPriority(constants.priority.PRIORITY_LOW);
  serveOne('measure');
} else serveJobs(mode);
