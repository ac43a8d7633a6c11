/** Asks something of a process of its own, which may hang or die of it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { engineEnvironment } from '../hosting/engine-environment.ts';

/** The engine's entry in one of its other modes. */
export interface AskedProcess {
  enginePath: string;
  mode: 'probe' | 'measure';
  /** It is killed after so long. */
  limitMs: number;
  /** Kills it at once. */
  signal?: AbortSignal;
}

/** How it ended without an answer. */
export interface Unanswered {
  unanswered: 'died' | 'killed';
  how: string;
}

/** Rejects only when the process cannot be started. */
export async function askProcess(
  { enginePath, mode, limitMs, signal }: AskedProcess,
  request: object,
): Promise<{ message: unknown } | Unanswered> {
  const child = spawn(process.execPath, [enginePath, mode], {
    env: engineEnvironment(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    windowsHide: true,
  });
  const kill = () => void child.kill('SIGKILL');
  const timer = setTimeout(kill, limitMs);
  signal?.addEventListener('abort', kill, { once: true });
  if (signal?.aborted === true) kill();
  try {
    return await answerOf(child, request);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
    kill();
  }
}

async function answerOf(child: ChildProcess, request: object) {
  const ended = new AbortController();
  const { signal } = ended;
  // One that was killed already cannot be told: its end is heard.
  child.send(request, () => undefined);
  const answered = once(child, 'message', { signal }).then(([message]) => ({
    message: message as unknown,
  }));
  const died = once(child, 'exit', { signal }).then((): Unanswered => ({
    unanswered: child.killed ? 'killed' : 'died',
    how: child.signalCode ?? `exit code ${child.exitCode}`,
  }));
  try {
    return await Promise.race([answered, died]);
  } finally {
    answered.catch(() => undefined);
    died.catch(() => undefined);
    ended.abort();
  }
}
