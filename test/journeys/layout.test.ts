/**
 * The layout in every language: nothing over each other, nothing cut off, and no scrolling to the side at 200 %
 * zoom and in a narrow window (WCAG 1.4.10), in real Chromium. Every language has a page of its own over one service,
 * from which the tasks, photos and choices of the page before are taken.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Size } from '../../packages/contract/src/geometry.ts';
import type { Settings } from '../../packages/contract/src/settings/settings.ts';
import type { AddedPhotos } from '../../packages/contract/src/photo.ts';
import type { TaskList } from '../../packages/contract/src/task.ts';
import type { Language } from '../../renderer/text/language.ts';
import { closeBrowser, chromiumPath, launchBrowser } from '../support/browser.ts';
import { pageWaitMs } from '../support/journey-limits.ts';
import { findLayoutFaults } from '../support/layout.ts';
import { remover, startMadeService, upscaler } from '../support/made-service.ts';
import { brokenFile, chooseFiles, mixedFiles } from '../support/page-files.ts';
import { root, startProgram } from '../support/program.ts';
import type { TestService } from '../support/service.ts';

const folder = path.join(root, 'renderer/text/languages');
const tags = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -'.ts'.length));
const textsOf = async (tag: string) => {
  const file = pathToFileURL(path.join(folder, `${tag}.ts`)).href;
  return ((await import(file)) as { default: Language }).default.texts;
};
const wide = (width: number) => ({ width, height: 700 });
const narrowest = wide(1024);
const usual = { width: 1440, height: 900 };
/** One language in three is looked at in each, and all of them in the narrowest, the usual and the zoomed windows. */
const otherWidths = [1280, 1366, 1920];
/** 1440 x 900 and 1024 x 768 at 200 %. */
const zoomed = [
  { width: 720, height: 450 },
  { width: 512, height: 384 },
];
const sizesOf = (tag: string) => {
  const other = otherWidths[tags.indexOf(tag) % otherWidths.length]!;
  return [narrowest, wide(other), wide(usual.width), ...zoomed];
};
/** Leaves the photo less room than a page whose parts stand one under the other. */
const cramped = { width: 900, height: 700 };
/** Of what only the narrowest window of the wide ones could cramp. */
const narrowSizes = [narrowest, ...zoomed];
/** Sentences that do not fit where a row says why its photo failed, in the narrowest list. */
async function cutReasons(page: Page, reasons: readonly string[]): Promise<string[]> {
  await page.setViewportSize(narrowest);
  await page.evaluate(twoFrames);
  const reason = page.locator('[role=option] .state.failure');
  const [own] = await reason.allTextContents();
  const cut = await page.evaluate<string[]>(`${JSON.stringify([...reasons])}.filter((words) => {
    const reason = document.querySelector('[role=option] .state.failure');
    reason.firstElementChild.textContent = words;
    return reason.scrollHeight > reason.clientHeight + 1 || reason.scrollWidth > reason.clientWidth;
  })`);
  await page.evaluate(
    `document.querySelector('[role=option] .state.failure').firstElementChild.textContent = ${JSON.stringify(own)}`,
  );
  return cut;
}
/** Words of the two next steps that take a second line in a window 1366 px wide, as laptops have. */
async function wrappedSteps(page: Page): Promise<string[]> {
  await page.setViewportSize(wide(1366));
  await page.evaluate(twoFrames);
  return page.evaluate<string[]>(`(() => {
    const words = [...document.querySelectorAll('.steps button')].map(({ firstChild }) => firstChild);
    const own = words.map(({ data }) => data);
    const show = (pair) => pair.forEach((each, index) => (words[index].data = each));
    const wrapped = [['Start 14 photos', 'Save 14 photos'], ['Start 2 selected', 'Save 14 photos']].flatMap((pair) => {
      show(pair);
      const range = document.createRange();
      return words.filter((word) => {
        range.selectNodeContents(word);
        return range.getClientRects().length > 1;
      }).map(({ data }) => data);
    });
    show(own);
    return wrapped;
  })()`);
}
/**
 * In the narrowest window: tabs that change the height of their dialog, code that is cut off, a shortcut that is
 * squeezed into many lines, and actions under the list that do not look like buttons, or take more than two lines.
 */
