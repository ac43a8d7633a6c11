/** The main thread's side of the inference thread. */
import { Worker } from 'node:worker_threads';
import { onAbort } from '../cancellation/on-abort.ts';
import type { Known, Measured, SpeedMeasurement } from '../protocol/messages.ts';
import type { CheckOutcome, CheckRequest } from './checks/check.ts';
import type {
  FoundOutcome,
  FromInference,
  InferenceCalls,
  InferenceOptions,
  MaskDone,
  MaskRequest,
  MeasureRequest,
  PassDone,
  PassRequest,
} from './protocol.ts';
import { createAsker } from '../protocol/rpc.ts';

export interface PassHooks {
  signal: AbortSignal;
  onBegun: (seconds: number | undefined) => void;
  onTile: (done: number, total: number) => void;
}

export interface InferenceThread {
  /**
   * Runs a pass; passes run in the order in which they are asked for. It rejects with EnlargerError: with
   * CANCELLED at the tile after the signal fired.
   */
  runPass(request: Omit<PassRequest, 'stop'>, hooks: PassHooks): Promise<PassDone>;
  /** Runs a mask network in its turn among the passes. The tensor is moved. It rejects with EnlargerError. */
  runMask(request: Omit<MaskRequest, 'stop'>, signal: AbortSignal): Promise<MaskDone>;
  check(request: CheckRequest): Promise<CheckOutcome>;
  /** Measures a network on every device now, and keeps no outcome. */
  measure(request: MeasureRequest): Promise<FoundOutcome[]>;
  /** Keeps outcomes that were found elsewhere. The answer is undefined while some are missing. */
  learn(request: MeasureRequest, found: FoundOutcome[]): Promise<Measured | undefined>;
  /** Mixes a speed into the known one. */
  noteSpeed(speed: SpeedMeasurement): void;
  /** Gives what is known of devices and speeds, without asking the thread. */
  known(): Known;
  /** Resolves once the thread has told what it knows. */
  readonly started: Promise<unknown>;
}

/**
 * Starts the thread. An error that it does not catch ends the process, which the host restarts.
 * @param onKnown called when the thread tells what it knows
 * @param onUnmeasured called when a network runs that was never measured
 */
export function startInferenceThread(
  file: URL,
  options: InferenceOptions,
  onKnown: (known: Known) => void = () => undefined,
  onUnmeasured: (request: MeasureRequest) => void = () => undefined,
): InferenceThread {
  const worker = new Worker(file, { workerData: options });
  const { ask, hear } = createAsker<InferenceCalls>((asked, transfer) =>
    worker.postMessage(asked, transfer),
  );
  let known: Known = { devices: [], speeds: [] };
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
    else hear(message);
  });
  return {
    runPass: (request, { signal, onBegun, onTile }) =>
      stoppable(signal, (stop) =>
        ask(
          'pass',
          { ...request, stop },
          {
            onNews: (news) =>
              'total' in news ? onTile(news.done, news.total) : onBegun(news.seconds),
          },
        ),
      ),
    runMask: (request, signal) =>
      stoppable(signal, (stop) =>
        ask('mask', { ...request, stop }, { transfer: [request.tensor.buffer] }),
      ),
    noteSpeed: (speed) => void ask('speed', speed),
    check: (request) => ask('check', request),
    measure: (request) => ask('measure', request),
    learn: (request, found) => ask('learn', { ...request, found }),
    known: () => known,
    started,
  };
}

/** Runs work with an int32 that becomes 1 when the signal fires. */
async function stoppable<T>(
  signal: AbortSignal,
  work: (stop: SharedArrayBuffer) => Promise<T>,
): Promise<T> {
  const stop = new SharedArrayBuffer(4);
  const forget = onAbort(signal, () => Atomics.store(new Int32Array(stop), 0, 1));
  try {
    return await work(stop);
  } finally {
    forget();
  }
}
