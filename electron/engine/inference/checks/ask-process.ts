/** Asks something of a process of its own, which may hang or die of it. */
import { spawn } from 'node:child_process';
import { engineEnvironment } from '../../hosting/engine-environment.ts';
import { askChild, type Unanswered } from '../../rpc.ts';

/** The engine's entry in one of its other modes. */
export interface AskedProcess {
  enginePath: string;
  mode: 'probe' | 'measure';
  /** It is killed after so long. */
  limitMs: number;
  /** Kills it at once. */
  signal?: AbortSignal;
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
    return await askChild(child, request);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', kill);
    kill();
  }
}
