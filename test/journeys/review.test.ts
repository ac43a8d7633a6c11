/** Looking through results: zoom, marks, filmstrip, grid, order and versions, in real Chromium. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../packages/contract/src/settings/settings.ts';
import type { TaskList, TaskRecord } from '../../packages/contract/src/task.ts';
import { findBarriers, findBarriersInBoth } from '../support/axe.ts';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { chooseFiles, type PageFile } from '../support/page-files.ts';
import { namesInZip } from '../support/zip.ts';
import { chooseForAll, chooseMode, filterCount } from '../support/page-menus.ts';
import { askAsPage, withoutFolderDialog, type OpenPage } from '../support/page.ts';
import { withPage } from '../support/with-page.ts';
import { patient } from '../support/machine-pace.ts';

const soon = { timeout: patient(30_000) };
const names = ['img_10.png', 'img_2.png', 'cove.png'] as const;

/** A striped picture, so that there is something to enlarge. */
async function striped(name: string, step: number): Promise<PageFile> {
  const [width, height] = [240, 160];
  const data = Buffer.alloc(width * height * 3);
  for (let at = 0; at < data.length; at += 1) {
    const pixel = Math.floor(at / 3);
    data[at] = Math.floor((pixel % width) / step) % 2 === 0 ? 40 + (at % 3) * 30 : 210;
  }
  const raw = { width, height, channels: 3 } as const;
  return { name, mimeType: 'image/png', buffer: await sharp(data, { raw }).png().toBuffer() };
}

