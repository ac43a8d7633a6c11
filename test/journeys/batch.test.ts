/** Thirty photos through the page and a kill of the service, in real Chromium over the real service. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { brokenFile, dropFiles, mixedFiles, type PageFile } from '../support/page-files.ts';
import { showMoreOptions } from '../support/page-menus.ts';
import { askAsPage, pauseQueue, type OpenPage } from '../support/page.ts';
import { withPage } from '../support/with-page.ts';
import { patient } from '../support/machine-pace.ts';
import { chooseForAll, filterCount } from '../support/page-menus.ts';

describe.skipIf(chromiumPath === undefined)('a batch on the page (needs Chromium)', () => {
  let open: OpenPage;
  let page: Page;
  withPage((opened) => ({ page } = open = opened), { networks: 'quick' });

  const row = (name: RegExp) => page.getByRole('option', { name });

  it('shows all dropped files at once and says which cannot be read', async () => {
    await page.getByRole('heading', { name: 'Drop photos here' }).waitFor();
    const size = page.getByRole('combobox', { name: 'Size', exact: true });
    await size.selectOption('For print');
    await page.getByText('That side becomes 3,543 pixels.').waitFor();
    await size.selectOption('By scale');
    await dropFiles(page, [...(await mixedFiles(28)), brokenFile('x1.jpg'), brokenFile('x2.jpg')]);
    await expect.poll(() => filterCount(page, 'All')).toBe(30);
    await page.getByText('2 photos cannot be started').waitFor();
    await page.getByRole('button', { name: 'Start 28 photos' }).waitFor();
    await page.getByText('of results').waitFor();
    await page.getByRole('searchbox').fill('x1');
    await row(/x1\.jpg Not a picture that can be read/).waitFor();
    await page.getByRole('searchbox').fill('');
    // The list stays at the photo that the search found, once all are listed again.
    await row(/x2\.jpg/).waitFor();
    await page.getByRole('listbox').press('Home');
  });

  it('lets one row differ from the rest', async () => {
    await row(/photo-03\.tif/).click();
    await page.getByText('For the selected photo.').waitFor();
    await page.getByText('4×', { exact: true }).first().click();
    await row(/photo-03\.tif 172 × 120/).waitFor();
    await row(/photo-01\.png 82 × 60/).waitFor();
    await page.getByRole('button', { name: 'Start 1 selected' }).waitFor();
  });

  it('says how large both sides become on paper', async () => {
    const size = page.getByRole('combobox', { name: 'Size', exact: true });
    await size.selectOption('For print');
    // 43 x 30 pixels.
    await page.getByLabel('Length').fill('43');
    await page.getByLabel('Length').press('Enter');
    await page.getByText('43 × 30 cm · The photo has').waitFor();
    await page.getByLabel('Side').selectOption('Short edge');
    await page.getByLabel('Length').fill('60');
    await page.getByLabel('Length').press('Enter');
    await page.getByText('86 × 60 cm · The photo has').waitFor();
    await page.getByLabel('Side').selectOption('Long edge');
    const paper = page.getByLabel('Paper');
    await paper.selectOption('30 × 40 cm');
    const over =
      '43 × 30 cm: 3 cm more than the paper on one side. The file keeps the whole photo;';
    await page.getByText(over).waitFor();
    expect(await page.getByLabel('Length').count()).toBe(0);
    await showMoreOptions(page);
    // With more pixels the result of this photo would be too large.
    const resolution = page.getByLabel('Resolution (ppi)');
    await resolution.fill('10');
    await resolution.press('Enter');
    await page.getByText(/photo-\d+-42\.9x30cm\./).waitFor();
    await resolution.fill('300');
    await resolution.press('Enter');
    await resolution.fill('');
    await resolution.press('Enter');
    expect(await resolution.inputValue()).toBe('300');
    await paper.selectOption('Another size');
    await size.selectOption('By scale');
  });

  it('starts paused and takes another order by mouse and by keys', async () => {
    await pauseQueue(page);
    await page.getByRole('button', { name: 'Start 28 photos' }).click();
    await row(/photo-04\.gif Waiting, no\. 5/).waitFor();
    await expect.poll(() => waitingNames(page), { timeout: patient(30_000) }).toHaveLength(28);
    await row(/photo-04\.gif/).dragTo(row(/photo-01\.png/), { targetPosition: { x: 60, y: 6 } });
    await row(/photo-04\.gif Waiting, no\. 2/).waitFor();
    await row(/photo-02\.webp/).click();
    await page.getByRole('listbox').press('Alt+ArrowUp');
    await row(/photo-02\.webp Waiting, no\. 3/).waitFor();
    await expect
      .poll(async () => (await waitingNames(page)).slice(0, 4))
      .toEqual(['photo-00.jpg', 'photo-04.gif', 'photo-02.webp', 'photo-01.png']);
  });

  it('changes what a waiting one is to become', async () => {
    await row(/photo-05\.bmp/).click();
    await page.getByText('8×', { exact: true }).first().click();
    await expect.poll(async () => (await taskOf(page, 'photo-05.bmp'))?.options.scale).toBe(8);
  });

  it('goes on after a kill of the service, once its new link is opened', async () => {
    const pictures = /\/api\/results\/[^/]+\/(image|thumb)\./;
    await page.route(pictures, (route) => route.abort('connectionreset'));
    await page.getByRole('button', { name: 'Resume queue' }).click();
    await expect
      .poll(() => filterCount(page, 'Done'), { timeout: journeyWaitMs() })
      .toBeGreaterThan(3);
    await pauseQueue(page);
    // The picture of the photo that is open is asked for again behind the restart.
    await page.getByText('The result expired').waitFor();
    const small = page.locator('[role=option] img').first();
    await expect.poll(() => small.getAttribute('src')).toMatch(/^blob:/);
    expect(await filterCount(page, 'Done')).toBeLessThan(28);
    await page.getByRole('button', { name: 'Resume queue' }).click();
    await page.getByRole('button', { name: 'Pause queue' }).waitFor();
    const pageUrl = await open.restart('SIGKILL');
    await page.unroute(pictures);
    await page.getByRole('heading', { name: 'Enlarger was restarted' }).waitFor();
    await page.goto(pageUrl);
    await expect.poll(() => filterCount(page, 'Done'), { timeout: 2 * journeyWaitMs() }).toBe(28);
    // Two cannot be started, as the page asks anew; no other one failed.
    await expect.poll(() => filterCount(page, 'Failed'), { timeout: patient(30_000) }).toBe(2);
    await page.getByText('Nothing is running: 28 done and 2 photos cannot be started.').waitFor();
    // So are small ones, in whose place their sources were shown.
    await expect.poll(() => small.getAttribute('src')).toMatch(/\/thumb\./);
  });

  it('compares and saves what came out', async () => {
    await page.getByRole('searchbox').fill('photo-05');
    // Its row is elsewhere once the others are gone.
    await expect.poll(() => row(/photo-/).count()).toBe(1);
    await row(/photo-05\.bmp 360 × 240/).click();
    await page.getByRole('img', { name: 'After: photo-05.bmp' }).waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save', exact: true }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('photo-05-8x.png');
    const { width, height } = await sharp(await readFile(await saved.path())).metadata();
    expect([width, height]).toEqual([360, 240]);
    await page.getByRole('searchbox').fill('');
  });

  it('takes back the removal of all that is done, though requests are lost meanwhile', async () => {
    await page.getByText('27 photos are not saved; ').waitFor();
    await chooseForAll(page, 'Remove finished from list');
    await page.getByText('27 photos are not saved yet.').waitFor();
    await page.getByRole('button', { name: 'Remove anyway' }).click();
    await page.getByText('27 of them were not saved.').waitFor();
    await page.getByText('28 photos removed.').waitFor();
    await expect.poll(() => filterCount(page, 'Done')).toBe(0);
    const lost = new Set<string>();
    await page.route('**/restore', async (route) => {
      const url = route.request().url();
      if (lost.has(url) || lost.size === 8) return route.continue();
      lost.add(url);
      // Of every other one only the answer is lost.
      if (lost.size % 2 === 0) await route.fetch();
      await route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => filterCount(page, 'Done'), { timeout: patient(30_000) }).toBe(28);
    expect(lost.size).toBe(8);
    await page.unroute('**/restore');
  });

  it('lets photos be changed that are still being sent, and does not call them begun', async () => {
    await pauseQueue(page);
    const held = {
      uploads: Promise.withResolvers<undefined>(),
      submits: Promise.withResolvers<undefined>(),
    };
    await page.route('**/api/uploads?*', async (route) => {
      await held.uploads.promise;
      await route.continue();
    });
    const submitted = page.waitForRequest('**/api/image-upscaler');
    await page.route('**/api/image-upscaler', async (route) => {
      await held.submits.promise;
      await route.continue();
    });
    const [first, second] = (await mixedFiles(30)).slice(28) as [PageFile, PageFile];
    await dropFiles(page, [first, second]);
    await page.getByRole('button', { name: 'Start 2 photos' }).click();
    await row(/photo-28\.jpg Reading/).waitFor();
    await page.getByText('For the 2 selected photos.').waitFor();
    await page.getByText('4×', { exact: true }).first().click();
    held.uploads.resolve(undefined);
    expect((await submitted).postDataJSON()).toMatchObject({ scale: 4 });
    // The request of the first has gone: what is changed now is sent after it.
    await row(/photo-28\.jpg/).click();
    await page.getByText('8×', { exact: true }).first().click();
    held.submits.resolve(undefined);
    const scaleOf = async ({ name }: PageFile) => (await taskOf(page, name))?.options.scale;
    await expect.poll(() => scaleOf(first), { timeout: patient(30_000) }).toBe(8);
    await expect.poll(() => scaleOf(second), { timeout: patient(30_000) }).toBe(4);
  });

  it('names one destination while some photos are sent and others are not yet', async () => {
    await page.unrouteAll();
    const held = Promise.withResolvers<undefined>();
    let submits = 0;
    await page.route('**/api/image-upscaler', async (route) => {
      submits += 1;
      if (submits > 1) await held.promise;
      await route.continue();
    });
    const [first, second] = (await mixedFiles(32)).slice(30) as [PageFile, PageFile];
    await dropFiles(page, [first, second]);
    await page.getByRole('button', { name: 'Start 2 photos' }).click();
    await expect.poll(() => taskOf(page, first.name)).toBeDefined();
    await row(/photo-30\.webp Waiting, no/).waitFor();
    await page.getByText('For the 2 selected photos.').waitFor();
    const chosen = page.getByLabel('Results go to').locator('option:checked');
    expect(await chosen.textContent()).toBe('Save later, within 24 hours');
    held.resolve(undefined);
    await row(/photo-31\.\w+ Waiting, no/).waitFor();
  });
});

interface Listed {
  source: { name: string };
  place?: number;
  options: { scale?: number };
}

/** As the service has them. */
async function tasksOf(page: Page): Promise<Listed[]> {
  return (await askAsPage<{ tasks: Listed[] }>(page, '/api/tasks?limit=500')).tasks;
}

async function taskOf(page: Page, name: string): Promise<Listed | undefined> {
  return (await tasksOf(page)).find(({ source }) => source.name === name);
}

async function waitingNames(page: Page): Promise<string[]> {
  const waiting = (await tasksOf(page)).filter(({ place }) => place !== undefined);
  return waiting
    .sort((left, right) => (left.place ?? 0) - (right.place ?? 0))
    .map(({ source }) => source.name);
}
