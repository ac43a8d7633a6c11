import { describe, expect, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { chromiumPath, closeBrowser, killBrowser, launchBrowser } from './browser.ts';
import { hasTimedOut } from './journey-limits.ts';

/** How something fails. */
const failureOf = (action: () => Promise<unknown>): Promise<Error> =>
  action().then(
    () => Promise.reject(new Error('It did not fail.')),
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );

describe('a step of a journey that failed', () => {
  it('has waited in vain where a value did not come', async () => {
    const poll = () => expect.poll(() => 1, { timeout: 30, interval: 10 }).toBe(2);
    expect(hasTimedOut([await failureOf(poll)])).toBe(true);
  });

  it('has not where a value was wrong', async () => {
    const compare = () => Promise.resolve().then(() => expect(1).toBe(2));
    expect(hasTimedOut([await failureOf(compare)])).toBe(false);
    expect(hasTimedOut()).toBe(false);
  });
});

describe.skipIf(chromiumPath === undefined)('a browser of a journey (needs Chromium)', () => {
  const openPage = async (browser: Browser) => (await browser.newContext()).newPage();

  it('fails what waits in it when it is killed at the limit of the file', async () => {
    const page = await openPage(await launchBrowser());
    const waited = failureOf(() => page.getByText('never').waitFor({ timeout: 60_000 }));
    expect(killBrowser()).toBe(true);
    expect(hasTimedOut([await waited])).toBe(true);
    expect(killBrowser()).toBe(false);
  });

  it('ends where its page hangs, and fails what waited for less', async () => {
    const browser = await launchBrowser();
    const page = await openPage(browser);
    const hangs = failureOf(() => page.evaluate('for (;;);'));
    const waited = failureOf(() => page.getByText('never').waitFor({ timeout: 500 }));
    expect(hasTimedOut([await waited])).toBe(true);
    await closeBrowser(browser);
    expect(hasTimedOut([await hangs])).toBe(true);
  });
});
