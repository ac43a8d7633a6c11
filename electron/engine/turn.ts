/** Lets one job at a time into the network, in the order in which they asked. */
export interface Turn {
  /** Waits for the place and runs. Rejects with the signal's reason when it fires while waiting. */
  hold<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T>;
}

export function createTurn(): Turn {
  let last: Promise<unknown> = Promise.resolve();
  return {
    hold(signal, run) {
      const mine = last.then(() => {
        signal.throwIfAborted();
        return run();
      });
      last = mine.catch(() => undefined);
      return Promise.race([mine, whenAborted(signal, mine)]);
    },
  };
}

/** Rejects as soon as the signal fires, unless `running` ended before. */
async function whenAborted(signal: AbortSignal, running: Promise<unknown>): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  running.finally(() => signal.removeEventListener('abort', onAbort)).catch(() => undefined);
  return promise;
}
