/** One opening of a page for tests that bring their own service. */
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { closeBrowser, launchBrowser } from './browser.ts';

/** A page of a browser of its own, at this address, as long as the test runs. */
export async function openAddress(url: string): Promise<Page> {
  const browser = await launchBrowser();
  onTestFinished(() => closeBrowser(browser));
  const page = await browser.newPage();
  await page.goto(url);
  return page;
}
