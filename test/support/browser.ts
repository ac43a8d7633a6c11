/** Real Chromium, where the machine has one. */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { patient } from './machine-pace.ts';

const places = [
  process.env.CHROMIUM_PATH,
  // The same browser without windows: it starts in half the time with a third of the processor time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const chromiumPath = places.find((place) => place !== undefined && existsSync(place));

/**
 * Chromium's own user interface, which it loads before anybody asks for it: 0.8 s of processor time each start. Of
 * several lists of features the last one counts, so Playwright's own stand here too, as far as they touch this page.
 */
const disabledFeatures = [
  'PreloadTopChromeWebUI',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

const startLimitMs = patient(30_000);
const endLimitMs = patient(10_000);
/** Process ids of Chromium by browser: one that hangs can only be killed. */
const open = new Map<Browser, number>();

/**
 * Starts a Chromium that uses no network but the service's. One that has not started in time is started once more,
 * on another fresh profile.
 */
export async function launchBrowser(): Promise<Browser> {
  const browser = await start().catch(start);
  const { processInfo } = await (
    await browser.newBrowserCDPSession()
  ).send('SystemInfo.getProcessInfo');
  const { id = 0 } = processInfo.find(({ type }) => type === 'browser') ?? {};
  open.set(browser, id);
  browser.once('disconnected', () => open.delete(browser));
  return browser;
}

const start = (): Promise<Browser> =>
  chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    timeout: startLimitMs,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${disabledFeatures.join(',')}`,
      '--no-first-run',
    ],
  });

/** Closes it, or kills it when it does not answer. */
export async function closeBrowser(browser: Browser): Promise<void> {
  const pid = open.get(browser);
  const late = setTimeout(() => {
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  }, endLimitMs);
  await browser.close();
  clearTimeout(late);
}

/** Kills the browsers that this file has open: what waits for one of them fails at once. @returns how many */
export function killBrowsers(): number {
  for (const pid of open.values()) process.kill(pid, 'SIGKILL');
  return open.size;
}
