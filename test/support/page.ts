/** The built service with its page open in a browser. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { Value } from 'typebox/value';
import { StartLine } from '../../packages/contract/src/settings/settings.ts';
import { closeBrowser, launchBrowser } from './browser.ts';
import { root, startProgram, type Running } from './program.ts';
import { measuredDataFolder } from './measured-data.ts';
import { pageWaitMs } from './journey-limits.ts';
import { prepareQuickInstallation, quickService } from './quick-installation.ts';

export interface OpenPage {
  page: Page;
  line: StartLine;
  /** What the page said as an error, and answers of 400 or more. */
  complaints: string[];
  /**
   * Ends the service, in order or by a kill, and starts it again on the same data folder and port.
   * Answers the new link of the page.
   */
  restart(signal?: 'SIGTERM' | 'SIGKILL'): Promise<string>;
  /** Ends the service; `begin` starts it again as restart does. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  begin(): Promise<string>;
  close(): Promise<void>;
}

export interface PageOptions {
  locale?: string;
  /** Further arguments of the service. */
  more?: readonly string[];
  /** Those that ship, or upscalers that only repeat pixels. */
  networks?: 'shipped' | 'quick';
}

export async function openPage({
  locale = 'en-GB',
  more = [],
  networks = 'shipped',
}: PageOptions = {}): Promise<OpenPage> {
  const isQuick = networks === 'quick';
  const dataDir = isQuick ? await prepareQuickInstallation() : await measuredDataFolder();
  const serve = (port: number) =>
    startProgram(process.execPath, [
      ...(isQuick ? quickService : [path.join(root, 'electron/launch.mjs'), 'serve']),
      ...['--port', String(port), '--data-dir', dataDir, ...more],
    ]);
  let service = serve(0);
  const line = Value.Parse(StartLine, JSON.parse(await service.firstLine));
  const browser = await launchBrowser();
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: 'dark',
    locale,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(pageWaitMs());
  const complaints = listen(page);
  await page.goto(line.pageUrl);
  const stop: OpenPage['stop'] = (signal = 'SIGTERM') => end(service, signal);
  const begin = async () => {
    service = serve(Number(new URL(line.url).port));
    return Value.Parse(StartLine, JSON.parse(await service.firstLine)).pageUrl;
  };
  return {
    page,
    line,
    complaints,
    stop,
    begin,
    restart: async (signal) => {
      await stop(signal);
      return begin();
    },
    close: () => closeAll(browser, service, dataDir),
  };
}

/** Loads the page as in a browser that shows no dialog for folders. */
export async function withoutFolderDialog(page: Page): Promise<void> {
  const isReady = () => page.getByRole('button', { name: 'Add photos' }).waitFor();
  await page.addInitScript('delete window.showDirectoryPicker');
  await isReady();
  await page.reload();
  await isReady();
}

/** As a person does, who sees the page before they press a key, and that it is paused before they go on. */
export async function pauseQueue(page: Page): Promise<void> {
  // Keys work from when the page shows its controls, which is after the browser's `load`.
  await page.getByRole('button', { name: 'Add photos' }).waitFor();
  await page.keyboard.press('p');
  await page.getByRole('button', { name: 'Resume queue' }).waitFor();
}

/** What the service answers the page's own key. */
export function askAsPage<T>(page: Page, route: string): Promise<T> {
  return page.evaluate(async (asked) => {
    const key = sessionStorage.getItem('enlarger.key');
    const answer = await fetch(asked, { headers: { authorization: `KEY ${key}` } });
    return (await answer.json()) as T;
  }, route);
}

/** The page may ask for the size of a photo whose upload went with its finished task that moment. */
const isGone = (complaint: string) => /^404 .*\/tiles\/source$/.test(complaint);

function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  // With a listener from the start, no dialog opens before a test's own waits for it.
  page.on('filechooser', () => undefined);
  page.on('response', (response) => {
    const complaint = `${response.status()} ${response.url()}`;
    if (response.status() >= 400 && !isGone(complaint)) complaints.push(complaint);
  });
  return complaints;
}

async function end(service: Running, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  service.child.kill(signal);
  await service.ended;
}

async function closeAll(browser: Browser, service: Running, dataDir: string): Promise<void> {
  await closeBrowser(browser);
  await end(service);
  await rm(dataDir, { recursive: true, force: true });
}
