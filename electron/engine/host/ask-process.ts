/** Asks one question of a process that is started for it, and that may hang or die of it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { onAbort } from '../cancellation/on-abort.ts';
import { engineEnvironment } from './engine-environment.ts';

/** It tells how a process ended without an answer. */
interface Unanswered {
  unanswered: 'died' | 'killed';
  how: string;
}

/**
 * Starts Node with a program for this question alone, and kills the process once it answered. It rejects only
 * when the process cannot be started.
 * @param watch may kill the process earlier; the function that it returns is called at the end
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
  // A process that is already dead cannot be sent a question; its exit is heard below.
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

/** The engine's entry, in one of its modes that answer a single question. */
interface AskedEngine {
  enginePath: string;
  mode: 'probe' | 'measure';
  /** The process is killed after this time. */
  limitMs: number;
  /** The signal kills the process at once. */
  signal?: AbortSignal;
}

/** Asks the engine in another mode. It rejects only when the process cannot be started. */
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