describe.skipIf(chromiumPath === undefined)('looking through results (needs Chromium)', () => {
  let open: OpenPage;
  let page: Page;
  withPage(
    async (opened) => {
      ({ page } = open = opened);
      // Without a dialog for folders, which nobody can answer here, results are downloaded.
      await withoutFolderDialog(page);
    },
    { networks: 'quick' },
  );

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const list = (name: string) => page.getByRole('listbox', { name });
  const selected = (name: string) =>
    list(name).locator('[role=option][aria-selected=true]').textContent();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const row = (words: string) => list('Queue').getByRole('option', { name: new RegExp(words) });
  const order = async () =>
    (await list('Queue').getByRole('option').allTextContents()).map((text) =>
      names.find((name) => text.includes(name)),
    );
  const zoom = () =>
    page.getByRole('toolbar', { name: 'The photo' }).locator('output').textContent();

  async function tasks(): Promise<TaskRecord[]> {
    const key = (await readFile(open.line.keyFile, 'utf8')).trim();
    const headers = { authorization: `KEY ${key}` };
    const response = await fetch(new URL('/api/tasks', open.line.url), { headers });
    return ((await response.json()) as TaskList).tasks;
  }

  it('keeps photos where they were dropped while they run', async () => {
    const files = await Promise.all(names.map((name, index) => striped(name, 3 + index)));
    // Together they would be added by their names.
    for (const file of files) {
      await chooseFiles(page, () => button('Add photos').click(), [file]);
      await row(file.name).waitFor();
    }
    // The grid covers the settings, not the next step.
    await button('Grid').click();
    await list('Grid').press('Control+a');
    await page
      .getByRole('toolbar', { name: 'The photo' })
      .getByRole('button', { name: /^Start 3/ })
      .click();
    await button('Grid').click();
    for (const name of names)
      await row(`${name} 480 × 320, \\d`).waitFor({ timeout: journeyWaitMs() });
    expect(await order()).toEqual([...names]);
  });

  it('keeps zoom and place from photo to photo, until that is turned off', async () => {
    await list('Queue').press('Home');
    await press('1', '+', '+');
    await expect.poll(zoom, soon).toBe('200%');
    await page.getByRole('group', { name: names[0] }).press('ArrowRight');
    const place = async (name: string) =>
      (await page.getByRole('img', { name: `After: ${name}` }).boundingBox())!.x;
    const before = await place(names[0]);
    await list('Queue').press('ArrowDown');
    await expect.poll(() => place(names[1]), soon).toBeCloseTo(before, 0);
    await expect.poll(zoom, soon).toBe('200%');
    await press('l');
    await list('Queue').press('ArrowDown');
    await button('Fit').and(page.locator('[aria-pressed=true]')).waitFor();
    await press('l', '0');
  });

  it('accepts and rejects by keys, and knows it after a reload', async () => {
    await list('Queue').press('Home');
    await press('y');
    // A mark goes on to the next photo.
    await expect.poll(() => selected('Queue'), soon).toContain(names[1]);
    await press('n');
    await expect.poll(() => selected('Queue'), soon).toContain(names[2]);
    await press('y');
    await button('Save 2 accepted').waitFor();
    await list('Queue').press('Home');
    await button('Accept').and(page.locator('[aria-pressed=true]')).waitFor();
    await list('Queue').press('ArrowDown');
    await button('Reject').and(page.locator('[aria-pressed=true]')).waitFor();
    await list('Queue').press('ArrowDown');
    await press('y');
    await list('Queue').press('End');
    await button('Accept').and(page.locator('[aria-pressed=true]')).click();
    await button('Save 1 accepted').waitFor();
    await page.reload();
    await button('Save 1 accepted').or(list('Queue')).first().waitFor();
    await list('Queue').press('Home');
    await button('Accept').and(page.locator('[aria-pressed=true]')).waitFor();
    const marks = (await tasks()).map(({ mark }) => mark ?? '').sort();
    expect(marks).toEqual(['', 'accepted', 'rejected']);
  });

  it('saves what was accepted, and nothing else', async () => {
    const download = page.waitForEvent('download');
    await button('Save 1 accepted').click();
    expect((await download).suggestedFilename()).toMatch(/^img_10/);
    await button('Save 1 accepted').waitFor({ state: 'detached' });
    await page.getByText('1 photo downloaded.').waitFor();
  });

  it('saves all but what was rejected', async () => {
    const download = page.waitForEvent('download');
    await button('Save 1 photo').click();
    expect((await download).suggestedFilename()).toMatch(/^cove/);
    // What was rejected is not missed.
    await expect.poll(() => filterCount(page, 'Not saved'), soon).toBe(0);
    expect(await filterCount(page, 'Rejected')).toBe(1);
    await page.getByText('2 photos downloaded.').waitFor();
  });

  it('tells before clearing that what is not saved was rejected, and saves none of it', async () => {
    await chooseForAll(page, 'Remove finished from list');
    const dialog = page.getByRole('dialog', { name: 'Some photos are not saved' });
    await dialog.getByText('1 rejected photo is not saved, and will not be.').waitFor();
    expect(await dialog.getByRole('button').allTextContents()).toEqual([
      '',
      'Cancel',
      'Remove 2 saved',
      'Remove anyway',
    ]);
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('offers quietly to save what is rejected, and saves several as one archive', async () => {
    await list('Queue').press('Home');
    await press('Shift+ArrowDown', 'g');
    await list('Grid').waitFor();
    await press('n', 'g');
    await button('Save 2 selected').waitFor();
    await expect.poll(() => filterCount(page, 'Rejected'), soon).toBe(2);
    await button('Save 2').waitFor();
    await expect
      .poll(() => page.locator('button.main:visible').allTextContents(), soon)
      .toEqual(['Run 2 selected again']);
    // The dialog is closed without a folder, and what takes minutes comes at once.
    await page.evaluate(`{
      window.showDirectoryPicker = () => Promise.reject(new DOMException('', 'AbortError'));
      window.slowTimeout = window.setTimeout;
      window.setTimeout = (run, ms) => window.slowTimeout(run, Math.min(ms, 200));
    }`);
    const field = page.getByLabel('Results go to');
    const before = await field.boundingBox();
    await button('Save 2 selected').click();
    const message = page.locator('.toast').getByText('Nothing was saved: no folder was chosen.');
    await message.waitFor();
    expect(await field.boundingBox()).toEqual(before);
    // In the grid there are no settings, and the message stays for as long as it takes to read.
    await press('g');
    await list('Grid').waitFor();
    await page.waitForTimeout(600);
    await message.waitFor({ timeout: 1000 });
    await page.locator('.toast').getByRole('button', { name: 'Dismiss' }).click();
    await message.waitFor({ state: 'detached' });
    await button('Save 2').click();
    await message.waitFor();
    await press('g');
    await field.selectOption('One folder');
    await field.selectOption('Save later, within 24 hours');
    await message.waitFor({ state: 'detached' });
    await field.selectOption('One folder');
    await press('g');
    await button('Save 2').click();
    const first = page.getByRole('alert').getByText('Choose a folder for the results first.');
    await first.waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await press('g');
    await field.selectOption('Save later, within 24 hours');
    await first.waitFor({ state: 'detached' });
    await page.evaluate('window.setTimeout = window.slowTimeout;');
    await button('Save 2 selected').click();
    await message.waitFor();
    const download = page.waitForEvent('download');
    await page.locator('.toast').getByRole('button', { name: 'Save as ZIP' }).click();
    const archive = await download;
    expect(archive.suggestedFilename()).toBe('Enlarger.zip');
    const saved = namesInZip(await readFile(await archive.path()));
    expect(saved).toEqual(['img_10-2x.png', 'img_2-2x.png']);
    await page.getByText(/^[24] photos downloaded\.$/).waitFor();
    await list('Queue').press('Home');
    await button('Accept').click();
    await list('Queue').press('Home');
  });

  it('has a filmstrip and a grid, each with its keys', async () => {
    await press('f');
    const strip = list('Filmstrip');
    await expect.poll(() => strip.getByRole('option').count(), soon).toBe(3);
    await strip.press('ArrowRight');
    await expect.poll(() => selected('Filmstrip'), soon).toContain(names[1]);
    await expect.poll(() => selected('Queue'), soon).toContain(names[1]);
    expect(await findBarriersInBoth(page)).toEqual([]);
    await press('g');
    const grid = list('Grid');
    await expect.poll(() => grid.getByRole('option').count(), soon).toBe(3);
    await expect.poll(() => strip.count()).toBe(0);
    expect(await grid.getByText('2×', { exact: true }).count()).toBe(3);
    expect(await findBarriers(page)).toEqual([]);
    await grid.press('ArrowRight');
    await expect.poll(() => selected('Grid'), soon).toContain(names[2]);
    // A right click chooses the photo under it, unless that is among the selected ones.
    const moveDown = page.getByRole('menuitem', { name: 'Move down' });
    await grid.getByRole('option').first().click({ button: 'right' });
    await moveDown.waitFor();
    await expect.poll(() => selected('Grid'), soon).toContain(names[0]);
    await press('Escape');
    await moveDown.waitFor({ state: 'detached' });
    await press('Control+a');
    await grid.getByRole('option').first().click({ button: 'right' });
    await moveDown.waitFor();
    await page.getByRole('menu').getByText('3 photos selected').waitFor();
    expect(await grid.getByRole('option', { selected: true }).count()).toBe(3);
    await press('Escape');
    await moveDown.waitFor({ state: 'detached' });
    await press('Shift+F10');
    await moveDown.waitFor();
    await press('Escape');
    await moveDown.waitFor({ state: 'detached' });
    await press('n');
    const marks = async () => (await tasks()).map(({ mark }) => mark);
    await expect.poll(marks, soon).toEqual(['rejected', 'rejected', 'rejected']);
    // The button takes away what the page shows, which hears of it a moment later.
    await expect.poll(() => grid.getByTitle('Rejected').count(), soon).toBe(3);
    await button('Reject').click();
    await expect.poll(marks, soon).toEqual([undefined, undefined, undefined]);
    await grid.press('Escape');
    await expect.poll(() => grid.getByRole('option').count(), soon).toBe(3);
    // After the slider was dragged, the keys go to the photos.
    const slider = (await page.getByRole('slider', { name: 'Size' }).boundingBox())!;
    const y = slider.y + slider.height / 2;
    await page.mouse.move(slider.x + slider.width / 4, y);
    await page.mouse.down();
    await page.mouse.move(slider.x + slider.width / 2, y + 60, { steps: 4 });
    await page.mouse.up();
    await press('End', 'Enter');
    await page.getByRole('img', { name: `After: ${names[2]}` }).waitFor();
    await expect.poll(() => grid.count()).toBe(0);
  });

  it('lists by name as people count, and remembers it', async () => {
    await button('Order of the list').click();
    await page.getByRole('menuitemradio', { name: 'By name' }).click();
    const byName = ['cove.png', 'img_2.png', 'img_10.png'];
    await expect.poll(order, soon).toEqual(byName);
    // What leaves with the page is what the service was told.
    const kept = () => askAsPage<Settings>(page, '/api/settings');
    await expect.poll(async () => (await kept()).page.order, soon).toBe('name');
    await page.reload();
    await expect.poll(order, soon).toEqual(byName);
  });

  it('shows where the network changed the photo, and how much', async () => {
    await list('Queue').press('Home');
    await press('d');
    const status = page.getByRole('status').filter({ hasText: /the original|fine detail/ });
    await status.waitFor();
    // Words for a photographer, and what the colours mean; the other figures on demand.
    const key = (await status.locator('small').textContent())!;
    expect(key).toBe('Coloured where it differs: yellow from 3 of 255 levels, violet from 32.');
    expect((await status.textContent())!.replace(key, '')).not.toMatch(/\d/);
    expect(await status.getAttribute('title')).toMatch(
      /Average difference .* levels, largest .* by more than 2\./,
    );
    expect(await findBarriers(page)).toEqual([]);
    await chooseMode(page, 'Side by side');
    await status.waitFor();
    // The colours lie over the result, which is the right one.
    const colours = (await page.locator('main canvas[aria-hidden=true]').boundingBox())!;
    const stage = (await page.getByRole('group', { name: 'cove.png' }).boundingBox())!;
    expect(colours.x).toBeGreaterThanOrEqual(stage.x + stage.width / 2);
    await press('d');
    await status.waitFor({ state: 'detached' });
    await chooseMode(page, 'Before and after under a divider');
  });

  it('compares all versions of a photo with it and with each other, in step', async () => {
    const [first] = (await tasks()).filter(({ source }) => source.name === 'cove.png');
    const key = (await readFile(open.line.keyFile, 'utf8')).trim();
    const call = (scale: number) =>
      page.request.post(new URL(`/api/task/${first!.taskId}/again`, open.line.url).href, {
        headers: { authorization: `KEY ${key}` },
        data: { options: { scale } },
      });
    // Its upload may have gone with its task by then.
    const made = await call(4);
    if (made.status() === 404) return;
    expect(made.status()).toBe(200);
    await expect
      .poll(async () => (await tasks()).filter(({ status }) => status === 'FINISHED').length, {
        timeout: journeyWaitMs(),
      })
      .toBe(4);
    await chooseMode(page, 'All versions beside each other');
    const pictures = page.locator('main figure');
    await expect.poll(() => pictures.count(), soon).toBe(3);
    const width = async (at: number) =>
      (await pictures.nth(at).locator('.place, [role=img]').first().boundingBox())!.width;
    await expect.poll(async () => (await width(1)) - (await width(2)), soon).toBeCloseTo(0, 0);
    // Each version has its own changes over it, and the photo has none.
    await press('d');
    await expect.poll(() => pictures.locator('canvas[aria-hidden=true]').count(), soon).toBe(2);
    expect(await pictures.first().locator('canvas[aria-hidden=true]').count()).toBe(0);
    await page.getByText('Coloured where it differs').waitFor();
    // In grey under them, so that none of its own colours looks like a change.
    const filters = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main figure .fill')].map((each) => getComputedStyle(each).filter)`,
    );
    expect(filters).toEqual(['none', 'grayscale(1)', 'grayscale(1)']);
    expect(await findBarriers(page)).toEqual([]);
    await press('d');
    const second = page
      .getByRole('group', { name: 'Versions that are compared' })
      .getByRole('button', { name: /^2: 4×/ });
    await second.click();
    await expect.poll(() => pictures.count(), soon).toBe(2);
    // The version that is still seen is the one that marks and Info mean.
    await pictures.getByRole('button', { name: /^1: /, pressed: true }).waitFor();
    await second.click();
    await expect.poll(() => pictures.count(), soon).toBe(3);
    await chooseMode(page, 'Before and after under a divider');
  });

  it('had nothing to complain of', () => {
    expect(open.complaints.filter((complaint) => !complaint.includes('/again'))).toEqual([]);
  });
});
