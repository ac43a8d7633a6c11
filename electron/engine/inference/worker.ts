/**
 * The inference thread owns the sessions and runs one pass at a time, in the order in which they are asked
 * for; previews preempt a pass between two tiles. A run blocks this thread, which has no other purpose.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { taskErrorCodeOf } from '../../contract/errors.ts';
import { checkProvider } from './checks/check.ts';
import { deviceFaultOf } from './devices/device-fault.ts';
import { graphicsCards } from '../host/graphics-cards.ts';
import { createIdleUnloading } from './sessions/idle-unloading.ts';
import { learnSpeed, openKnowledge } from '../plan/knowledge.ts';
import { openOutcomes, type Outcomes } from './measuring/outcomes.ts';
import { probe } from './checks/probe.ts';
import { chosenFor, forgetChosen, keepSessions, type Runner } from './devices/best-device.ts';
import { chooseAtOnce, chooseDevices, chooseKnown, isMeasured } from './devices/choose-device.ts';
import type { Known, Measured } from '../protocol/messages.ts';
import { createAnswerer, type Asked, type Failure } from '../protocol/rpc.ts';
import type {
  FoundOutcome,
  FromInference,
  InferenceCalls,
  InferenceOptions,
  MaskRequest,
  MeasureRequest,
  PassRequest,
} from './protocol.ts';
import { providersHere } from './devices/providers.ts';
import { runMask } from './run-mask.ts';
import { runRequest } from './run-request.ts';

const say = (message: FromInference) => parentPort?.postMessage(message);

function createRunner({ cacheDir, enginePath }: InferenceOptions): Runner {
  const cards = graphicsCards();
  const onChange = (report: Known) => say({ known: report });
  const knowledge = openKnowledge(cacheDir, providersHere(), onChange, cards);
  say({ known: knowledge.report() });
  return {
    outcomes: openOutcomes(cacheDir, Date.now, cards),
    knowledge,
    probe: (request) => probe(enginePath, request),
    sessions: keepSessions(),
    tell: () => undefined,
    chosen: new Map(),
    async choose(chooser, network, device) {
      const chosen = await chooseAtOnce(chooser, network, device);
      if (chosen.isProvisional && 'scale' in network) say({ unmeasured: { network, device } });
      return chosen;
    },
    preempt: runPreviews,
  };
}

/** Sessions of this many models stay open, as many as a person compares; a further one unloads another. */
const keptForPreviews = 6;

/** Creates the previews' runner, with sessions of its own, because the pass still needs its session. */
function createPreviewRunner(runner: Runner): Runner {
  return {
    ...runner,
    sessions: keepSessions(keptForPreviews),
    chosen: new Map(),
    choose: async (chooser, network, device) =>
      'scale' in network
        ? chooseKnown(chooser, network, device)
        : chooseDevices(chooser, network, device),
    preempt: () => Promise.resolve(0),
  };
}

/** Measures a network as its first run would, in a process that does nothing else. */
async function measure({ network, device }: MeasureRequest): Promise<FoundOutcome[]> {
  const found: FoundOutcome[] = [];
  const outcomes: Outcomes = {
    get: () => undefined,
    set: (_network, precision, provider, outcome) => found.push({ precision, provider, outcome }),
  };
  await chooseDevices({ ...runner, outcomes }, network, device);
  return found;
}

async function learn({
  network,
  device,
  found,
}: InferenceCalls['learn']['asked']): Promise<Measured | undefined> {
  const { outcomes, knowledge } = runner;
  for (const { precision, provider, outcome } of found)
    outcomes.set(network, precision, provider, outcome);
  if (found.length > 0) forgetChosen(runner, network);
  if (!isMeasured(runner, network, device)) return undefined;
  const { choices } = await chosenFor(runner, { network, device });
  const [best] = choices;
  if (!best) return undefined;
  const { provider, precision, megapixelsPerSecond } = best;
  const kind = { modelId: network.modelId, scale: network.scale, provider, precision };
  const known = knowledge.speedOf(kind);
  const isNew = found.length > 0 || known === undefined;
  const speed = isNew ? { ...kind, megapixelsPerSecond } : known;
  knowledge.setSpeed(speed);
  knowledge.setDevice(provider, 'in-use');
  return { speed, isNew };
}

/** Runs work with the runner that its request needs. Networks stay loaded for a while afterwards. */
async function using<Done>(
  { preempts, keepAliveMs, room }: PassRequest | MaskRequest,
  work: (runner: Runner) => Promise<Done>,
): Promise<Done> {
  try {
    return await work(preempts ? previewRunner : runner);
  } finally {
    idle.used(room?.isSmall === true ? 0 : keepAliveMs);
  }
}

function failureOf(error: unknown): Failure {
  const code = taskErrorCodeOf(error);
  const said = deviceFaultOf(error);
  return { code, message: code === 'INTERNAL' ? `The network could not run: ${said}` : said };
}

const answer = createAnswerer<InferenceCalls>(
  {
    pass: (request, tell) => using(request, (runner) => runRequest({ ...runner, tell }, request)),
    mask: (request) => using(request, (runner) => runMask(runner, request)),
    check: checkProvider,
    measure,
    learn,
    speed: (speed) => learnSpeed(runner.knowledge, speed),
  },
  say,
  failureOf,
);

const runner = createRunner(workerData as InferenceOptions);
const previewRunner = createPreviewRunner(runner);
const previews: Asked<InferenceCalls>[] = [];

/**
 * Runs all previews that were asked for by now, and gives the milliseconds that they took. A turn of the
 * event loop lets their messages arrive.
 */
async function runPreviews(): Promise<number> {
  await nextTurn();
  if (previews.length === 0) return 0;
  const start = performance.now();
  for (let next = previews.shift(); next; next = previews.shift()) {
    // More may be known of devices by now, so they are chosen anew.
    previewRunner.chosen.clear();
    await answer(next);
  }
  return performance.now() - start;
}

let last: Promise<void> = Promise.resolve();

const idle = createIdleUnloading(() => {
  last = last.then(async () => {
    await runner.sessions.drop();
    await previewRunner.sessions.drop();
  });
});

parentPort?.on('message', (message: Asked<InferenceCalls>) => {
  const isRun = message.kind === 'pass' || message.kind === 'mask';
  if (isRun && message.asked.preempts) {
    previews.push(message);
    last = last.then(async () => {
      await runPreviews();
    });
  } else last = last.then(() => answer(message));
});
