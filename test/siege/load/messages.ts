/** What the siege and the clients of its load say to each other; each client is a process of its own. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** Where they go: the last of each one's arguments, as JSON. */
export interface Target {
  url: string;
  key: string;
}

export interface ReadersAsked extends Target {
  readers: number;
  /** Of them, those that never read. */
  deaf: number;
  /** Of them, those that do not read for a long time, and then go on. */
  lame: number;
  /** They go on when the others were told of so many tasks. */
  lameUntil: number;
}

/** What all who read were told, once nothing changes any more. */
export interface ReadersTold {
  /** Of those that read, as many as were not told of every task. */
  missing: number;
  /** Of those that were never cut off, as many as were told other changes than the most of them. */
  differing: number;
  /** How often one was cut off because it fell behind, and went on. */
  resumed: number;
  /** How often one was told to list anew, because changes were missed. */
  resets: number;
}

/** In milliseconds since 1970. */
export interface Call {
  from: number;
  to: number;
}

export interface GoodTold {
  calls: Call[];
}

export interface Client<Asked, Told> {
  /** Sends it, and answers what comes next. */
  ask(asked: Asked): Promise<Told>;
  end(): void;
}

/** Starts a program beside this file; it says one thing when it is ready. */
export async function startClient<Asked, Told>(
  name: string,
  target: Target,
): Promise<Client<Asked, Told>> {
  const file = path.join(import.meta.dirname, name);
  const child = fork(file, [JSON.stringify(target)]);
  await next(child);
  return {
    ask: async (asked) => {
      const told = next(child);
      child.send(asked as object);
      return (await told) as Told;
    },
    end: () => void child.kill('SIGKILL'),
  };
}

async function next(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as unknown),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`A client of the load ended with ${String(code)}.`);
      }),
    ]);
  } finally {
    over.abort();
  }
}

export const targetOf = (): unknown => JSON.parse(process.argv[2] ?? '');

export const say = (message: object) => void process.send?.(message);
