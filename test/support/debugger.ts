import { once } from 'node:events';
import type { Browser } from 'playwright-core';

/**
 * Quits an application over the debugging port of its page. The application may be gone before it has responded
 * (Electron 33 and 45 are), which rejects the call: that the port closes is what counts, and the exit code.
 */
export async function closeByDebugger(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  const closed = once(browser as unknown as NodeJS.EventEmitter, 'disconnected');
  await Promise.allSettled([session.send('Browser.close')]);
  await closed;
}
