/**
 * Client of the thread of foreign formats. Unlike native code, WebAssembly can be terminated at a time limit.
 */
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { EnlargerError } from '../../../../electron/contract/errors.ts';
import { labelOf } from '../../../../electron/contract/formats.ts';
import { createRpcClient, type RpcReply } from '../../../../electron/engine/protocol/rpc.ts';
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
  const read = () => call('read', request, limitMs, (why) => unreadable(request.format, why));
  if (request.rasterPath !== undefined) return read();
  const { size, ctimeNs, ino } = statSync(request.path, { bigint: true });
  const key = [request.format, size, ctimeNs, ino, request.path].join(' ');
  const header = headers.get(key) ?? (await read());
  headers.set(key, header);
  const [oldest = key] = headers.keys();
  if (headers.size > maxHeaders) headers.delete(oldest);
  return header;
}

/** Encodes a raster as JPEG XL. @param limitMs of processor time @throws with the encoder's reason, or for the time limit */
export async function requestJxl(options: JxlOptions, limitMs: number): Promise<void> {
  await call('write', options, limitMs, (why) => new Error(`JPEG XL: ${why}`));
}

const nameOf = (format: ForeignFormat) => (format === 'raw' ? 'camera RAW' : labelOf(format));

const unreadable = (format: ForeignFormat, why: string) =>
  new EnlargerError(
    'UNREADABLE_IMAGE',
    `The file begins like a ${nameOf(format)} picture but cannot be read (${why}).`,
  );

async function call<Kind extends keyof ForeignCalls>(
  kind: Kind,
  request: ForeignCalls[Kind]['request'],
  limitMs: number,
  failed: (why: string) => Error,
): Promise<ForeignCalls[Kind]['response']> {
  const worker = new Worker(workerFile, { stdout: true, stderr: true });
  const rpc = createRpcClient<ForeignCalls>((message) => worker.postMessage(message));
  const end = (why: string) => rpc.rejectAll(() => new Error(why));
  const endWatch = watchThread(worker, limitMs, () => end('it took too long'));
  worker.on('message', (reply: RpcReply) => rpc.onReply(reply));
  worker.once('error', (error: unknown) => {
    process.stderr.write(`A foreign decoder ended: ${String(error)}\n`);
    end('its decoder ended');
  });
  worker.once('exit', () => end('its thread ended'));
  try {
    return await rpc.request(kind, request);
  } catch (error) {
    throw failed(error instanceof Error ? error.message : String(error));
  } finally {
    endWatch();
    await worker.terminate();
  }
}
