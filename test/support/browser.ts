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
 * Chromium's own user interface, which it loads before anybody asks for it: 0.8 s of processor time each start, and as
 * much for each page, whose window has an address bar with suggestions. Of several lists of features the last one
 * counts, so Playwright's own stand here too, as far as they touch this page.
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
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

const startLimitMs = patient(30_000);
const endLimitMs = patient(10_000);
/**
 * The browser of this process, for one file after the other: a start takes a second of processor time. It ends with
 * the process, which closes its pipe.
 */
let running: { browser: Browser; pid: number } | undefined;

/**
 * Starts a Chromium that uses no network but the service's, where this process has none. One that has not started in
 * time is started once more, on another fresh profile.
 */
export async function launchBrowser(): Promise<Browser> {
  if (running) return running.browser;
  const browser = await start().catch(start);
  const { processInfo } = await (
    await browser.newBrowserCDPSession()
  ).send('SystemInfo.getProcessInfo');
  const { id: pid = 0 } = processInfo.find(({ type }) => type === 'browser') ?? {};
  running = { browser, pid };
  browser.once('disconnected', () => {
    if (running?.browser === browser) running = undefined;
  });
  return browser;
}

const start = (): Promise<Browser> =>
  chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    timeout: startLimitMs,
    // A process of tests ends at the signal, as it does without a browser.
    handleSIGTERM: false,
    args: [
      '--no-sandbox',
      // Without a graphics card its process would draw by software: 7 % of a journey's processor time.
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${disabledFeatures.join(',')}`,
      '--no-first-run',
    ],
  });

/**
 * Closes it, in a run of tests its pages alone: the next file of the process has the same browser. It is killed when
 * it does not answer.
 */
export async function closeBrowser(browser: Browser): Promise<void> {
  const late = setTimeout(killBrowser, endLimitMs);
  try {
    if (process.env.TEST_RUN === undefined) await browser.close();
    else await Promise.all(browser.contexts().map((context) => context.close()));
  } catch (error) {
    // One that was killed has no pages any more.
    if (browser.isConnected()) throw error;
  } finally {
    clearTimeout(late);
  }
}

/** Kills the browser: what waits for it fails at once. @returns whether there was one */
export function killBrowser(): boolean {
  if (!running) return false;
  process.kill(running.pid, 'SIGKILL');
  running = undefined;
  return true;
}
