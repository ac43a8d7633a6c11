/** What is to be closed, in the reverse order of its opening, once. */

export interface Closers {
  add(close: () => void | Promise<void>): void;
  /** Closes everything, also when one of them fails, and then throws the first failure. */
  closeAll(hurry?: AbortSignal): Promise<void>;
  /** Fires when closing must not take its time. */
  readonly hurry: AbortSignal;
}

export function createClosers(): Closers {
  const waiting: (() => void | Promise<void>)[] = [];
  const hurrying = new AbortController();
  let closing: Promise<void> | undefined;
  return {
    hurry: hurrying.signal,
    add: (close) => void waiting.push(close),
    closeAll(hurry) {
      if (hurry?.aborted === true) hurrying.abort();
      hurry?.addEventListener('abort', () => hurrying.abort(), { once: true });
      return (closing ??= closeInTurn(waiting));
    },
  };
}

async function closeInTurn(waiting: (() => void | Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (let close = waiting.pop(); close !== undefined; close = waiting.pop()) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
