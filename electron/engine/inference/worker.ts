/**
 * The inference thread: owns the sessions and runs one pass at a time, in the order asked. A run
 * blocks this thread; that is what it is for.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { EnlargerError, taskErrorCodeOf } from '../../contract/errors.ts';
import { checkProvider, firstLine } from './check.ts';
import { learnSpeed, openKnowledge } from './knowledge.ts';
import { openOutcomes } from './outcomes.ts';
import { probe } from './probe.ts';
import { createSessionKeeper, type Runner } from './best-device.ts';
import type { FromInference, InferenceOptions, ToInference } from './protocol.ts';
import { providersHere } from './providers.ts';
import { runMask } from './run-mask.ts';
import { runRequest } from './run-request.ts';

const tell = (message: FromInference) => parentPort?.postMessage(message);

function createRunner({ cacheDir, enginePath }: InferenceOptions): Runner {
  const knowledge = openKnowledge(cacheDir, providersHere(), (report) => {
    tell({ kind: 'known', report });
  });
  tell({ kind: 'known', report: knowledge.report() });
  return {
    outcomes: openOutcomes(cacheDir),
    knowledge,
    probe: (request) => probe(enginePath, request),
    sessions: createSessionKeeper(),
    tell,
    chosen: new Map(),
  };
}

type Run = Extract<ToInference, { kind: 'pass' | 'mask' }>;

async function run(runner: Runner, { kind, request }: Run): Promise<void> {
  const { passId } = request;
  try {
    if (kind === 'pass') tell({ kind: 'done', passId, report: await runRequest(runner, request) });
    else tell({ kind: 'masked', passId, report: await runMask(runner, request) });
  } catch (error) {
    const code = taskErrorCodeOf(error);
    const said = error instanceof EnlargerError ? error.message : firstLine(error);
    const message = code === 'INTERNAL' ? `The network could not run: ${said}` : said;
    tell({ kind: 'failed', passId, code, message });
  }
}

const runner = createRunner(workerData as InferenceOptions);
let last: Promise<void> = Promise.resolve();

parentPort?.on('message', (message: ToInference) => {
  last = last.then(async () => {
    if (message.kind === 'speed') learnSpeed(runner.knowledge, message.speed);
    else if (message.kind !== 'check') await run(runner, message);
    else tell({ kind: 'checked', outcome: await checkProvider(message.request) });
  });
});
