/** Asks one question of a process of its own, which may hang or die of it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { onAbort } from '../on-abort.ts';
import { engineEnvironment } from './engine-environment.ts';

/** How a process ended without an answer. */
interface Unanswered {
  unanswered: 'died' | 'killed';
  how: string;
}

/**
 * Starts Node with a program that is there for this question alone, and is killed once it said something. Rejects only
 * when it cannot be started.
 * @param watch may kill the process before; what it returns is called at the end
 */
export async function askProcess(
  nodePath: string,
  words: readonly string[],
  question: object,
  watch: (child: ChildProcess) => () => void,
): Promise<{ message: unknown } | Unanswered> {
  const child = spawn(nodePath, words, {
    env: engineEnvironment(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    windowsHide: true,
  });
  const endWatch = watch(child);
  try {
    return await answerOf(child, question);
  } finally {
    endWatch();
    child.kill('SIGKILL');
  }
}

async function answerOf(
  child: ChildProcess,
  question: object,
): Promise<{ message: unknown } | Unanswered> {
  const ended = new AbortController();
  const { signal } = ended;
  // One that was killed already cannot be told: its end is heard.
  child.send(question, () => undefined);
  const answered = once(child, 'message', { signal }).then(([message]) => ({
    message: message as unknown,
  }));
  const died = once(child, 'exit', { signal }).then((): Unanswered => ({
    unanswered: child.killed ? 'killed' : 'died',
    how: child.signalCode ?? `exit code ${child.exitCode ?? 'unknown'}`,
  }));
  try {
    return await Promise.race([answered, died]);
  } finally {
    answered.catch(() => undefined);
    died.catch(() => undefined);
    ended.abort();
  }
}

/** The engine's entry in one of its other modes. */
interface AskedEngine {
  enginePath: string;
  mode: 'probe' | 'measure';
  /** It is killed after so long. */
  limitMs: number;
  /** Kills it at once. */
  signal?: AbortSignal;
}

/** Rejects only when the process cannot be started. */
export const askEngine = ({ enginePath, mode, limitMs, signal }: AskedEngine, question: object) =>
  askProcess(process.execPath, [enginePath, mode], question, (child) => {
    const kill = () => void child.kill('SIGKILL');
    const timer = setTimeout(kill, limitMs);
    const forget = onAbort(signal, kill);
    return () => {
      clearTimeout(timer);
      forget();
    };
  });
