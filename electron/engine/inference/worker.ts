/**
 * The inference thread owns the sessions and runs one pass at a time, in order; previews preempt a pass
 * between two tiles. A run blocks this thread, which has no other purpose. A second one like it shares the
 * columns of a pass (shared-columns.ts).
 */
import type { InferenceSession } from 'onnxruntime-node';
import { flushCompileCache } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { taskErrorCodeOf } from '../../../packages/contract/src/errors.ts';
import { checkProvider } from './checks/check.ts';
import { deviceFaultOf } from './devices/device-fault.ts';
import { graphicsCards } from '../host/graphics-cards.ts';
import { createColumnsThread } from './columns-thread.ts';
import { createIdleUnloading } from './sessions/idle-unloading.ts';
import { recordSpeed, openDeviceRegistry, storeSpeed } from '../plan/device-registry.ts';
import { openOutcomes, type Outcomes } from './measuring/outcomes.ts';
import { probe } from './checks/probe.ts';
import {
  choicesFor,
  prepareOnBestDevice,
  discardChoices,
  createSessionCache,
  type Runner,
} from './devices/best-device.ts';
import {
  checkDevices,
  chooseProvisionally,
  chooseDevices,
  chooseKnown,
  isMeasured,
} from './devices/choose-device.ts';
import type {
  AnyNetworkFile,
  BlurNetworkFile,
  DeviceKnowledge,
  PromptNetworkFile,
  Provider,
  SpeedResult,
} from '../protocol/messages.ts';
import { createRpcServer, type RpcCall, type Failure } from '../protocol/rpc.ts';
import { createLruCache } from './sessions/lru-cache.ts';
import { openBlurSession, type BlurSession } from './sessions/blur-session.ts';
import { openClickSession, type ClickSession } from './sessions/click-session.ts';
import { openCpuSession } from './sessions/cpu-session.ts';
import { decodePrompts, encodePicture } from './sessions/prompt-session.ts';
import { defaultThreads, processorHere } from './measuring/processor.ts';
import type { Blur } from '../protocol/damage.ts';
import type { FeatureTensor, Mask } from '../tiles/mask-tensor.ts';
import type {
  BlurRequest,
  ClickRequest,
  EncodeRequest,
  FoundOutcome,
  FromInference,
  InferenceCalls,
  InferenceOptions,
  MaskRequest,
  MeasureRequest,
  PassRequest,
  PrepareRequest,
  PromptRequest,
} from './protocol.ts';
import { providersHere } from './devices/providers.ts';
import { runMask } from './run-mask.ts';
import { runRequest } from './run-request.ts';
import { prepareColumns, prepareShared, runSharedColumns } from './shared-columns.ts';

const post = (message: FromInference) => parentPort?.postMessage(message);

/** Of the thread that runs columns, which makes few objects. */
const maxYoungGenerationSizeMb = 4;

/** A thread like this one, which stores nothing and unloads its networks by itself. */
const startBeside = (enginePath: string) =>
  new Worker(new URL(import.meta.url), {
    workerData: { enginePath },
    resourceLimits: { maxYoungGenerationSizeMb },
  });

function createRunner({ cacheDir, enginePath }: InferenceOptions): Runner {
  const cards = graphicsCards();
  const onChange = (report: DeviceKnowledge) => post({ known: report });
  const registry = openDeviceRegistry(cacheDir, providersHere(), onChange, cards);
  post({ known: registry.report() });
  return {
    outcomes: openOutcomes(cacheDir, Date.now, cards),
    registry,
    probe: (request) => probe(enginePath, request),
    sessions: createSessionCache(),
    emit: () => undefined,
    cachedChoices: new Map(),
    async choose(chooser, network, device) {
      const choices = await chooseProvisionally(chooser, network, device);
      if (choices.isProvisional) post({ unmeasured: { network, device } });
      const { unchecked = [] } = choices;
      if (unchecked.length > 0) void checkBeside(network, unchecked);
      return choices;
    },
    preempt: runPreviews,
    columnsBeside: createColumnsThread(() => startBeside(enginePath)),
  };
}

