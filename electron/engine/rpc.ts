/**
 * Questions to another thread or process. They have numbers, and all that comes back names one: news of
 * the work, then its answer or why there is none, in whatever order work ends.
 */
import type { Transferable } from 'node:worker_threads';
import { EnlargerError, taskCancelled, type TaskErrorCode } from '../contract/errors.ts';

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
/** That nobody waits for an answer any more; what was asked still ends, and says so. */
interface Cancelled {
  id: number;
  isCancelled: true;
}
/** What one side says to the other. */
export type Question<All> = Asked<All> | Cancelled;
export type Said = { id: number } & (
  { answer: unknown } | { failure: Failure } | { news: unknown }
);

interface Asker<All extends Calls<All>> {
  /**
   * Rejects with the EnlargerError of the other side, or what `end` was given. `transfer` is given away. A
   * signal tells the other side to stop; the promise still waits for what that side says of it.
   */
  ask: <Kind extends keyof All>(
    kind: Kind,
    asked: All[Kind]['asked'],
    more?: {
      onNews?: (news: NewsOf<All[Kind]>) => void;
      transfer?: Transferable[];
      signal?: AbortSignal;
    },
  ) => Promise<All[Kind]['answer']>;
  /** To be called with what the other side says. */
  hear: (said: Said) => void;
  /** The other side is no more: every open question is rejected with an error of its own. */
  end: (errorOf: (question: { kind: keyof All; asked: unknown }) => Error) => void;
}

interface Open<Kind> {
  kind: Kind;
  asked: unknown;
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
  onNews: ((news: never) => void) | undefined;
  /** Forgets the signal. */
  close: () => void;
}

export function createAsker<All extends Calls<All>>(
  post: (
    question: { id: number; kind: keyof All; asked: unknown } | Cancelled,
    transfer: Transferable[],
  ) => void,
): Asker<All> {
  const open = new Map<number, Open<keyof All>>();
  let lastId = 0;
  return {
    ask: (kind, asked, { onNews, transfer = [], signal } = {}) =>
      new Promise((resolve, reject) => {
        const id = (lastId += 1);
        const cancel = () => post({ id, isCancelled: true }, []);
        const close = () => signal?.removeEventListener('abort', cancel);
        open.set(id, { kind, asked, resolve, reject, onNews, close });
        post({ id, kind, asked }, transfer);
        if (signal?.aborted) cancel();
        else signal?.addEventListener('abort', cancel, { once: true });
      }),
    hear(said) {
      const question = open.get(said.id);
      if ('news' in said) return question?.onNews?.(said.news as never);
      open.delete(said.id);
      question?.close();
      if ('answer' in said) question?.resolve(said.answer);
      else question?.reject(new EnlargerError(said.failure.code, said.failure.message));
    },
    end(errorOf) {
      for (const question of open.values()) {
        question.close();
        question.reject(errorOf(question));
      }
      open.clear();
    },
  };
}

export type Answers<All extends Calls<All>> = {
  [Kind in keyof All]: (
    asked: All[Kind]['asked'],
    tell: (news: NewsOf<All[Kind]>) => void,
    /** Fires, with CANCELLED, when nobody waits for the answer any more. */
    signal: AbortSignal,
  ) => Promise<All[Kind]['answer']> | All[Kind]['answer'];
};

/** Answers one question, or cancels it; never rejects. */
export function createAnswerer<All extends Calls<All>>(
  answers: Answers<All>,
  say: (said: Said) => void,
  failureOf: (error: unknown) => Failure,
): (question: Question<All>) => Promise<void> {
  const running = new Map<number, AbortController>();
  return async (question) => {
    const { id } = question;
    if ('isCancelled' in question) return running.get(id)?.abort(taskCancelled());
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const tell = (news: unknown) => say({ id, news });
      const { kind, asked } = question;
      say({ id, answer: await answers[kind](asked, tell, controller.signal) });
    } catch (error) {
      say({ id, failure: failureOf(error) });
    } finally {
      running.delete(id);
    }
  };
}