async function dialogFaults(page: Page): Promise<string[]> {
  await page.setViewportSize(narrowest);
  const dialog = page.getByRole('dialog');
  const heights = new Set<number>();
  const faults: string[] = [];
  for (const tab of await dialog.getByRole('tab').all()) {
    await tab.click();
    heights.add((await dialog.boundingBox())?.height ?? 0);
    faults.push(
      ...(await page.evaluate<string[]>(
        `[...document.querySelectorAll('[role=dialog] pre')]
          .filter((code) => code.scrollWidth > code.clientWidth).map((code) => 'cut: ' + code.textContent)`,
      )),
    );
  }
  if (heights.size > 1) faults.push(`heights of the tabs: ${[...heights].join(', ')}`);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await dialog.locator('dt').first().waitFor();
  const rest = await page.evaluate<string[]>(`[
    ...[...document.querySelectorAll('[role=dialog] dt')]
      .filter((words) => words.offsetHeight > 60).map((words) => 'squeezed: ' + words.textContent),
    ...[...document.querySelectorAll('section > footer button')]
      .filter((button) => getComputedStyle(button).borderTopColor === 'rgba(0, 0, 0, 0)')
      .map((button) => 'no button: ' + button.textContent),
    ...[new Set([...document.querySelectorAll('section > footer button')].map((one) => one.offsetTop)).size]
      .filter((rows) => rows > 1).map((rows) => 'rows of buttons: ' + rows),
  ]`);
  return [...faults, ...rest];
}

/** What moves in the narrowest window, or takes a second row, when a result is accepted. */
async function barFaults(page: Page, texts: Language['texts']): Promise<string[]> {
  await page.setViewportSize(narrowest);
  await page.getByRole('option', { name: /photo-00/ }).click();
  const bar = page.getByRole('toolbar', { name: texts.resultActions });
  const accept = bar.getByRole('button', { name: texts.accept, exact: true });
  const places = async () => JSON.stringify([await bar.boundingBox(), await accept.boundingBox()]);
  const before = await places();
  await accept.click();
  await page.getByTitle(texts.markAccepted, { exact: true }).first().waitFor();
  const after = await places();
  const cut = await page.evaluate<string[]>(
    `[document.querySelector('[role=toolbar].bar')].filter((bar) => bar.scrollWidth > bar.clientWidth)
      .map((bar) => 'the bar is ' + bar.scrollWidth + ' px')`,
  );
  const moved = before === after ? [] : [`moved: ${before} ${after}`];
  return [...cut, ...moved];
}

/** The layout follows the window's size by ResizeObserver, within two frames. */
const twoFrames =
  'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

