/** The service's side of an import: each step has a process, which is watched for time and memory. */
import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { EnlargerError } from '../../contract/errors.ts';
import { askProcess } from './ask-process.ts';
import { anonymousBytes, cpuMsOf } from './engine-process.ts';
import { onAbort } from '../cancellation/on-abort.ts';
import type {
  ImportRequest,
  ImportAnswer,
  ImportedNetwork,
  ImportStep,
} from '../protocol/importing.ts';

export type { ImportedNetwork, ImportRequest };

interface ImportHostOptions {
  nodePath: string;
  enginePath: string;
}

const megabyte = 1024 * 1024;

interface ImportLimits {
  memoryBytes: number;
  /** The time of all cores together, so that a busy machine refuses nothing. Only Linux tells it. */
  cpuMs: number;
  /** The limit by the clock, for systems that do not tell the cores' time and for endless waiting. */
  clockMs: number;
}

/** Gives an import's limits by the size of its files: a small file that takes much is not what it seems. */
export function limitsFor(fileBytes: number): ImportLimits {
  const megabytes = fileBytes / megabyte;
  const cpuMs = Math.min(3500 + 6000 * megabytes, 1_200_000);
  return { memoryBytes: (250 + 16 * megabytes) * megabyte, cpuMs, clockMs: 60_000 + 20 * cpuMs };
}

const lookEveryMs = 50;

/**
 * Imports a network in two processes, one that reads it and one that tries it. It throws MODEL_REFUSED with
 * the reason, and CANCELLED when the signal fired.
 */
export async function importNetwork(
  options: ImportHostOptions,
  request: ImportRequest,
  signal: AbortSignal,
): Promise<ImportedNetwork> {
  const limits = limitsFor(request.files.reduce((sum, { path }) => sum + statSync(path).size, 0));
  const first = await takeStep(options, { kind: 'read', request }, limits, signal);
  if (first.answer.kind !== 'read') throw new Error('Reading a network answered something else');
  const { read } = first.answer;
  const left = { ...limits, cpuMs: Math.max(limits.cpuMs - first.usedCpuMs, leastCpuMs) };
  const { answer } = await takeStep(options, { kind: 'try', request, read }, left, signal);
  if (answer.kind !== 'imported') throw new Error('Trying a network answered something else');
  return answer.network;
}

/** The second process is left at least this much, because starting alone takes some. */
const leastCpuMs = 1000;

async function takeStep(
  { nodePath, enginePath }: ImportHostOptions,
  step: ImportStep,
  limits: ImportLimits,
  signal: AbortSignal,
) {
  const words = ['--max-old-space-size=256', importerBeside(enginePath)];
  const { watch, objection, usedCpuMs } = createLimitWatch(limits, signal);
  const said = await askProcess(nodePath, words, step, watch);
  const why = objection();
  if (why) throw why;
  if (!('message' in said)) throw new EnlargerError('MODEL_REFUSED', diedSentence(said.how));
  const answer = said.message as ImportAnswer;
  if (answer.kind === 'refused') throw new EnlargerError(answer.code, answer.message);
  return { answer, usedCpuMs: usedCpuMs() };
}

/** The importer lies beside the engine: as its source in a checkout, as its program in a build. */
const importerBeside = (enginePath: string) =>
  enginePath.endsWith('.ts')
    ? join(dirname(enginePath), 'importing/main.ts')
    : join(dirname(enginePath), 'importer.js');

/** Watches a process: it is killed at its limits or when the signal fires, and `objection` then says why. */
function createLimitWatch(limits: ImportLimits, signal: AbortSignal) {
  let why: EnlargerError | undefined;
  let usedCpuMs = 0;
  const watch = (child: ChildProcess) => {
    const end = (reason: EnlargerError) => {
      why ??= reason;
      child.kill('SIGKILL');
    };
    const tooLong = () => end(refusedFor(`took longer than ${seconds(limits.cpuMs)} s`));
    const timer = setTimeout(tooLong, limits.clockMs);
    const look = setInterval(() => {
      if (child.pid === undefined) return;
      const held = anonymousBytes(child.pid);
      usedCpuMs = cpuMsOf(child.pid) ?? usedCpuMs;
      if (usedCpuMs > limits.cpuMs) tooLong();
      if (held !== undefined && held > limits.memoryBytes)
        end(refusedFor(`took more than ${Math.round(limits.memoryBytes / megabyte)} MB of memory`));
    }, lookEveryMs);
    const forget = onAbort(signal, () =>
      end(new EnlargerError('CANCELLED', 'The import was cancelled.')),
    );
    return () => {
      clearTimeout(timer);
      clearInterval(look);
      forget();
    };
  };
  return { watch, objection: () => why, usedCpuMs: () => usedCpuMs };
}

const seconds = (ms: number) => (ms / 1000).toFixed(0);

const refusedFor = (what: string) =>
  new EnlargerError(
    'MODEL_REFUSED',
    `Trying the network out ${what}, far more than a network of its size needs. It is damaged or hostile.`,
  );

const diedSentence = (how: string) =>
  `Trying the network out ended the process (${how}). It is damaged or hostile.`;