/** Checks devices in processes of their own while the pass runs; the next pass takes what is found. */
async function checkBeside(network: AnyNetworkFile, devices: readonly Provider[]): Promise<void> {
  try {
    if (await checkDevices(runner, network, devices)) discardChoices(runner, network);
  } catch (error) {
    process.stderr.write(`Devices could not be checked: ${String(error)}\n`);
  }
}

/** Sessions open for previews, as many as models a person compares. */
const maxPreviewSessions = 6;

/** The previews' runner has sessions of its own, because the preempted pass still needs its session. */
function createPreviewRunner(runner: Runner): Runner {
  return {
    ...runner,
    sessions: createSessionCache(maxPreviewSessions),
    cachedChoices: new Map(),
    choose: (chooser, network, device) => Promise.resolve(chooseKnown(chooser, network, device)),
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
}: InferenceCalls['learn']['request']): Promise<SpeedResult | undefined> {
  const { outcomes, registry } = runner;
  for (const { precision, provider, outcome } of found)
    outcomes.set(network, precision, provider, outcome);
  if (found.length > 0) discardChoices(runner, network);
  if (!isMeasured(runner, network, device)) return undefined;
  const { choices } = await choicesFor(runner, { network, device });
  const [best] = choices;
  if (!best) return undefined;
  const { provider, precision, megapixelsPerSecond, isDoubtful } = best;
  // A cut-out's speed is that of its whole job, which the job records.
  if (!('scale' in network))
    return {
      speed: { modelId: network.modelId, scale: 1, provider, precision, megapixelsPerSecond },
      isNew: found.length > 0,
    };
  const kind = { modelId: network.modelId, scale: network.scale, provider, precision };
  const known = registry.speedOf(kind);
  const isNew = found.length > 0 || known === undefined;
  const measured = { ...kind, megapixelsPerSecond, ...(isDoubtful && { isDoubtful }) };
  const speed = storeSpeed(registry, isNew ? measured : known);
  registry.setDevice(provider, 'in-use');
  return { speed, isNew };
}

/** Networks stay loaded for a while after the work. */
async function keepingLoaded<Done>(
  { keepAliveMs, budget }: Pick<PassRequest, 'keepAliveMs' | 'budget'>,
  work: () => Promise<Done>,
): Promise<Done> {
  try {
    return await work();
  } finally {
    idle.touch(budget?.savesMemory === true ? 0 : keepAliveMs);
  }
}

/** Runs work with the runner that its request needs. */
const withRunner = <Done>(
  request: PassRequest | MaskRequest,
  work: (runner: Runner) => Promise<Done>,
): Promise<Done> => keepingLoaded(request, () => work(request.preempts ? previewRunner : runner));

const clickSessions = createLruCache<ClickSession>(1, (session) => session.close());

function threadsFor({ budget }: Pick<PassRequest, 'budget'>): number {
  const most = defaultThreads(processorHere());
  return Math.min(most, budget?.threads ?? most);
}

async function runClicks(request: ClickRequest): Promise<Mask> {
  const { network } = request;
  const threads = threadsFor(request);
  const session = await clickSessions.get(`${network.variants[0]?.sha256 ?? ''} ${threads}`, () =>
    openClickSession(network, threads),
  );
  return session.run(request);
}

/** An encoder and its decoder. */
const promptSessions = createLruCache<InferenceSession>(2, (session) => session.release());

function openPromptSession(
  network: Pick<PromptNetworkFile, 'modelId' | 'variants'>,
  name: string,
  request: Pick<PassRequest, 'budget'>,
): Promise<InferenceSession> {
  const threads = threadsFor(request);
  return promptSessions.get(`${network.variants[0]?.sha256 ?? ''} ${threads}`, () =>
    openCpuSession(network, name, threads),
  );
}

async function runEncoder(request: EncodeRequest): Promise<FeatureTensor[]> {
  const { network, picture } = request;
  return encodePicture(await openPromptSession(network, 'encoder', request), network, picture);
}

async function runPrompts(request: PromptRequest): Promise<Mask> {
  const { network } = request;
  const session = await openPromptSession(network.decoder, 'decoder', request);
  return decodePrompts(session, network, request);
}

