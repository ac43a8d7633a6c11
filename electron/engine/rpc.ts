/**
 * Questions to another thread or process. They have numbers, and all that comes back names one: news of
 * the work, then its answer or why there is none, in whatever order work ends. A process that is there for one
 * question is simply asked it.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Transferable } from 'node:worker_threads';
import { EnlargerError, type TaskErrorCode } from '../contract/errors.ts';

export interface Failure {
  code: TaskErrorCode;
  message: string;
}

interface Call {
  asked: unknown;
  answer: unknown;
  news?: unknown;
}
/** What can be asked of one side by name. */
type Calls<All> = { [Kind in keyof All]: Call };
type NewsOf<One> = One extends { news: infer News } ? News : never;

/** A question as it travels. */
export type Asked<All> = {
  [Kind in keyof All]: All[Kind] extends Call
    ? { id: number; kind: Kind; asked: All[Kind]['asked'] }
    : never;
}[keyof All];
export type Said = { id: number } & (
  { answer: unknown } | { failure: Failure } | { news: unknown }
);

interface Asker<All extends Calls<All>> {
  /** Rejects with the EnlargerError of the other side, or what `end` was given. `transfer` is given away. */
  ask: <Kind extends keyof All>(
    kind: Kind,
    asked: All[Kind]['asked'],
    more?: { onNews?: (news: NewsOf<All[Kind]>) => void; transfer?: Transferable[] },
  ) => Promise<All[Kind]['answer']>;
  /** To be called with what the other side says. */
  hear: (said: Said) => void;
  /** The other side is no more: every open question is rejected. */
  end: (error: Error) => void;
}

interface Open {
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
  onNews: ((news: never) => void) | undefined;
}

export function createAsker<All extends Calls<All>>(
  post: (
    question: { id: number; kind: keyof All; asked: unknown },
    transfer: Transferable[],
  ) => void,
): Asker<All> {
  const open = new Map<number, Open>();
  let lastId = 0;
  return {
    ask: (kind, asked, { onNews, transfer = [] } = {}) =>
      new Promise((resolve, reject) => {
        const id = (lastId += 1);
        open.set(id, { resolve, reject, onNews });
        post({ id, kind, asked }, transfer);
      }),
    hear(said) {
      const question = open.get(said.id);
      if ('news' in said) return question?.onNews?.(said.news as never);
      open.delete(said.id);
      if ('answer' in said) question?.resolve(said.answer);
      else question?.reject(new EnlargerError(said.failure.code, said.failure.message));
    },
    end(error) {
      for (const { reject } of open.values()) reject(error);
      open.clear();
    },
  };
}

export type Answers<All extends Calls<All>> = {
  [Kind in keyof All]: (
    asked: All[Kind]['asked'],
    tell: (news: NewsOf<All[Kind]>) => void,
  ) => Promise<All[Kind]['answer']> | All[Kind]['answer'];
};

/** Answers one question; never rejects. */
export function createAnswerer<All extends Calls<All>>(
  answers: Answers<All>,
  say: (said: Said) => void,
  failureOf: (error: unknown) => Failure,
): (question: Asked<All>) => Promise<void> {
  return async ({ id, kind, asked }) => {
    try {
      say({ id, answer: await answers[kind](asked, (news) => say({ id, news })) });
    } catch (error) {
      say({ id, failure: failureOf(error) });
    }
  };
}

/** How a process ended without an answer. */
export interface Unanswered {
  unanswered: 'died' | 'killed';
  how: string;
}

/** What a process says first after it was asked; it is there for nothing else. */
export async function askChild(
  child: ChildProcess,
  request: object,
): Promise<{ message: unknown } | Unanswered> {
  const ended = new AbortController();
  const { signal } = ended;
  // One that was killed already cannot be told: its end is heard.
  child.send(request, () => undefined);
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
