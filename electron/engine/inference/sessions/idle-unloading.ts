/** Unloads networks after idle time, to free their memory. */

const defaultKeepAliveMs = 5 * 60_000;

interface IdleUnloading {
  /** Restarts the idle time. A given length applies from now on. */
  touch(keepAliveMs?: number): void;
}

/** @param unload called after each idle time; with a length of 0, after each run */
export function createIdleUnloading(unload: () => void): IdleUnloading {
  let lengthMs = defaultKeepAliveMs;
  let timer: NodeJS.Timeout | undefined;
  return {
    touch(keepAliveMs) {
      lengthMs = keepAliveMs ?? lengthMs;
      clearTimeout(timer);
      timer = setTimeout(unload, lengthMs);
      timer.unref();
    },
  };
}
