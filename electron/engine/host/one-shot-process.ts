/** Runs a process for a single request. The process may hang or crash. */
import type { ChildProcess } from 'node:child_process';
import { on, once } from 'node:events';
import { onAbort } from '../cancellation/on-abort.ts';
import { engineEnvironment } from './engine-environment.ts';
import {
  describeEnd,
  spawnSandboxed,
  type EngineCommand,
  type SandboxedProcess,
  type SandboxPaths,
} from './sandbox.ts';

/** How a process ended without a response. */
interface ProcessFailure {
  unanswered: 'died' | 'killed';
  how: string;
  /** Whether the process ended because its sandbox does not work here, before the program began. */
  neverBegan: boolean;
}

/**
 * Starts Node with a program for this request alone, and kills the process after its response. Rejects only
 * if the process cannot be started.
 *
 * @param watch may kill the process earlier; the function that it returns is called at the end
 * @param sandbox files of the process's sandbox; undefined: none
 * @param isProgress takes each message; true: the response still follows
 */
export async function requestOnce(
  command: EngineCommand,
  question: object,
  watch: (process: SandboxedProcess) => () => void,
  sandbox?: SandboxPaths,
  isProgress: (message: unknown) => boolean = () => false,
): Promise<{ message: unknown } | ProcessFailure> {
  const started = spawnSandboxed(command, sandbox, {
    env: engineEnvironment(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    windowsHide: true,
  });
  const endWatch = watch(started);
  try {
    return await responseOf(started, question, isProgress);
  } finally {
    endWatch();
    started.kill();
  }
}

async function responseOf(
  { child, isSandboxed, neverBegan }: SandboxedProcess,
  question: object,
  isProgress: (message: unknown) => boolean,
): Promise<{ message: unknown } | ProcessFailure> {
  const ended = new AbortController();
  const { signal } = ended;
  // Sending to a dead process fails; its exit is handled below.
  child.send(question, () => undefined);
  const responded = firstResponse(child, isProgress, signal);
  // Whether a sandbox failed is known with the last of its output.
  const died = once(child, isSandboxed ? 'close' : 'exit', { signal }).then((): ProcessFailure => ({
    unanswered: child.killed ? 'killed' : 'died',
    how: describeEnd(child.exitCode, child.signalCode),
    neverBegan: neverBegan(),
  }));
  try {
    return await Promise.race([responded, died]);
  } finally {
    responded.catch(() => undefined);
    died.catch(() => undefined);
    ended.abort();
  }
}

/** Never resolves if the process ends without a response. */
async function firstResponse(
  child: ChildProcess,
  isProgress: (message: unknown) => boolean,
  signal: AbortSignal,
): Promise<{ message: unknown }> {
  for await (const [message] of on(child, 'message', { signal }) as AsyncIterable<[unknown]>)
    if (!isProgress(message)) return { message };
  throw new Error('Messages of a process end with its signal only.');
}

/** The engine's entry in one of its modes for a single request. */
interface EngineMode {
  enginePath: string;
  mode: 'probe' | 'measure';
  /** The process is killed after this time. */
  limitMs: number;
  /** Kills the process at once. */
  signal?: AbortSignal;
}

/** Sends a request to the engine in another mode. Rejects only if the process cannot be started. */
export const requestEngineOnce = (
  { enginePath, mode, limitMs, signal }: EngineMode,
  question: object,
) =>
  requestOnce(commandOf(enginePath, mode), question, ({ kill }) => {
    const timer = setTimeout(kill, limitMs);
    const forget = onAbort(signal, kill);
    return () => {
      clearTimeout(timer);
      forget();
    };
  });

const commandOf = (enginePath: string, mode: EngineMode['mode']): EngineCommand => ({
  nodePath: process.execPath,
  args: [enginePath, mode],
  programPath: enginePath,
});
