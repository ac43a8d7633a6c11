/**
 * Client of the thread of foreign formats. Unlike native code, WebAssembly can be terminated at a time limit.
 */
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
 * Reads a file's header, or decodes it into a raster.
 *
 * @param limitMs of processor time
 * @throws EnlargerError UNREADABLE_IMAGE with the decoder's reason
 */
export function requestForeign(request: ForeignRequest, limitMs: number): Promise<ForeignHeader> {
  return call('read', request, limitMs, (why) => unreadable(request.format, why));
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
