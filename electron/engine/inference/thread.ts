/** The main thread's side of the inference thread. */
import { Worker } from 'node:worker_threads';
import { onAbort } from '../cancellation/on-abort.ts';
import type { DeviceKnowledge, SpeedResult, SpeedMeasurement } from '../protocol/messages.ts';
import type { CheckOutcome, CheckRequest } from './checks/check.ts';
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
  MaskResult,
  MaskRequest,
  MeasureRequest,
  PassResult,
  PassRequest,
  PrepareRequest,
  PromptRequest,
} from './protocol.ts';
import { createRpcClient } from '../protocol/rpc.ts';

export interface PassHooks {
  signal: AbortSignal;
  onBegun: (seconds: number | undefined) => void;
  onTile: (done: number, total: number) => void;
}

export interface InferenceThread {
  /**
   * Runs a pass; passes run in the order of the calls.
   *
   * @throws EnlargerError; CANCELLED at the first tile after the signal fired
   */
  runPass(request: Omit<PassRequest, 'stopFlag'>, hooks: PassHooks): Promise<PassResult>;
  /** Runs a mask network, queued among the passes. The tensor is transferred. @throws EnlargerError */
  runMask(request: Omit<MaskRequest, 'stopFlag'>, signal: AbortSignal): Promise<MaskResult>;
  /**
   * Loads a network, queued among the passes, while its picture is still decoded. What fails is left to the
   * pass, which fails alike.
   */
  prepare(request: PrepareRequest): void;
  /** Corrects a mask by clicks, queued among the passes. @throws EnlargerError */
  runClicks(request: ClickRequest): Promise<Mask>;
  /** Computes the features of a photo for prompts, queued among the passes. @throws EnlargerError */
  encodePicture(request: EncodeRequest): Promise<FeatureTensor[]>;
  /** Selects what prompts mean, queued among the passes. @throws EnlargerError */
  answerPrompts(request: PromptRequest): Promise<Mask>;
  /** Measures blur, beside the passes. The patches are transferred. @throws EnlargerError */
  measureBlur(request: BlurRequest): Promise<Blur>;
  check(request: CheckRequest): Promise<CheckOutcome>;
  /** Measures a network on every device now; outcomes are not stored. */
  measure(request: MeasureRequest): Promise<FoundOutcome[]>;
  /** Stores outcomes measured elsewhere. Resolves to undefined while some are missing. */
  learn(request: MeasureRequest, found: FoundOutcome[]): Promise<SpeedResult | undefined>;
  /** Averages a speed into the known one. */
  noteSpeed(speed: SpeedMeasurement): void;
  /** Returns the last known devices and speeds, synchronously. */
  known(): DeviceKnowledge;
  /** Resolves after the thread's first report. */
  readonly started: Promise<unknown>;
}

/**
 * Starts the thread. An uncaught error of it ends the process, which the host restarts.
 *
 * @param onKnown called for each report of the thread
 * @param onUnmeasured called when a network runs that was never measured
 */
export function startInferenceThread(
  file: URL,
  options: InferenceOptions,
  onKnown: (known: DeviceKnowledge) => void = () => undefined,
  onUnmeasured: (request: MeasureRequest) => void = () => undefined,
): InferenceThread {
  const worker = new Worker(file, { workerData: options });
  const rpc = createRpcClient<InferenceCalls>((message, transfer) =>
    worker.postMessage(message, transfer),
  );
  let known: DeviceKnowledge = { devices: [], speeds: [] };
  const { promise: started, resolve: onStarted } = Promise.withResolvers<unknown>();
  worker.on('error', (error: unknown) => {
    process.stderr.write(`The inference thread failed: ${String(error)}\n`);
    process.kill(process.pid, 'SIGKILL');
  });
  worker.on('message', (message: FromInference) => {
    if ('known' in message) {
      onStarted((known = message.known));
      onKnown(known);
    } else if ('unmeasured' in message) onUnmeasured(message.unmeasured);
    else rpc.onReply(message);
  });
  return {
    runPass: (request, { signal, onBegun, onTile }) =>
      stoppable(signal, (stopFlag) =>
        rpc.request(
          'pass',
          { ...request, stopFlag },
          {
            onEvent: (event) =>
              'total' in event ? onTile(event.done, event.total) : onBegun(event.seconds),
          },
        ),
      ),
    runMask: (request, signal) =>
      stoppable(signal, (stopFlag) =>
        rpc.request('mask', { ...request, stopFlag }, { transfer: [request.tensor.buffer] }),
      ),
    prepare: (request) => void rpc.request('prepare', request),
    runClicks: (request) => rpc.request('clicks', request),
    encodePicture: (request) => rpc.request('encode', request),
    answerPrompts: (request) => rpc.request('prompts', request),
    measureBlur: (request) => rpc.request('blur', request, { transfer: [request.patches.buffer] }),
    noteSpeed: (speed) => void rpc.request('speed', speed),
    check: (request) => rpc.request('check', request),
    measure: (request) => rpc.request('measure', request),
    learn: (request, found) => rpc.request('learn', { ...request, found }),
    known: () => known,
    started,
  };
}

/** Runs work with a shared int32 that becomes 1 when the signal fires. */
async function stoppable<T>(
  signal: AbortSignal,
  work: (stopFlag: SharedArrayBuffer) => Promise<T>,
): Promise<T> {
  const stopFlag = new SharedArrayBuffer(4);
  const removeListener = onAbort(signal, () => Atomics.store(new Int32Array(stopFlag), 0, 1));
  try {
    return await work(stopFlag);
  } finally {
    removeListener();
  }
}
