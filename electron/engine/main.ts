/**
 * The engine process is a message loop. It ends with its channel to the service and ignores the signals that
 * a terminal sends to the whole process group, because only the service stops it.
 * `node main.ts CACHE_DIR` runs jobs; `node main.ts look` looks at untrusted files;
 * `node main.ts probe` checks one device and may die of it;
 * `node main.ts measure` finds the best device for a network and may be killed at any moment.
 */
import { constants, setPriority } from 'node:os';
import { EnlargerError, taskErrorCodeOf } from '../contract/errors.ts';
import { startInferenceThread } from './inference/thread.ts';
import type { CheckRequest } from './inference/checks/check.ts';
import type { MeasureRequest } from './inference/protocol.ts';
import { createMeasuring } from './inference/measuring/measuring.ts';
import { doPictureWork } from './jobs/picture-work.ts';
import type { EngineCalls, FromEngine, JobProgress, ToEngine } from './protocol/messages.ts';
import { createAnswerer, type Answers, type Failure } from './protocol/rpc.ts';
import { unlessFull } from './raster/disk.ts';
import { inspect } from './raster/inspect.ts';
import { type JobTools, createTurn } from './jobs/steps/work.ts';
import { runJob } from './jobs/run-job.ts';
import { takePriority } from './plan/resource-budget.ts';
import { leftForMs } from './cancellation/watched.ts';

const aliveEveryMs = 1000;
/** A decode that runs on for this long after a cancel has hung: the process ends once it is idle. */
const leftLimitMs = 60_000;

function tell(message: FromEngine): void {
  process.send?.(message, undefined, undefined, (error) => {
    if (error) endProcess();
  });
}

/** Ends this process at once. A normal exit would wait for native work in threads. */
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

const inspectHead = async ({ path, limits }: EngineCalls['inspect']['asked']) =>
  (await inspect(path, limits)).info;

/** Answers questions, and tells of life after a call of `onTick`, until this process ends. */
function serve(answers: Answers<EngineCalls>, onTick: () => void = () => undefined): void {
  const answer = createAnswerer(answers, (said) => tell({ kind: 'said', said }), failureOf);
  process.on('message', ({ question }: ToEngine) => void answer(question));
  setInterval(() => {
    onTick();
    tell({ kind: 'alive' });
  }, aliveEveryMs);
  tell({ kind: 'ready' });
}

function serveJobs(cacheDir: string): void {
  // The networks take every core, so the service's answers and the user's other programs go first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const tools: JobTools = {
    inference: startInferenceThread(
      inferenceFile,
      { cacheDir, enginePath },
      ({ speeds }) => tell({ kind: 'speeds', speeds }),
      (request) => measuring.measureWhenIdle(request),
    ),
    turn: createTurn(),
  };
  let running = 0;
  let working = 0;
  const measuring = createMeasuring(enginePath, tools.inference, () => running + working > 0);

  const answers: Answers<EngineCalls> = {
    async run(job, tellNews, signal) {
      measuring.preempt();
      if (job.room) takePriority(job.room);
      running += 1;
      try {
        const onProgress = (progress: JobProgress, nextWithinMs: number) =>
          tellNews({ progress, nextWithinMs });
        return await runJob(job, tools, { signal, onProgress });
      } catch (error) {
        throw await unlessFull(error, job);
      } finally {
        running -= 1;
      }
    },
    inspect: inspectHead,
    async devices() {
      await tools.inference.started;
      return tools.inference.known();
    },
    measure: (asked) => measuring.measure(asked),
    async work(work) {
      measuring.preempt();
      working += 1;
      return doPictureWork(work, tools.inference).finally(() => (working -= 1));
    },
  };
  serve(answers, () => {
    measuring.tick();
    if (running === 0 && leftForMs() > leftLimitMs) endProcess();
  });
}

/** Serves looks at files, without networks. A file that makes this process hang or die harms no job. */
function serveLooks(): void {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const noNetworks = () => {
    throw new Error('Ask the process that has networks.');
  };
  serve({
    run: noNetworks,
    inspect: inspectHead,
    devices: noNetworks,
    measure: noNetworks,
    work: (work) => doPictureWork(work, undefined),
  });
}

/** Answers one question and keeps nothing of it: the engine that asked keeps what was found out. */
function serveOne(kind: 'check' | 'measure'): void {
  const inference = startInferenceThread(inferenceFile, { enginePath });
  const serve = async (asked: CheckRequest & MeasureRequest) =>
    process.send?.(await inference[kind](asked));
  process.once('message', (asked: CheckRequest & MeasureRequest) => void serve(asked));
}

process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('disconnect', endProcess);

const [mode = ''] = process.argv.slice(2);
if (mode === 'probe') serveOne('check');
else if (mode === 'look') serveLooks();
else if (mode === 'measure') {
  // The people who work with this machine, and the service itself, go first.
  setPriority(constants.priority.PRIORITY_LOW);
  serveOne('measure');
} else serveJobs(mode);
