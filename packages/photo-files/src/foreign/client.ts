/**
 * Client of the thread of foreign formats. Unlike native code, WebAssembly can be terminated at a time limit.
 */
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { EnlargerError } from '../../../contract/src/errors.ts';
import { labelOf } from '../../../contract/src/formats.ts';
import {
  createRpcClient,
  type RpcClient,
  type RpcReply,
} from '../../../../electron/engine/protocol/rpc.ts';
import type {
  ForeignCalls,
  ForeignFormat,
  ForeignHeader,
  ForeignRequest,
  JxlOptions,
} from './protocol.ts';
import { watchThread } from './thread-deadline.ts';

const here = import.meta.filename;
const workerFile = new URL(here.endsWith('.ts') ? 'worker.ts' : 'foreign.js', import.meta.url);

/**
 * Headers of the latest files. A picture is inspected before each thing that is done with it, and the decoder of JPEG
 * XL takes 0.4 s of processor time to start.
 */
const headers = new Map<string, ForeignHeader>();
const maxHeaders = 16;

/**
 * Reads a file's header, unless it is known and the file unchanged, or decodes it into a raster.
 *
 * @param limitMs of processor time
 * @throws EnlargerError UNREADABLE_IMAGE with the decoder's reason
 */
export async function requestForeign(
  request: ForeignRequest,
  limitMs: number,
): Promise<ForeignHeader> {
  const { size, ctimeNs, ino } = statSync(request.path, { bigint: true });
  const key = [request.format, size, ctimeNs, ino, request.path].join(' ');
  const isHeader = request.rasterPath === undefined;
  const known = isHeader ? headers.get(key) : undefined;
  const header = known ?? (await read(request, key, limitMs));
  if (!isHeader) return header;
  headers.set(key, header);
  const [oldest = key] = headers.keys();
  if (headers.size > maxHeaders) headers.delete(oldest);
  return header;
}

/** The thread that read a header waits so long to decode the pixels of the same file. */
const handoverMs = 2000;
let waiting: { key: string; thread: ForeignThread; timer: NodeJS.Timeout } | undefined;

async function read(request: ForeignRequest, key: string, limitMs: number): Promise<ForeignHeader> {
  const thread = takeWaiting(key) ?? startThread();
  const unreadableFile = (why: string) => unreadable(request.format, why);
  try {
    const header = await call(thread, 'read', request, limitMs, unreadableFile);
    // Other decoders start fast.
    if (request.format !== 'jxl' || request.rasterPath !== undefined) return header;
    endWaiting();
    waiting = { key, thread, timer: setTimeout(endWaiting, handoverMs).unref() };
    return header;
  } finally {
    if (waiting?.thread !== thread) await thread.worker.terminate();
  }
}

/** The thread that waits, if it has this file open. */
function takeWaiting(key: string): ForeignThread | undefined {
  if (waiting?.key !== key) return undefined;
  const { thread, timer } = waiting;
  clearTimeout(timer);
  waiting = undefined;
  return thread.hasEnded ? undefined : thread;
}

function endWaiting(): void {
  clearTimeout(waiting?.timer);
  void waiting?.thread.worker.terminate();
  waiting = undefined;
}

/** Encodes a raster as JPEG XL. @param limitMs of processor time @throws with the encoder's reason, or for the time limit */
export async function requestJxl(options: JxlOptions, limitMs: number): Promise<void> {
  const thread = startThread();
  try {
    await call(thread, 'write', options, limitMs, (why) => new Error(`JPEG XL: ${why}`));
  } finally {
    await thread.worker.terminate();
  }
}

const nameOf = (format: ForeignFormat) => (format === 'raw' ? 'camera RAW' : labelOf(format));

const unreadable = (format: ForeignFormat, why: string) =>
  new EnlargerError(
    'UNREADABLE_IMAGE',
    `The file begins like a ${nameOf(format)} picture but cannot be read (${why}).`,
  );

interface ForeignThread {
  worker: Worker;
  rpc: RpcClient<ForeignCalls>;
  hasEnded: boolean;
}

function startThread(): ForeignThread {
  const worker = new Worker(workerFile, { stdout: true, stderr: true });
  const rpc = createRpcClient<ForeignCalls>((message) => worker.postMessage(message));
  const thread: ForeignThread = { worker, rpc, hasEnded: false };
  const end = (why: string) => {
    thread.hasEnded = true;
    rpc.rejectAll(() => new Error(why));
  };
  worker.on('message', (reply: RpcReply) => rpc.onReply(reply));
  worker.once('error', (error: unknown) => {
    process.stderr.write(`A foreign decoder ended: ${String(error)}\n`);
    end('its decoder ended');
  });
  worker.once('exit', () => end('its thread ended'));
  return thread;
}

async function call<Kind extends keyof ForeignCalls>(
  { worker, rpc }: ForeignThread,
  kind: Kind,
  request: ForeignCalls[Kind]['request'],
  limitMs: number,
  failed: (why: string) => Error,
): Promise<ForeignCalls[Kind]['response']> {
  worker.ref();
  const endWatch = watchThread(worker, limitMs, () =>
    rpc.rejectAll(() => new Error('it took too long')),
  );
  try {
    return await rpc.request(kind, request);
  } catch (error) {
    throw failed(error instanceof Error ? error.message : String(error));
  } finally {
    endWatch();
    worker.unref();
  }
}
