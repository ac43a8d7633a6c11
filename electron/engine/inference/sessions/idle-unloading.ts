/** Unloads networks that nobody used for a while, so that they give back their memory. */

const usualKeepAliveMs = 5 * 60_000;

interface IdleUnloading {
  /** Begins the time anew, because something ran. A given length counts from now on. */
  used(keepAliveMs?: number): void;
}

/**
 * @param unload called once after each time in which nothing ran; with a length of 0 it is called after each
 *   run
 */
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
