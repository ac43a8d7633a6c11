/** Runs a device's first check in a process of its own: what a driver does there harms no picture. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { CheckOutcome, CheckRequest } from './check.ts';

/** A driver may compile for a while; longer than this it hangs. */
const limitMs = 60_000;

function isOutcome(message: unknown): message is CheckOutcome {
  return typeof message === 'object' && message !== null && 'ok' in message;
}

/** Never rejects: a process that dies or says nothing is an outcome too. */
export async function probe(enginePath: string, request: CheckRequest): Promise<CheckOutcome> {
  const child = fork(enginePath, ['probe'], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
  try {
    return await outcomeOf(child, request);
  } catch (error) {
    return { ok: false, reason: `Its check could not run: ${String(error)}` };
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

async function outcomeOf(child: ReturnType<typeof fork>, request: CheckRequest) {
  const ended = new AbortController();
  const { signal } = ended;
  child.send(request);
  const answered = once(child, 'message', { signal }).then(([message]): CheckOutcome =>
    isOutcome(message) ? message : { ok: false, reason: 'Its check gave no answer.' },
  );
  const died = once(child, 'exit', { signal }).then((): CheckOutcome => ({
    ok: false,
    reason: child.killed
      ? `Its check took longer than ${limitMs / 1000} s.`
      : `Its check ended the process (${child.signalCode ?? `exit code ${child.exitCode}`}).`,
  }));
  try {
    return await Promise.race([answered, died]);
  } finally {
    answered.catch(() => undefined);
    died.catch(() => undefined);
    ended.abort();
  }
}
