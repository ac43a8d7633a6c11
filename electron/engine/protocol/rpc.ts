/**
 * Questions to another thread or process. Each question has a number, and each message that comes back names
 * it: first news of the work, then its answer or its failure. Answers come in the order in which the work
 * ends.
 */
import type { Transferable } from 'node:worker_threads';
import { EnlargerError, taskCancelled, type TaskErrorCode } from '../../contract/errors.ts';

export interface Failure {
  code: TaskErrorCode;
  message: string;
}

interface Call {
  asked: unknown;
  answer: unknown;
  news?: unknown;
}
/** The questions that one side answers, by name. */
type Calls<All> = { [Kind in keyof All]: Call };
type NewsOf<One> = One extends { news: infer News } ? News : never;

/** A question as it is sent. */
export type Asked<All> = {
  [Kind in keyof All]: All[Kind] extends Call
    ? { id: number; kind: Kind; asked: All[Kind]['asked'] }
    : never;
}[keyof All];
/** Tells that nobody waits for an answer any more. The question is still answered or rejected. */
interface Cancelled {
  id: number;
  isCancelled: true;
}
/** A message of the side that asks. */
export type Question<All> = Asked<All> | Cancelled;
/** A message of the side that answers. */
export type Said = { id: number } & (
  { answer: unknown } | { failure: Failure } | { news: unknown }
);

interface Asker<All extends Calls<All>> {
  /**
   * Asks a question. The promise rejects with the EnlargerError of the other side, or with the error that
   * `end` makes. What stands in `transfer` is moved to the other side. The signal tells the other side to
   * stop; the promise still waits for its answer.
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
  /** Takes a message of the other side; the caller passes each of them here. */
  hear: (said: Said) => void;
  /** Rejects every open question with an error of its own, because the other side has ended. */
  end: (errorOf: (question: { kind: keyof All; asked: unknown }) => Error) => void;
}

interface Open<Kind> {
  kind: Kind;
  asked: unknown;
  resolve: (answer: unknown) => void;
  reject: (error: Error) => void;
  onNews: ((news: never) => void) | undefined;
  /** Stops listening to the signal. */
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
    /** The signal fires with CANCELLED when nobody waits for the answer any more. */
    signal: AbortSignal,
  ) => Promise<All[Kind]['answer']> | All[Kind]['answer'];
};

/** Creates a function that answers one question or cancels it, and never rejects. */
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
