/** Closers run once, in the reverse order of their opening, each within its time. */

export interface Closers {
  add(close: () => void | Promise<void>): void;
  /**
   * Closes everything, also when one of them fails, and then throws the first failure. What takes longer than its
   * time is left behind: EndedLate is thrown then, when all others are closed.
   */
  closeAll(hurry?: AbortSignal): Promise<void>;
  /** The signal fires when closing must not take its time. */
  readonly hurry: AbortSignal;
}

/** Something could not be closed in time; only the end of the process ends it. */
export class EndedLate extends Error {
  override readonly name = 'EndedLate';
}

interface CloserTimes {
  /** Each may take so many milliseconds: longer than the grace that any of them gives to what it closes. */
  eachMs: number;
  /** Once it is hurried, each may take so many milliseconds from then on. */
  hurriedMs: number;
}

const usualTimes: CloserTimes = { eachMs: 10_000, hurriedMs: 2000 };

export function createClosers(times: CloserTimes = usualTimes): Closers {
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
  const late = failures.find((failure) => failure instanceof EndedLate);
  if (failures.length > 0) throw late ?? failures[0];
}

/** Rejects with EndedLate when the work takes longer, and lets it go on. */
async function inTime(
  close: () => void | Promise<void>,
  { eachMs, hurriedMs }: CloserTimes,
  hurry: AbortSignal,
): Promise<void> {
  const timers: NodeJS.Timeout[] = [];
  const late = new Promise<never>((_resolve, reject) => {
    const end = () => reject(new EndedLate('A part of the service did not end in its time.'));
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
