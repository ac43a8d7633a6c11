/** The main thread's side of the inference thread. */
import { Worker } from 'node:worker_threads';
import { EnlargerError } from '../../contract/errors.ts';
import type { DeviceReport, Measured, SpeedMeasurement } from '../protocol.ts';
import type { CheckOutcome, CheckRequest } from './check.ts';
import type {
  FoundOutcome,
  FromInference,
  InferenceOptions,
  MaskDone,
  MaskRequest,
  MeasureRequest,
  PassDone,
  PassRequest,
  ToInference,
} from './protocol.ts';

export interface PassHooks {
  signal: AbortSignal;
  onBegun: (seconds: number | undefined) => void;
  onTile: (done: number, total: number) => void;
}

export interface InferenceThread {
  /** Passes run in the order asked. Rejects with EnlargerError; CANCELLED at the tile after the signal fired. */
  runPass(request: Omit<PassRequest, 'passId' | 'stop'>, hooks: PassHooks): Promise<PassDone>;
  /** Takes its turn among the passes. The tensor is given away. Rejects with EnlargerError. */
  runMask(request: Omit<MaskRequest, 'passId' | 'stop'>, signal: AbortSignal): Promise<MaskDone>;
  check(request: CheckRequest): Promise<CheckOutcome>;
  /** All about a network, measured now; nothing of it is kept. */
  measure(request: MeasureRequest): Promise<FoundOutcome[]>;
  /** Keeps what was found elsewhere. Answers undefined while not all is known. */
  learn(request: MeasureRequest, found: FoundOutcome[]): Promise<Measured | undefined>;
  /** Mixes a speed into what is known. */
  noteSpeed(speed: SpeedMeasurement): void;
  /** What is known of devices and speeds, without asking the thread. */
  known(): DeviceReport;
  /** Resolves once the thread has said what it knows. */
  readonly started: Promise<unknown>;
}

interface Waiting {
  hooks?: PassHooks;
  onDone?: (report: PassDone) => void;
  onMasked?: (report: MaskDone) => void;
  reject: (error: Error) => void;
}

/** Starts the thread. An error that it does not catch ends the process: the host restarts it. */
export function startInferenceThread(file: URL, options: InferenceOptions): InferenceThread {
  const worker = new Worker(file, { workerData: options });
  const passes = new Map<number, Waiting>();
  const checks: ((outcome: CheckOutcome) => void)[] = [];
  const measures: ((found: FoundOutcome[]) => void)[] = [];
  const learning = new Map<number, (measured: Measured | undefined) => void>();
  let known: DeviceReport = { devices: [], speeds: [] };
  let lastId = 0;
  const { promise: started, resolve: onStarted } = Promise.withResolvers<unknown>();
  worker.on('error', (error: unknown) => {
    process.stderr.write(`The inference thread failed: ${String(error)}\n`);
    process.kill(process.pid, 'SIGKILL');
  });
  worker.on('message', (message: FromInference) => {
    if (message.kind === 'known') {
      known = message.report;
      onStarted(known);
    } else if (message.kind === 'checked') checks.shift()?.(message.outcome);
    else if (message.kind === 'found') measures.shift()?.(message.found);
    else if (message.kind === 'learned') {
      learning.get(message.learnId)?.(message.measured);
      learning.delete(message.learnId);
    } else settle(passes, message);
  });
  const send = (message: ToInference) => worker.postMessage(message);
  return {
    runPass: (request, hooks) =>
      stoppable(hooks.signal, (stop) => {
        const passId = (lastId += 1);
        return new Promise<PassDone>((onDone, reject) => {
          passes.set(passId, { hooks, onDone, reject });
          send({ kind: 'pass', request: { ...request, passId, stop } });
        });
      }),
    runMask: (request, signal) =>
      stoppable(signal, (stop) => {
        const passId = (lastId += 1);
        return new Promise<MaskDone>((onMasked, reject) => {
          passes.set(passId, { onMasked, reject });
          const message: ToInference = { kind: 'mask', request: { ...request, passId, stop } };
          worker.postMessage(message, [request.tensor.buffer]);
        });
      }),
    noteSpeed(speed) {
      const others = known.speeds.filter((one) => !isSameKind(one, speed));
      known = { ...known, speeds: [...others, speed] };
      send({ kind: 'speed', speed });
    },
    check: (request) =>
      new Promise((resolve) => {
        checks.push(resolve);
        send({ kind: 'check', request });
      }),
    measure: (request) =>
      new Promise((resolve) => {
        measures.push(resolve);
        send({ kind: 'measure', request });
      }),
    learn: (request, found) =>
      new Promise((resolve) => {
        const learnId = (lastId += 1);
        learning.set(learnId, resolve);
        send({ kind: 'learn', learnId, request, found });
      }),
    known: () => known,
    started,
  };
}

const isSameKind = (a: SpeedMeasurement, b: SpeedMeasurement) =>
  a.modelId === b.modelId &&
  a.scale === b.scale &&
  a.provider === b.provider &&
  a.precision === b.precision;

/** Gives the work an int32 that is not zero once the signal fired. */
async function stoppable<T>(
  signal: AbortSignal,
  work: (stop: SharedArrayBuffer) => Promise<T>,
): Promise<T> {
  const stop = new SharedArrayBuffer(4);
  const onAbort = () => Atomics.store(new Int32Array(stop), 0, 1);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await work(stop);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function settle(
  passes: Map<number, Waiting>,
  message: Exclude<FromInference, { kind: 'known' | 'checked' | 'found' | 'learned' }>,
): void {
  const waiting = passes.get(message.passId);
  if (!waiting) return;
  if (message.kind === 'begun') waiting.hooks?.onBegun(message.seconds);
  if (message.kind === 'tile') waiting.hooks?.onTile(message.done, message.total);
  if (message.kind !== 'begun' && message.kind !== 'tile') passes.delete(message.passId);
  if (message.kind === 'done') waiting.onDone?.(message.report);
  if (message.kind === 'masked') waiting.onMasked?.(message.report);
  if (message.kind === 'failed') waiting.reject(new EnlargerError(message.code, message.message));
}
