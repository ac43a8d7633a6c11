/** The service's side of an import: each step runs in a process watched for time and memory. */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import {
  EnlargerError,
  requestErrorStatus,
  taskErrorCodes,
} from '../../../packages/contract/src/errors.ts';
import { requestOnce } from './one-shot-process.ts';
import { anonymousBytes, cpuMsOf } from './engine-process.ts';
import { onAbort } from '../cancellation/on-abort.ts';
import { logSandboxObstacle, noteSandboxFailure, type SandboxedProcess } from './sandbox.ts';
import type { Log } from '../../../packages/contract/src/log.ts';
import {
  ImportProgress,
  type OnImportProgress,
} from '../../../packages/contract/src/models/import-progress.ts';
import { ModelOrigin } from '../../../packages/contract/src/models/model.ts';
import type {
  ImportRequest,
  ImportResponse,
  ImportedNetwork,
  ImportStep,
} from '../protocol/importing.ts';

export type { ImportedNetwork, ImportRequest };

interface ImportHostOptions {
  nodePath: string;
  enginePath: string;
  /** Absent: the processes have no sandbox. */
  log?: Log;
}

const megabyte = 1024 * 1024;

interface ImportLimits {
  memoryBytes: number;
  /** Time of all cores together, so that a busy machine does not refuse networks. Known on Linux only. */
  cpuMs: number;
  /** Wall-clock limit, for systems without CPU time and for endless waiting. */
  clockMs: number;
}

/** Intermediate results: a network of 1024 x 1024 pixels holds 64 planes of half the size several times over. */
const memoryBytesPerPixel = 2048;
/** Thirty test runs of such a network, about 10 s of processor time each. */
const cpuMsPerPixel = 0.3;
const maxFixedPixels = 2048 ** 2;

/**
 * Limits of an import: a small file that takes much is not what it seems, unless its pictures are large.
 *
 * @param fileBytes size of its files together
 * @param inputShape of the network, once it has been read
 */
export function limitsFor(
  fileBytes: number,
  inputShape: readonly (number | string)[] = [],
): ImportLimits {
  const megabytes = fileBytes / megabyte;
  const pixels = Math.min(fixedPixels(inputShape), maxFixedPixels);
  const cpuMs = Math.min(3500 + 6000 * megabytes, 1_200_000) + cpuMsPerPixel * pixels;
  const memoryBytes = (250 + 16 * megabytes) * megabyte + memoryBytesPerPixel * pixels;
  return { memoryBytes, cpuMs, clockMs: 60_000 + 20 * cpuMs };
}

/** Pixels of an input of one size, 0 for any size. */
function fixedPixels(shape: readonly (number | string)[]): number {
  const sides = shape.slice(-3).filter((side) => typeof side === 'number');
  return sides.length === 3 ? sides.reduce((product, side) => product * side, 1 / 3) : 0;
}

const pollMs = 50;

/** Progress that follows sooner is dropped. The process sends two a second, unless a network took it over. */
const minProgressMs = 200;

const ProgressMessage = Type.Object({ kind: Type.Literal('progress'), progress: ImportProgress });

/**
 * What the service itself reads of a response. A process that a network took over sends anything. The rest goes to the
 * next process, or is checked where it is stored.
 */
const CheckedResponse = Type.Union([
  Type.Object({
    kind: Type.Literal('read'),
    read: Type.Object({
      ports: Type.Object({
        input: Type.Object({
          shape: Type.Array(Type.Union([Type.Number(), Type.String()]), { maxItems: 16 }),
        }),
      }),
    }),
  }),
  Type.Object({
    kind: Type.Literal('imported'),
    network: Type.Object({
      name: Type.String({ maxLength: 1000 }),
      file: Type.Object({ path: Type.String() }),
      decoderFile: Type.Optional(Type.Object({ path: Type.String() })),
      origin: ModelOrigin,
      contract: Type.Object({}),
    }),
  }),
  Type.Object({
    kind: Type.Literal('refused'),
    code: Type.Enum([...Object.keys(requestErrorStatus), ...taskErrorCodes]),
    message: Type.String({ maxLength: 4000 }),
  }),
]);

/**
 * Imports a network in two processes: one reads it, one tries it.
 *
 * @throws EnlargerError MODEL_REFUSED with the reason, CANCELLED if the signal fired
 */