describe.skipIf(chromiumPath === undefined)('the layout (needs Chromium)', () => {
  let browser: Browser;
  let service: TestService;
  let settings: Settings;

  beforeAll(async () => {
    // Any of our programs builds first what is missing or old.
    const launcher = path.join(root, 'electron/launch.mjs');
    expect((await startProgram(process.execPath, [launcher, 'cli', '--help']).ended).code).toBe(0);
    browser = await launchBrowser();
    const pageDir = path.join(root, 'out/renderer');
    service = await startMadeService([upscaler('Natural'), remover], { pageDir });
    settings = (await service.call('GET', '/api/settings')).body as Settings;
  });
  afterAll(async () => {
    await closeBrowser(browser);
    await service.close();
  });

  async function cleanUp(): Promise<void> {
    for (const { taskId } of await tasks())
      await service.call('DELETE', `/api/task/${taskId}?now=true`);
    const { photos } = (await service.call('GET', '/api/photos')).body as AddedPhotos;
    await service.call('POST', '/api/photos/drop', { photos: photos.map(({ photo }) => photo) });
    await service.call('PATCH', '/api/settings', { page: settings.page });
  }

  const tasks = async () => ((await service.call('GET', '/api/tasks')).body as TaskList).tasks;

  async function openIn(language: string): Promise<Page> {
    const context = await browser.newContext({ locale: language, reducedMotion: 'reduce' });
    onTestFinished(async () => {
      await context.close();
      await cleanUp();
    });
    const page = await context.newPage();
    page.setDefaultTimeout(pageWaitMs());
    await page.addInitScript(`sessionStorage.setItem('enlarger.key', '${service.key}')`);
    await page.setViewportSize(usual);
    await page.goto(service.url);
    // Boxes are looked at, not pixels: none are drawn.
    await page.evaluate("document.documentElement.style.opacity = '0'");
    await page.locator('#add-photos').waitFor();
    return page;
  }

  async function runBatch(page: Page): Promise<void> {
    const photos = await mixedFiles(3);
    await chooseFiles(page, () => page.locator('#add-photos').click(), photos);
    await page.locator('aside .predicted, aside button.main').first().waitFor();
    // A page that sees no more than the end of a quick batch shows no card of it.
    await service.call('POST', '/api/queue/pause');
    await page.locator('aside button.main').click();
    await expect.poll(async () => (await tasks()).length).toBe(photos.length);
    await expect.poll(() => page.locator('[role=option]').count()).toBe(photos.length);
    await service.call('POST', '/api/queue/resume');
    await page.locator('.steps').waitFor();
  }

  it.each(tags)('fits in %s', async (language) => {
    const page = await openIn(language);
    const texts = await textsOf(language);
    const faults: string[] = [];
    const everySize = sizesOf(language);
    const look = async (state: string, sizes = everySize) =>
      faults.push(...(await faultsOf(page, state, sizes)));
    expect(await page.evaluate('document.documentElement.lang')).toBe(language);
    await look('empty');
    await runBatch(page);
    await look('done', [cramped, ...everySize]);
    expect(await barFaults(page, texts)).toEqual([]);
    await look('accepted', narrowSizes);
    // Not one of the batch, whose copies a message over the page would name.
    const other = (await mixedFiles(8)).at(-1)!;
    const added = [{ ...other, name: 'waiting.jpg' }, brokenFile('torn.jpg')];
    await chooseFiles(page, () => page.locator('#add-photos').click(), added);
    await page.locator('aside .problem summary').waitFor();
    await page.locator('aside fieldset label').nth(1).click();
    expect(await cutReasons(page, Object.values(texts.failures))).toEqual([]);
    await page.locator('details.more > summary').click();
    await look('added, cut out, more options');
    if (language === 'en') expect(await wrappedSteps(page)).toEqual([]);
    await page
      .getByRole('option', { name: /photo-00/ })
      .first()
      .click();
    await page.keyboard.press('g');
    await page.locator('.grid').waitFor();
    await look('review');
    await page.keyboard.press('g');
    await page.getByRole('banner').getByRole('button', { name: texts.menu, exact: true }).click();
    await page.getByRole('menuitem', { name: texts.connect }).click();
    await page.getByRole('dialog').getByText(texts.compat, { exact: true }).click();
    // In all wider windows it is as wide.
    await look('dialog', narrowSizes);
    expect(await dialogFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});

/** In windows of these sizes; it leaves the page in the usual one. */
async function faultsOf(page: Page, state: string, sizes: readonly Size[]): Promise<string[]> {
  const faults: string[] = [];
  for (const size of sizes) {
    await page.setViewportSize(size);
    await page.evaluate(twoFrames);
    const found = await findLayoutFaults(page);
    faults.push(...found.map((fault) => `${state}, ${size.width} px: ${fault}`));
  }
  await page.setViewportSize(usual);
  return faults;
}
