/** Runs a process for a single request. The process may hang or crash. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { onAbort } from '../cancellation/on-abort.ts';
import { engineEnvironment } from './engine-environment.ts';

/** How a process ended without a response. */
interface ProcessFailure {
  unanswered: 'died' | 'killed';
  how: string;
}

/**
 * Starts Node with a program for this request alone, and kills the process after its response. Rejects only
 * if the process cannot be started.
 *
 * @param watch may kill the process earlier; the function that it returns is called at the end
 */
export async function requestOnce(
  nodePath: string,
  args: readonly string[],
  question: object,
  watch: (child: ChildProcess) => () => void,
): Promise<{ message: unknown } | ProcessFailure> {
  const child = spawn(nodePath, args, {
    env: engineEnvironment(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    windowsHide: true,
  });
  const endWatch = watch(child);
  try {
    return await responseOf(child, question);
  } finally {
    endWatch();
    child.kill('SIGKILL');
  }
}

async function responseOf(
  child: ChildProcess,
  question: object,
): Promise<{ message: unknown } | ProcessFailure> {
  const ended = new AbortController();
  const { signal } = ended;
  // Sending to a dead process fails; its exit is handled below.
  child.send(question, () => undefined);
  const responded = once(child, 'message', { signal }).then(([message]) => ({
    message: message as unknown,
  }));
  const died = once(child, 'exit', { signal }).then((): ProcessFailure => ({
    unanswered: child.killed ? 'killed' : 'died',
    how: child.signalCode ?? `exit code ${child.exitCode ?? 'unknown'}`,
  }));
  try {
    return await Promise.race([responded, died]);
  } finally {
    responded.catch(() => undefined);
    died.catch(() => undefined);
    ended.abort();
  }
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
  requestOnce(process.execPath, [enginePath, mode], question, (child) => {
    const kill = () => void child.kill('SIGKILL');
    const timer = setTimeout(kill, limitMs);
    const forget = onAbort(signal, kill);
    return () => {
      clearTimeout(timer);
      forget();
    };
  });
