/** Networks that nobody used for a while give their memory back. */

const usualKeepAliveMs = 5 * 60_000;

interface IdleUnloading {
  /** Something ran: the time begins anew. With another length from now on, where one is said. */
  used(keepAliveMs?: number): void;
}

/** `unload` is called once after each time in which nothing ran. A length of 0 unloads after each run. */
export function createIdleUnloading(unload: () => void): IdleUnloading {
  let lengthMs = usualKeepAliveMs;
  let timer: NodeJS.Timeout | undefined;
  return {
    used(keepAliveMs) {
      lengthMs = keepAliveMs ?? lengthMs;
      clearTimeout(timer);
      timer = setTimeout(unload, lengthMs);
      timer.unref();
    },
  };
}
