/** Runs close functions once, in reverse order of opening, each with a time limit. */

export interface Closers {
  add(close: () => void | Promise<void>): void;
  /**
   * Closes everything even if something fails, then throws the first failure.
   * @throws CloseTimeout if something exceeded its time limit
   */
  closeAll(hurry?: AbortSignal): Promise<void>;
  /** Fires when closing must be quick. */
  readonly hurry: AbortSignal;
}

/** Something did not close in time and ends with the process. */
export class CloseTimeout extends Error {
  override readonly name = 'CloseTimeout';
}

interface CloserTimes {
  /** Limit for each, in milliseconds; longer than any of their own grace periods. */
  eachMs: number;
  /** Limit for each from the hurry signal on, in milliseconds. */
  hurriedMs: number;
}

const defaultTimes: CloserTimes = { eachMs: 10_000, hurriedMs: 2000 };

export function createClosers(times: CloserTimes = defaultTimes): Closers {
  const waiting: (() => void | Promise<void>)[] = [];
  const hurrying = new AbortController();
  let closing: Promise<void> | undefined;
  return {
    hurry: hurrying.signal,
    add: (close) => void waiting.push(close),
    closeAll(hurry) {
      if (hurry?.aborted === true) hurrying.abort();
      hurry?.addEventListener('abort', () => hurrying.abort(), { once: true });
      return (closing ??= closeInTurn(waiting, times, hurrying.signal));
    },
  };
}

async function closeInTurn(
  waiting: (() => void | Promise<void>)[],
  times: CloserTimes,
  hurry: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for (let close = waiting.pop(); close !== undefined; close = waiting.pop()) {
    try {
      await inTime(close, times, hurry);
    } catch (error) {
      failures.push(error);
    }
  }
  const late = failures.find((failure) => failure instanceof CloseTimeout);
  if (failures.length > 0) throw late ?? failures[0];
}

/** Rejects with CloseTimeout after the limit; the work continues. */
async function inTime(
  close: () => void | Promise<void>,
  { eachMs, hurriedMs }: CloserTimes,
  hurry: AbortSignal,
): Promise<void> {
  const timers: NodeJS.Timeout[] = [];
  const late = new Promise<never>((_resolve, reject) => {
    const end = () => reject(new CloseTimeout('A part of the service did not end in its time.'));
    const hasten = () => void timers.push(setTimeout(end, hurriedMs));
    timers.push(setTimeout(end, eachMs));
    if (hurry.aborted) hasten();
    else hurry.addEventListener('abort', hasten, { once: true });
  });
  try {
    await Promise.race([close(), late]);
  } finally {
    timers.forEach(clearTimeout);
  }
}
