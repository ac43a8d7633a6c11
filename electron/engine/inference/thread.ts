/** The main thread's side of the inference thread. */
import { Worker } from 'node:worker_threads';
import { EnlargerError } from '../../contract/errors.ts';
import type { DeviceReport } from '../protocol.ts';
import type { CheckOutcome, CheckRequest } from './check.ts';
import type {
  FromInference,
  InferenceOptions,
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
  check(request: CheckRequest): Promise<CheckOutcome>;
  /** What is known of devices and speeds, without asking the thread. */
  known(): DeviceReport;
  /** Resolves once the thread has said what it knows. */
  readonly started: Promise<unknown>;
}

interface Waiting {
  hooks: PassHooks;
  resolve: (report: PassDone) => void;
  reject: (error: Error) => void;
}

/** Starts the thread. An error that it does not catch ends the process: the host restarts it. */
export function startInferenceThread(file: URL, options: InferenceOptions): InferenceThread {
  const worker = new Worker(file, { workerData: options });
  const passes = new Map<number, Waiting>();
  const checks: ((outcome: CheckOutcome) => void)[] = [];
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
    else settle(passes, message);
  });
  const send = (message: ToInference) => worker.postMessage(message);
  return {
    async runPass(request, hooks) {
      const passId = (lastId += 1);
      const stop = new SharedArrayBuffer(4);
      const onAbort = () => Atomics.store(new Int32Array(stop), 0, 1);
      hooks.signal.addEventListener('abort', onAbort, { once: true });
      if (hooks.signal.aborted) onAbort();
      try {
        return await new Promise<PassDone>((resolve, reject) => {
          passes.set(passId, { hooks, resolve, reject });
          send({ kind: 'pass', request: { ...request, passId, stop } });
        });
      } finally {
        hooks.signal.removeEventListener('abort', onAbort);
      }
    },
    check: (request) =>
      new Promise((resolve) => {
        checks.push(resolve);
        send({ kind: 'check', request });
      }),
    known: () => known,
    started,
  };
}

function settle(
  passes: Map<number, Waiting>,
  message: Exclude<FromInference, { kind: 'known' | 'checked' }>,
): void {
  const waiting = passes.get(message.passId);
  if (!waiting) return;
  if (message.kind === 'begun') waiting.hooks.onBegun(message.seconds);
  if (message.kind === 'tile') waiting.hooks.onTile(message.done, message.total);
  if (message.kind === 'done' || message.kind === 'failed') passes.delete(message.passId);
  if (message.kind === 'done') waiting.resolve(message.report);
  if (message.kind === 'failed') waiting.reject(new EnlargerError(message.code, message.message));
}
