/** Trying a place before the whole photo, and taking results, in real Chromium over the real service. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { findBarriers, findBarriersInBoth } from '../support/axe.ts';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { chooseFiles } from '../support/page-files.ts';
import { chooseForAll } from '../support/page-menus.ts';
import { pauseQueue, type OpenPage } from '../support/page.ts';
import { smallJpeg } from '../support/pictures.ts';
import { namesInZip } from '../support/zip.ts';
import { widthOf } from '../support/stage.ts';
import { withPage } from '../support/with-page.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { patient } from '../support/machine-pace.ts';

const soon = { timeout: patient(30_000) };

describe.skipIf(chromiumPath === undefined)('trying and taking (needs Chromium)', () => {
  let open: OpenPage;
  let page: Page;
  withPage(
    async (opened) => {
      ({ page } = open = opened);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    },
    { networks: 'quick' },
  );

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const row = (name: RegExp) => page.getByRole('option', { name });
  const trial = () => page.getByRole('region', { name: 'Try here' });
  const naturalWidth = (name: string) => widthOf(trial().getByRole('img', { name }));

  it('tries the models on a place of a photo that was not started', async () => {
    const buffer = await smallJpeg(700, 500);
    const file = { name: 'hill.jpg', mimeType: 'image/jpeg', buffer };
    await chooseFiles(page, () => button('Add photos').click(), [file]);
    await button('Try here').and(page.locator(':enabled')).waitFor();
    await page.keyboard.press('t');
    await page.getByRole('group', { name: 'hill.jpg' }).click();
    await expect.poll(() => naturalWidth('Faithful'), { timeout: journeyWaitMs() }).toBe(512);
    await expect.poll(() => naturalWidth('Before'), soon).toBe(256);
    // Where five pictures leave it no room, the time is not shown.
    await trial()
      .getByText(/\d sec/)
      .first()
      .waitFor({ state: 'attached' });
    await trial().getByText('4×').click();
    await expect.poll(() => naturalWidth('Faithful'), { timeout: journeyWaitMs() }).toBe(1024);
    expect(await findBarriersInBoth(page)).toEqual([]);
  });

  it('takes a model and scale that were liked, and leaves the trial', async () => {
    await button('Use: Faithful').click();
    await row(/hill\.jpg 2800 × 2000/).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => trial().count(), soon).toBe(0);
  });

  it('tries again by keyboard on a photo that was enlarged', async () => {
    await page.getByText('2×', { exact: true }).first().click();
    await button(/^Start 1 photo/).click();
    await row(/hill\.jpg 1400 × 1000, \d/).click({ timeout: journeyWaitMs() });
    await page.keyboard.press('t');
    await page.getByRole('group', { name: 'hill.jpg' }).press('Enter');
    await expect.poll(() => naturalWidth('Faithful'), { timeout: journeyWaitMs() }).toBe(512);
    await page.keyboard.press('t');
  });

  it('copies the picture', async () => {
    await button('More ways to save the result').click();
    await page.getByRole('menuitem', { name: 'Copy picture' }).click();
    await page.getByText('Copied to the clipboard.').waitFor();
    const types = await page.evaluate(
      '(async () => (await navigator.clipboard.read()).flatMap((item) => item.types))()',
    );
    expect(types).toEqual(['image/png']);
  });

  it('saves the result in another format without the network', async () => {
    await button('More ways to save the result').click();
    await page.getByRole('menuitem', { name: 'Save as' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save hill.jpg as' });
    const format = dialog.getByLabel('Format');
    await expect.poll(() => format.locator('option:checked').textContent()).toBe('JPEG');
    const heights = new Set<number | undefined>();
    for (const name of ['TIFF', 'JPEG', 'PNG', 'GIF', 'JPEG XL', 'AVIF', 'TIFF']) {
      await format.selectOption(name);
      heights.add((await dialog.boundingBox())?.height);
    }
    expect(heights.size).toBe(1);
    await dialog.getByText('The result was compressed or has fewer bits').waitFor();
    await dialog.getByRole('button', { name: 'Run again as TIFF' }).waitFor();
    // Beside the dialog; what was chosen stays.
    await page.mouse.click(8, 300);
    expect(await findBarriers(page)).toEqual([]);
    await format.selectOption('WebP');
    await dialog
      .getByText('Writes the result to another file; the photo is not processed again.')
      .waitFor();
    expect(await findBarriers(page)).toEqual([]);
    const fileName = dialog.getByLabel('File name');
    expect(await fileName.inputValue()).toBe('hill-2x');
    await fileName.fill('green hill');
    const [saved] = await Promise.all([
      page.waitForEvent('download', { timeout: journeyWaitMs() }),
      dialog.getByRole('button', { name: 'Save' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('green hill.webp');
    const {
      width,
      height,
      format: written,
    } = await sharp(await readFile(await saved.path())).metadata();
    expect({ width, height, written }).toEqual({ width: 1400, height: 1000, written: 'webp' });
    await expect.poll(() => dialog.count(), soon).toBe(0);
    await page.getByText('1 photo downloaded.').waitFor();
  });

  it('saves several results in another format, and says before which get no better', async () => {
    const buffer = await smallJpeg(60, 40);
    const files = ['low.jpg', 'lower.jpg'].map((name) => ({
      name,
      mimeType: 'image/jpeg',
      buffer,
    }));
    await chooseFiles(page, () => button('Add photos').click(), files);
    await button(/^Start 2 (photos|selected)/).click();
    await row(/low\.jpg 120 × 80, \d/).click({ timeout: journeyWaitMs() });
    await chooseForAll(page, 'Save as');
    // Of one photo there is a menu of its own.
    await page.getByRole('dialog', { name: /^Save [3-9] results as/ }).waitFor();
    await page.mouse.click(8, 300);
    await row(/lower\.jpg 120 × 80, \d/).click({
      timeout: journeyWaitMs(),
      modifiers: ['ControlOrMeta'],
    });
    await chooseForAll(page, 'Save as');
    const dialog = page.getByRole('dialog', { name: 'Save 2 results as' });
    // The format of the last time is of use for these, too.
    await dialog.getByText('Writes the result to another file').waitFor();
    await dialog.getByLabel('Format').selectOption('TIFF');
    await dialog.getByText('2 of 2 results were compressed or have fewer bits').waitFor();
    await dialog.getByRole('button', { name: 'Run 2 again as TIFF' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByLabel('Format').selectOption('WebP');
    await dialog
      .getByText('Writes the result to another file; the photo is not processed again.')
      .waitFor();
    // Chromium's own dialog for a folder cannot be answered: without it they are one archive.
    await page.evaluate('delete window.showDirectoryPicker');
    const download = page.waitForEvent('download', { timeout: journeyWaitMs() });
    await dialog.getByRole('button', { name: 'Save' }).click();
    const archive = await readFile(await (await download).path());
    expect(namesInZip(archive).sort()).toEqual(['low-2x.webp', 'lower-2x.webp']);
    await expect.poll(() => dialog.count(), soon).toBe(0);
  });

  it('saves another format into a folder that is typed right before Save', async () => {
    const folder = temporaryFolder();
    await row(/hill\.jpg 1400 × 1000/)
      .first()
      .click();
    await button('More ways to save the result').click();
    await page.getByRole('menuitem', { name: 'Save as' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save hill.jpg as' });
    await dialog.getByLabel('Format').selectOption('PNG');
    await dialog.getByLabel('Save to').pressSequentially(folder);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => dialog.count(), soon).toBe(0);
    expect(await readdir(folder)).toEqual(['hill-2x.png']);
    await page.getByText(new RegExp(`1 photo saved to .*${path.basename(folder)}`)).waitFor();
  });

  it('gives a link under the name of the result to what it is dragged to', async () => {
    await row(/hill\.jpg 1400 × 1000/)
      .first()
      .click();
    const transfer = await page.evaluateHandle('new DataTransfer()');
    const grip = page.getByLabel('Drag the result to another program');
    await grip.dispatchEvent('dragstart', { dataTransfer: transfer });
    const dragged = await transfer.evaluate((given) =>
      (given as { getData(type: string): string }).getData('DownloadURL'),
    );
    expect(dragged).toMatch(/^image\/(jpeg|webp):hill-2x\.(jpg|webp):http:\/\/127\.0\.0\.1:/);
  });

  it('has the application fetch what is dragged when the pointer goes down, and shows why it cannot', async () => {
    await page.evaluate(`{
      window.calls = [];
      const note = (call, ...taskIds) => void window.calls.push([call, ...taskIds]);
      window.enlarger = {
        prepareDrag: async (taskIds) => note('prepareDrag', ...taskIds),
        startDrag: async (taskIds) => {
          note('startDrag', ...taskIds);
          throw new Error('The result is not there any more.');
        },
      };
    }`);
    const calls = () => page.evaluate<[call: string, taskId: string][]>('window.calls');
    const place = await page.getByLabel('Drag the result to another program').boundingBox();
    if (place === null) throw new Error('The grip is not shown.');
    const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    const taskId = expect.any(String) as string;
    await expect.poll(calls, soon).toEqual([['prepareDrag', taskId]]);
    await page.mouse.move(x + 40, y - 40, { steps: 8 });
    await expect.poll(calls, soon).toEqual([
      ['prepareDrag', taskId],
      ['startDrag', taskId],
    ]);
    await page.mouse.up();
    await page.getByText('The result is not there any more.').waitFor();
    const [prepared, started] = await calls();
    expect(started?.[1]).toBe(prepared?.[1]);
    await page.evaluate('delete window.enlarger');
  });

  it('shows and tries a photo that the browser cannot read', async () => {
    const buffer = await sharp(await smallJpeg(700, 500))
      .tiff()
      .toBuffer();
    const file = { name: 'scan.tif', mimeType: 'image/tiff', buffer };
    await chooseFiles(page, () => button('Add photos').click(), [file]);
    await expect.poll(() => widthOf(row(/scan\.tif/).locator('img')), soon).toBe(192);
    await page.getByRole('img', { name: 'Before: scan.tif' }).waitFor();
    await button('Try here').click();
    await page.getByRole('group', { name: 'scan.tif' }).press('Enter');
    await expect.poll(() => naturalWidth('Faithful'), { timeout: journeyWaitMs() }).toBe(512);
    await page.keyboard.press('t');
  });

  it('tries a waiting photo after a reload', async () => {
    await pauseQueue(page);
    await button(/^Start 1 photo/).click();
    await row(/scan\.tif Waiting/).waitFor();
    await page.reload();
    await row(/scan\.tif Waiting/).click();
    await button('Try here').click();
    await page.getByRole('group', { name: 'scan.tif' }).press('Enter');
    await expect.poll(() => naturalWidth('Faithful'), { timeout: journeyWaitMs() }).toBe(512);
  });

  it('had nothing to complain of', () => {
    expect(open.complaints).toEqual([]);
  });
});
