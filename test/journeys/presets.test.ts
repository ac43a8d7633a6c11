/** Presets and watched folders on the page, in real Chromium over the real service and networks. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { findLayoutFaults } from '../support/layout.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { chooseFiles, greyFile } from '../support/page-files.ts';
import { openFromMenu, showMoreOptions } from '../support/page-menus.ts';
import { writeSmallJpeg } from '../support/pictures.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { withPage } from '../support/with-page.ts';

describe.skipIf(chromiumPath === undefined)('presets and watches (need Chromium)', () => {
  let page: Page;
  const folder = temporaryFolder();
  withPage((opened) => ({ page } = opened), { networks: 'quick' });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const openPresets = async (item: string) => {
    await button('Presets').click();
    await page.getByRole('menuitem', { name: item }).click();
    await page.getByRole('dialog', { name: 'Presets' }).waitFor();
  };

  it('saves the settings under a name and applies them again', async () => {
    await page.getByText('4×', { exact: true }).first().click();
    await page.getByLabel('Format').selectOption({ label: 'PNG' });
    await openPresets('Manage presets');
    await page.getByLabel('Name of the preset').fill('Print');
    await page.keyboard.press('Enter');
    await page.getByText('Preset Print saved.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('2×', { exact: true }).first().click();
    await button('Presets').click();
    const print = page.getByRole('menuitem', { name: 'Print', exact: true });
    expect(await print.getAttribute('title')).toMatch(/^Enlarge 4×.*Format: PNG/);
    await print.click();
    await expect.poll(() => page.getByRole('radio', { name: '4×' }).isChecked()).toBe(true);
  });

  it('says to how many photos it was applied, and undoes it', async () => {
    const file = await greyFile('undo.png');
    await chooseFiles(page, () => button('Add photos').click(), [file]);
    const scale = (name: string) => page.getByRole('radio', { name, exact: true });
    await page.getByText('2×', { exact: true }).first().click();
    await button('Presets').click();
    await page.getByRole('menuitem', { name: 'Print', exact: true }).click();
    const toast = page.getByRole('status').filter({ hasText: 'Print is applied to 1 photo.' });
    await expect.poll(() => scale('4×').isChecked()).toBe(true);
    await toast.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => scale('2×').isChecked()).toBe(true);
    await expect.poll(() => toast.count()).toBe(0);
  });

  it('says so where it covers no control, goes by itself, and is undone by Ctrl+Z then', async () => {
    const scale = (name: string) => page.getByRole('radio', { name, exact: true });
    const said = (words: string) => page.getByRole('status').filter({ hasText: words });
    await chooseFiles(page, () => button('Add photos').click(), [await greyFile('gone.png')]);
    await page.getByRole('option', { name: /gone\.png/ }).click();
    await page.getByRole('listbox').press('Delete');
    await said('1 photo removed.').waitFor();
    await page.getByRole('option', { name: /undo\.png/ }).click();
    await button('Presets').click();
    await page.getByRole('menuitem', { name: 'Print', exact: true }).click();
    const toast = said('Print is applied to 1 photo.');
    // The latest message alone, in the bar that has no control there.
    await toast.waitFor();
    expect(await said('1 photo removed.').count()).toBe(0);
    const usual = page.viewportSize()!;
    for (const window of [
      { width: 1440, height: 900 },
      { width: 1024, height: 700 },
    ]) {
      await page.setViewportSize(window);
      expect(await findLayoutFaults(page)).toEqual([]);
    }
    await page.setViewportSize(usual);
    await page.mouse.move(2, 300);
    await expect.poll(() => toast.count(), { timeout: 40_000, interval: 500 }).toBe(0);
    await page.getByRole('option', { name: /undo\.png/ }).click();
    await page.keyboard.press('Control+z');
    await expect.poll(() => scale('2×').isChecked()).toBe(true);
    await page.keyboard.press('Control+z');
    await page.getByRole('option', { name: /gone\.png/ }).click();
    await page.getByRole('listbox').press('Delete');
  });

  it('leaves the shown photo by Escape wherever the focus is, but not with a menu or a field', async () => {
    await chooseFiles(page, () => button('Add photos').click(), [await greyFile('other.png')]);
    const list = page.getByRole('listbox');
    const row = (name: RegExp) => page.getByRole('option', { name });
    const selected = () => page.locator('[role=option][aria-selected=true]').count();
    await row(/other\.png/).click();
    await list.press('Control+a');
    await button('Presets').click();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('menu').count()).toBe(0);
    await page.getByRole('searchbox').press('Escape');
    expect(await selected()).toBe(2);
    for (const control of [button('Presets'), page.getByLabel('Format')]) {
      await list.press('Control+a');
      await expect.poll(selected).toBe(2);
      await control.press('Escape');
      await expect.poll(selected).toBe(1);
    }
    // The stage never becomes empty by it.
    await list.press('Escape');
    await row(/other\.png/)
      .and(page.locator('[aria-selected=true]'))
      .waitFor();
    await page.getByRole('group', { name: 'other.png' }).waitFor();
    await list.press('Control+a');
    await list.press('Delete');
    await expect.poll(() => page.locator('[role=option]').count()).toBe(0);
  });

  it('says when a name is taken, and renames', async () => {
    await openPresets('Manage presets');
    await page.getByLabel('Name of the preset').fill('print');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText(/print/i).waitFor();
    await button('Rename Print').click();
    await page.getByLabel('Name of the preset').last().fill('Large print');
    await page.keyboard.press('Enter');
    await button('Apply Large print').waitFor();
  });

  it('goes to a file and comes back from it', async () => {
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      button('Export as JSON').click(),
    ]);
    const file = await readFile(await saved.path());
    const names = ['Large print', 'Print 2x', 'Shop picture', 'Web 4x'];
    for (const name of names) await button(`Delete ${name}`).click();
    await page.getByText('No presets yet.').waitFor();
    const json = { name: saved.suggestedFilename(), mimeType: 'application/json', buffer: file };
    await chooseFiles(page, () => button('Import JSON').click(), [json]);
    await page.getByText('4 presets imported.').waitFor();
    await button('Apply Large print').waitFor();
    await page.keyboard.press('Escape');
  });

  it('holds the edge of a cut-out', async () => {
    const settings = page.getByRole('group', { name: 'Settings' });
    await settings.getByText('Cut out', { exact: true }).click();
    await showMoreOptions(page);
    await page.getByRole('slider', { name: 'Feather' }).fill('3');
    await page.getByRole('slider', { name: 'Defringe' }).fill('60');
    await openPresets('Save as preset');
    await page.getByLabel('Name of the preset').fill('Soft');
    await page.keyboard.press('Enter');
    await page
      .getByRole('listitem')
      .getByText(/Feather 3 pixels, Defringe 60/)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('slider', { name: 'Feather' }).fill('0');
    await button('Presets').click();
    await page.getByRole('menuitem', { name: 'Soft', exact: true }).click();
    const feather = page.getByRole('slider', { name: 'Feather' });
    await expect.poll(() => feather.inputValue()).toBe('3');
    await openPresets('Manage presets');
    await button('Delete Soft').click();
    await button('Delete Soft').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
  });

  it('sums a shop picture up by its canvas, which sets its size', async () => {
    await button('Shop picture').click();
    await openPresets('Save as preset');
    const words = page.getByRole('dialog').getByText(/Contains: Cut out, Background White, /);
    expect(await words.textContent()).toMatch(/ Canvas 2000 × 2000, .*Enlarge as well, /);
    await page.keyboard.press('Escape');
  });

  it('watches a folder with it, and processes what arrives there', async () => {
    const watched = temporaryFolder();
    const results = temporaryFolder();
    await openFromMenu(page, 'Watched folders');
    await page.getByLabel('Folder to watch').fill(watched);
    const saveTo = page.getByLabel('Save results to');
    const problem = page.getByRole('dialog').getByText('This folder does not exist');
    await saveTo.fill(path.join(results, 'none'));
    const placeBefore = await saveTo.boundingBox();
    await saveTo.press('Tab');
    await problem.waitFor();
    // The reason moves nothing under the pointer, and stands there alone.
    expect(await saveTo.boundingBox()).toEqual(placeBefore);
    await button('Watch folder').click();
    await page.getByRole('dialog').getByText('This folder does not exist').first().waitFor();
    expect(await problem.count()).toBe(1);
    await saveTo.fill(watched);
    await page.getByText('Results in the watched folder would be processed again').waitFor();
    expect(await button('Watch folder').isDisabled()).toBe(true);
    await saveTo.fill(results);
    expect(await problem.count()).toBe(0);
    await saveTo.press('Tab');
    await button('Watch folder').click();
    await page.getByText('Watching · Large print').waitFor();
    await writeSmallJpeg(path.join(watched, 'sea.jpg'));
    await page.getByText('1 seen, 1 done, 0 failed').waitFor({ timeout: journeyWaitMs() });
    expect(await readdir(results)).toEqual(['sea-4x.png']);
    await button(`Pause ${watched}`).click();
    await page.getByText('Paused · Large print').waitFor();
    await button(`Stop watching ${watched}`).click();
    await page.getByText('No folder is watched yet.').waitFor();
  });

  it('says at the field when a folder cannot be', async () => {
    const file = path.join(folder, 'file.txt');
    await writeFile(file, '');
    await page.getByLabel('Folder to watch').fill(path.join(folder, 'none'));
    await page.getByLabel('Folder to watch').press('Tab');
    await page.getByRole('dialog').getByRole('alert').first().waitFor();
  });
});
