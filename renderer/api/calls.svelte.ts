/** Calls to the service: many at a time, and what is told of one that went wrong. */
import { ApiError } from '../../electron/client/transport.ts';

/** What went wrong, as the service says it. */
export interface Problem {
  code: string;
  message: string;
}

/** Requests at a time, for what is done to many rows. */
export const requestLanes = 6;

/** Runs `work` for each item in order, at most `width` of them at a time. Ends when all have ended. */
export async function inLanes<Item>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const lane = async () => {
    for (let next = rest.next(); next.done !== true; next = rest.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: width }, lane));
}

/** Why the service refused a call, or that it is away. Anything else is a fault of the page, and is thrown on. */
export function refusalOf(error: unknown): Problem {
  if (!(error instanceof ApiError)) throw error;
  return error;
}

/** `otherwise`: the code of what is no refusal. */
export function problemOf(error: unknown, otherwise = 'INTERNAL'): Problem {
  if (error instanceof ApiError) return error;
  return { code: otherwise, message: error instanceof Error ? error.message : String(error) };
}

/** Why the service refused what was asked for; undefined where it did not. */
export async function refusalIn(action: () => Promise<unknown>): Promise<Problem | undefined> {
  try {
    await action();
    return undefined;
  } catch (error) {
    return refusalOf(error);
  }
}

/** Undefined where the service refuses the call or is away. */
export async function unlessRefused<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    refusalOf(error);
    return undefined;
  }
}

/** What is asked in one place of the page, and why the last of it was refused. */
export class Attempt {
  problem = $state.raw<Problem>();
  #isOfReading = false;

  /** Answers whether the service took it. */
  async run(action: () => Promise<unknown>): Promise<boolean> {
    this.problem = await refusalIn(action);
    this.#isOfReading = false;
    return this.problem === undefined;
  }

  /** What a person asked for and was refused is still said when reading works. */
  async read(action: () => Promise<unknown>): Promise<void> {
    const refusal = await refusalIn(action);
    if (refusal === undefined && !this.#isOfReading) return;
    this.problem = refusal;
    this.#isOfReading = refusal !== undefined;
  }
}
