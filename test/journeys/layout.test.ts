/**
 * The layout in every language: nothing over each other, nothing cut off, and no scrolling to the side at 200 %
 * zoom and in a narrow window (WCAG 1.4.10), in real Chromium.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchBrowser } from '../support/browser.ts';
import { findLayoutFaults } from '../support/layout.ts';
import { remover, startMadeService, upscaler } from '../support/made-service.ts';
import { brokenFile, chooseFiles, mixedFiles } from '../support/page-files.ts';
import { root, startProgram } from '../support/program.ts';
import type { TestService } from '../support/service.ts';

const languages = readdirSync(path.join(root, 'renderer/text/languages'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -'.ts'.length));
const wide = [1024, 1280, 1366, 1440, 1920].map((width) => ({ width, height: 700 }));
/** 1440 x 900 and 1024 x 768 at 200 %. */
const zoomed = [
  { width: 720, height: 450 },
  { width: 512, height: 384 },
];

describe.skipIf(chromiumPath === undefined)('the layout (needs Chromium)', () => {
  let service: TestService;
  let browser: Browser;
  beforeAll(async () => {
    // Any of our programs builds first what is missing or old.
    const launcher = path.join(root, 'electron/launch.mjs');
    expect((await startProgram(process.execPath, [launcher, 'cli', '--help']).ended).code).toBe(0);
    const pageDir = path.join(root, 'out/renderer');
    service = await startMadeService([upscaler('Natural'), remover], { pageDir });
    browser = await launchBrowser();
  }, 300_000);
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  async function openIn(language: string): Promise<Page> {
    const page = await (await browser.newContext({ locale: language })).newPage();
    page.setDefaultTimeout(120_000);
    await page.addInitScript(`sessionStorage.setItem('enlarger.key', '${service.key}')`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(service.url);
    await page.locator('#add-photos').waitFor();
    return page;
  }

  async function faultsOf(page: Page, state: string): Promise<string[]> {
    const faults: string[] = [];
    for (const size of [...wide, ...zoomed]) {
      await page.setViewportSize(size);
      await page.waitForTimeout(150);
      const found = await findLayoutFaults(page);
      faults.push(...found.map((fault) => `${state}, ${size.width} px: ${fault}`));
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    return faults;
  }

  it.each(languages)(
    'fits in %s',
    async (language) => {
      const page = await openIn(language);
      expect(await page.evaluate('document.documentElement.lang')).toMatch(
        new RegExp(`^${language}`),
      );
      const faults = await faultsOf(page, 'empty');
      const photos = [...(await mixedFiles(3)), brokenFile('torn.jpg')];
      await chooseFiles(page, () => page.locator('#add-photos').click(), photos);
      await page
        .getByRole('option', { name: /torn\.jpg/ })
        .first()
        .waitFor();
      await page.locator('aside .problem summary').waitFor();
      faults.push(...(await faultsOf(page, 'added')));
      await page.locator('aside button.main').click();
      await page.getByRole('main').locator('.steps').waitFor();
      faults.push(...(await faultsOf(page, 'done')));
      await page.locator('details.more > summary').click();
      faults.push(...(await faultsOf(page, 'more options')));
      await page.locator('details.more > summary').click();
      await page
        .getByRole('option', { name: /photo-00/ })
        .first()
        .click();
      await page.locator('aside fieldset label').nth(1).click();
      faults.push(...(await faultsOf(page, 'cut out')));
      await page.keyboard.press('q');
      await page.keyboard.press('g');
      await page.locator('.grid').waitFor();
      faults.push(...(await faultsOf(page, 'review')));
      await page.keyboard.press('g');
      expect(faults).toEqual([]);
      await page.keyboard.press('q');
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page.locator('#add-photos.main').waitFor();
      await page.context().close();
    },
    400_000,
  );
});