const blurSessions = createLruCache<BlurSession>(1, (session) => session.close());

const openBlur = (network: BlurNetworkFile): Promise<BlurSession> =>
  blurSessions.get(network.variants[0]?.sha256 ?? '', () => openBlurSession(network));

async function measureBlur({ network, ...request }: BlurRequest): Promise<Blur> {
  const session = await openBlur(network);
  return session.run(request);
}

function failureOf(error: unknown): Failure {
  const code = taskErrorCodeOf(error);
  const fault = deviceFaultOf(error);
  return { code, message: code === 'INTERNAL' ? `The network could not run: ${fault}` : fault };
}

/** Loads the network of a later run; that run finds out why where it cannot be loaded. */
async function prepare(request: PrepareRequest): Promise<void> {
  if (request.budget?.savesMemory === true) return;
  const { network } = request;
  try {
    await keepingLoaded(request, async () => {
      const { blurNetwork } = 'blurNetwork' in network ? network : {};
      if (blurNetwork) await afterBlur(() => openBlur(blurNetwork));
      await prepareOnBestDevice(runner, request, (choice) =>
        prepareShared(runner, request, choice),
      );
    });
  } catch (error) {
    process.stderr.write(`${network.modelId} could not be prepared: ${deviceFaultOf(error)}\n`);
  }
}

const serve = createRpcServer<InferenceCalls>(
  {
    pass: (request, emit) =>
      withRunner(request, (runner) => runRequest({ ...runner, emit }, request)),
    columns: (request, emit) =>
      keepingLoaded(request, () => runSharedColumns(runner, request, emit)),
    prepareColumns: (request) => keepingLoaded(request, () => prepareColumns(runner, request)),
    mask: (request) => withRunner(request, (runner) => runMask(runner, request)),
    prepare,
    clicks: (request) => keepingLoaded(request, () => runClicks(request)),
    encode: (request) => keepingLoaded(request, () => runEncoder(request)),
    prompts: (request) => keepingLoaded(request, () => runPrompts(request)),
    blur: measureBlur,
    check: checkProvider,
    measure,
    learn,
    speed: (speed) => recordSpeed(runner.registry, speed),
  },
  post,
  failureOf,
);

const runner = createRunner(workerData as InferenceOptions);
const previewRunner = createPreviewRunner(runner);
const previews: RpcCall<InferenceCalls>[] = [];

/**
 * Runs all pending previews. A turn of the event loop lets their messages arrive.
 *
 * @param onBegin called before the first of them
 * @returns their time in ms
 */
async function runPreviews(onBegin?: () => void): Promise<number> {
  await nextTurn();
  if (previews.length === 0) return 0;
  onBegin?.();
  const start = performance.now();
  for (let next = previews.shift(); next; next = previews.shift()) {
    // More may be known of devices by now, so they are chosen anew.
    previewRunner.cachedChoices.clear();
    await serve(next);
  }
  return performance.now() - start;
}

let last: Promise<void> = Promise.resolve();
let lastBlur: Promise<unknown> = Promise.resolve();

/** Runs work after what is measured of blur; beside the passes, but one after the other. */
function afterBlur<Done>(work: () => Promise<Done>): Promise<Done> {
  const done = lastBlur.then(work);
  lastBlur = done.catch(() => undefined);
  return done;
}

const idle = createIdleUnloading(() => {
  void afterBlur(() => blurSessions.clear());
  last = last.then(async () => {
    await runner.sessions.clear();
    await previewRunner.sessions.clear();
    await clickSessions.clear();
    await promptSessions.clear();
  });
});

/** Whether the call is a preview's, which goes before the running pass. */
const isPreempting = ({ request }: RpcCall<InferenceCalls>): boolean =>
  'preempts' in request && request.preempts;

parentPort?.on('message', (message: RpcCall<InferenceCalls>) => {
  if (message.kind === 'blur') {
    void afterBlur(() => serve(message));
    return;
  }
  if (isPreempting(message)) {
    previews.push(message);
    last = last.then(async () => {
      await runPreviews();
    });
  } else last = last.then(() => serve(message));
});

// This thread ends with its process, which is killed.
flushCompileCache();
