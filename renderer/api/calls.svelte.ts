/** Makes calls to the service, many at a time, and tells why one went wrong. */
import { ApiError } from '../../packages/api-client/src/transport.ts';
import type { TaskFailure } from '../../packages/contract/src/task.ts';

/** A call went wrong for this reason, which the service gave. */
export type Problem = TaskFailure;

/** An action on many rows makes this many requests at a time. */
export const requestConcurrency = 6;

/** Runs `work` for each item in order, at most `limit` of them at a time. It resolves when all have ended. */
export async function eachConcurrently<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}

/** What the page calls an invalid request: settings that do not go together, any other one, and that of a folder. */
type InvalidRequest = 'INVALID_REQUEST' | 'REFUSED' | 'NO_FOLDER';

/** Returns why the service refused a call, or that it is away. @throws any other error, a fault of the page. */
export function refusalOf(error: unknown, invalid: InvalidRequest = 'INVALID_REQUEST'): Problem {
  if (!(error instanceof ApiError)) throw error;
  const { code, message } = error;
  return { code: code === 'INVALID_REQUEST' ? invalid : code, message };
}

/** Returns the problem of an error; `otherwise` is the code for errors that are not the service's. */
export function problemOf(error: unknown, otherwise = 'INTERNAL'): Problem {
  if (error instanceof ApiError) return error;
  return { code: otherwise, message: error instanceof Error ? error.message : String(error) };
}

/** Runs an action that is about no photo's settings. @returns why the service refused it; undefined where it did not */
export async function refusalIn(
  action: () => Promise<unknown>,
  invalid: InvalidRequest = 'REFUSED',
): Promise<Problem | undefined> {
  try {
    await action();
    return undefined;
  } catch (error) {
    return refusalOf(error, invalid);
  }
}

/** Returns the result of a call, or undefined if the service refuses it or is away. */
export async function unlessRefused<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    refusalOf(error);
    return undefined;
  }
}

/** One place of the page makes its calls by this object, which keeps why the last of them was refused. */
export class Attempt {
  problem = $state.raw<Problem>();
  #isOfReading = false;

  /** Runs what a person asked for, and answers whether the service took it. */
  async run(action: () => Promise<unknown>): Promise<boolean> {
    this.problem = await refusalIn(action);
    this.#isOfReading = false;
    return this.problem === undefined;
  }

  /** Reads something. Its success does not clear the problem of what a person asked for and was refused. */
  async read(action: () => Promise<unknown>): Promise<void> {
    const refusal = await refusalIn(action);
    if (refusal === undefined && !this.#isOfReading) return;
    this.problem = refusal;
    this.#isOfReading = refusal !== undefined;
  }
}