export async function importNetwork(
  options: ImportHostOptions,
  request: ImportRequest,
  signal: AbortSignal,
  onProgress: OnImportProgress = () => undefined,
): Promise<ImportedNetwork> {
  const fileBytes = request.files.reduce((sum, { path }) => sum + statSync(path).size, 0);
  const limits = limitsFor(fileBytes);
  onProgress({ step: 'reading', runs: 0 });
  const first = await runStep(options, { kind: 'read', request }, limits, signal);
  if (first.response.kind !== 'read') throw new Error('Reading a network answered something else');
  const { read } = first.response;
  const tried = limitsFor(fileBytes, read.ports.input.shape);
  const remaining = { ...tried, cpuMs: Math.max(tried.cpuMs - first.usedCpuMs, minCpuMs) };
  const trial = { kind: 'try', request, read } as const;
  const { response } = await runStep(options, trial, remaining, signal, onProgress);
  if (response.kind !== 'imported') throw new Error('Trying a network answered something else');
  return response.network;
}

/** Minimum for the second process, because starting alone takes some. */
const minCpuMs = 1000;

async function runStep(
  options: ImportHostOptions,
  step: ImportStep,
  limits: ImportLimits,
  signal: AbortSignal,
  onProgress: OnImportProgress = () => undefined,
  isAgain = false,
): Promise<{ response: Exclude<ImportResponse, { kind: 'refused' }>; usedCpuMs: number }> {
  const { nodePath, enginePath, log } = options;
  const programPath = importerBeside(enginePath);
  const command = { nodePath, args: ['--max-old-space-size=256', programPath], programPath };
  const { files, toFolder } = step.request;
  const sandbox = log && { readable: files.map(({ path }) => path), writable: [toFolder] };
  const { watch, objection, usedCpuMs } = createLimitWatch(limits, signal);
  let nextProgressMs = -Infinity;
  const result = await requestOnce(command, step, watch, sandbox, (message) => {
    if (!Value.Check(ProgressMessage, message)) return false;
    if (performance.now() < nextProgressMs) return true;
    nextProgressMs = performance.now() + minProgressMs;
    onProgress(message.progress);
    return true;
  });
  const why = objection();
  if (why) throw why;
  if (log && 'neverBegan' in result && result.neverBegan) {
    noteSandboxFailure(result.how);
    logSandboxObstacle(log);
    return runStep({ nodePath, enginePath }, step, limits, signal, onProgress);
  }
  if (!('message' in result)) {
    // The system may have ended it for want of memory, which is over by then.
    if (!isAgain) return runStep(options, step, limits, signal, onProgress, true);
    throw new EnlargerError('MODEL_REFUSED', diedSentence(result.how));
  }
  if (!Value.Check(CheckedResponse, result.message))
    throw new EnlargerError(
      'MODEL_REFUSED',
      'Trying the network out sent what is no response. It is damaged or hostile.',
    );
  const response = result.message as ImportResponse;
  if (response.kind === 'refused') throw new EnlargerError(response.code, response.message);
  return { response, usedCpuMs: usedCpuMs() };
}

/** The importer is beside the engine: its source in a checkout, its bundle in a build. */
const importerBeside = (enginePath: string) =>
  enginePath.endsWith('.ts')
    ? join(dirname(enginePath), 'importing/main.ts')
    : join(dirname(enginePath), 'importer.js');

/** Kills a process at its limits or when the signal fires; `objection` then returns the reason. */
function createLimitWatch(limits: ImportLimits, signal: AbortSignal) {
  let why: EnlargerError | undefined;
  let usedCpuMs = 0;
  const watch = ({ pid, kill }: SandboxedProcess) => {
    const end = (reason: EnlargerError) => {
      why ??= reason;
      kill();
    };
    const tooLong = () => end(refusedFor(`took longer than ${seconds(limits.cpuMs)} s`));
    const timer = setTimeout(tooLong, limits.clockMs);
    const poll = setInterval(() => {
      const programPid = pid();
      if (programPid === undefined) return;
      const bytes = anonymousBytes(programPid);
      usedCpuMs = cpuMsOf(programPid) ?? usedCpuMs;
      if (usedCpuMs > limits.cpuMs) tooLong();
      if (bytes !== undefined && bytes > limits.memoryBytes)
        end(refusedFor(`took more than ${Math.round(limits.memoryBytes / megabyte)} MB of memory`));
    }, pollMs);
    const removeListener = onAbort(signal, () =>
      end(new EnlargerError('CANCELLED', 'The import was cancelled.')),
    );
    return () => {
      clearTimeout(timer);
      clearInterval(poll);
      removeListener();
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
  `Trying the network out ended its process twice (${how}): the file is damaged or hostile, or this machine is short of memory. Get the file again, or close other programs and add it once more.`;
