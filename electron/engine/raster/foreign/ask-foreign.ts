/** Asks the thread of foreign formats, within a time limit: a thread in WebAssembly can be ended, unlike native code. */
import { Worker } from 'node:worker_threads';
import { EnlargerError } from '../../../contract/errors.ts';
import type {
  ForeignAnswer,
  ForeignFormat,
  ForeignHead,
  ForeignRequest,
  ForeignWork,
  JxlOrder,
} from './protocol.ts';

const names: Record<ForeignFormat, string> = {
  bmp: 'BMP',
  heic: 'HEIC',
  raw: 'camera RAW',
  jxl: 'JPEG XL',
};

const here = import.meta.filename;
const workerFile = new URL(here.endsWith('.ts') ? 'worker.ts' : 'foreign.js', import.meta.url);

/** Throws UNREADABLE_IMAGE with what the decoder said, or that it took too long. */
export async function askForeign(
  request: Omit<ForeignRequest, 'do'>,
  limitMs: number,
): Promise<ForeignHead> {
  const answer = await answerOf({ do: 'read', ...request }, limitMs);
  if ('said' in answer)
    process.stderr.write(`A ${names[request.format]} could not be read: ${answer.said}\n`);
  if ('head' in answer) return answer.head;
  throw unreadable(request.format, 'refusal' in answer ? answer.refusal : 'it was not read');
}

/** Throws what the encoder said, or that it took too long. */
export async function askToWriteJxl(order: Omit<JxlOrder, 'do'>, limitMs: number): Promise<void> {
  const answer = await answerOf({ do: 'write', ...order }, limitMs);
  if ('refusal' in answer) throw new Error(`JPEG XL: ${answer.refusal}`);
}

const unreadable = (format: ForeignFormat, why: string) =>
  new EnlargerError(
    'UNREADABLE_IMAGE',
    `The file begins like a ${names[format]} picture but cannot be read (${why}).`,
  );

async function answerOf(work: ForeignWork, limitMs: number): Promise<ForeignAnswer> {
  const worker = new Worker(workerFile, { workerData: work, stdout: true, stderr: true });
  const { promise, resolve } = Promise.withResolvers<ForeignAnswer>();
  const refuse = (refusal: string) => resolve({ refusal });
  const timer = setTimeout(() => refuse('it took too long'), limitMs);
  worker.once('message', (said: ForeignAnswer) => resolve(said));
  worker.once('error', (error: unknown) => {
    process.stderr.write(`A foreign decoder ended: ${String(error)}\n`);
    refuse('its decoder ended');
  });
  worker.once('exit', () => refuse('its thread ended'));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
