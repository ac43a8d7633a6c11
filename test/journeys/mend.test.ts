/** What a new photographer stumbles over in the first hour, in real Chromium. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { dropFiles, halfJpeg, mixedFiles } from '../support/page-files.ts';
import { filterCount, listOnly, openFromMenu } from '../support/page-menus.ts';
import { withPage } from '../support/with-page.ts';

describe.skipIf(chromiumPath === undefined)('the first hour (needs Chromium)', () => {
  let page: Page;
  withPage((opened) => ({ page } = opened), { networks: 'quick' });

  const row = (name: RegExp) => page.getByRole('option', { name });
  const rows = () => page.getByRole('listbox').getByRole('option').count();

  it('leaves an empty file out, and all others as they are', async () => {
    await page.getByRole('heading', { name: 'Drop photos here' }).waitFor();
    await page.getByText('Nothing starts before you press Start.').waitFor();
    const empty = { name: 'empty.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) };
    await dropFiles(page, [...(await mixedFiles(4)), empty]);
    await row(/empty\.jpg The file is empty/).waitFor();
    await page.getByRole('button', { name: 'Start 4 photos' }).waitFor();
    for (const name of [/0\.jpg 80 × 60/, /1\.png 82 × 60/, /2\.webp 84 × 60/, /3\.tif 86 × 60/])
      await row(name).waitFor();
    await expect.poll(() => page.getByText(/Looking at/).count()).toBe(0);
    expect(await page.getByText('These settings do not go together').count()).toBe(0);
  });

  it('has the keys for the list at once, and again after all was removed and brought back', async () => {
    await expect.poll(() => focused(page)).toBe('Queue');
    await page.keyboard.press('Control+a');
    expect(await page.evaluate('String(getSelection())')).toBe('');
    await page.keyboard.press('Delete');
    await page.getByText('The queue is empty.').waitFor();
    await page.keyboard.press('Control+z');
    await row(/photo-03/).waitFor();
    await expect.poll(() => focused(page)).toBe('Queue');
    await page.keyboard.press('Home');
    await expect.poll(() => row(/empty/).getAttribute('aria-selected')).toBe('true');
  });

  it('counts what cannot be started among what failed, not among what waits', async () => {
    await listOnly(page, 'To do 4');
    await expect.poll(rows).toBe(4);
    await listOnly(page, 'Failed 1');
    await expect.poll(rows).toBe(1);
    await row(/empty\.jpg/).waitFor();
    await page.getByRole('button', { name: 'All 5' }).click();
  });

  it('shows on the stage and in the settings what a search lists', async () => {
    await row(/photo-01/).click();
    await page.getByRole('searchbox').fill('photo-02');
    await page.getByText('For the selected photo.').waitFor();
    await expect.poll(() => row(/photo-02/).getAttribute('aria-selected')).toBe('true');
    await page.getByRole('searchbox').fill('');
    await expect.poll(() => row(/photo-01/).getAttribute('aria-selected')).toBe('false');
  });

  it('tells of what cannot be started only where it is meant', async () => {
    const told = page.getByText('1 photo cannot be started', { exact: true });
    await expect.poll(() => told.count()).toBe(0);
    await row(/empty\.jpg/).click();
    await told.waitFor();
  });

  it('offers a try of what has a picture, and of nothing else', async () => {
    const tried = page.getByRole('button', { name: 'Try here' });
    await row(/empty\.jpg/).click();
    await expect.poll(() => tried.isDisabled()).toBe(true);
    await row(/photo-01/).click();
    await expect.poll(() => tried.isDisabled()).toBe(false);
  });

  it('draws no line between rows after a click and an arrow', async () => {
    await row(/photo-01/).click();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe('Queue');
    const outline = `getComputedStyle(document.querySelector('[role=option]:nth-child(2)') ?? document.body).outlineStyle`;
    expect(await page.evaluate(outline)).toBe('none');
  });

  it('takes back each removal of the last minute, the latest first', async () => {
    for (const name of [/photo-01/, /photo-02/]) {
      await row(name).click();
      await page.keyboard.press('Delete');
    }
    await expect.poll(rows).toBe(3);
    await page.getByText('1 earlier removal can be undone').waitFor();
    await page.keyboard.press('Control+z');
    await row(/photo-02/).waitFor();
    await page.keyboard.press('Control+z');
    await row(/photo-01/).waitFor();
    await expect.poll(rows).toBe(5);
  });

  it('shows no earlier removal when the message of a later one is dismissed, and still undoes both', async () => {
    for (const name of [/photo-01/, /photo-02/]) {
      await row(name).click();
      await page.keyboard.press('Delete');
    }
    await page.getByText('1 earlier removal can be undone').waitFor();
    await page.getByRole('status').getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('1 photo removed.').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await row(/photo-02/).waitFor();
    await page.keyboard.press('Control+z');
    await row(/photo-01/).waitFor();
    await expect.poll(rows).toBe(5);
  });

  it('watches with a preset that ships, and says what a folder lacks', async () => {
    await openFromMenu(page, 'Watched folders');
    await page.getByLabel('Folder to watch').fill('/nowhere/at/all');
    await page.getByLabel('Save results to').fill('/nowhere/else');
    await page.getByRole('button', { name: 'Watch folder', exact: true }).click();
    await page.getByRole('alert').getByText('This folder does not exist').first().waitFor();
    await page.keyboard.press('Escape');
  });

  it('says what is done and what is not', async () => {
    await page.getByRole('listbox').press('Control+a');
    await page.keyboard.press('Control+Enter');
    await page
      .getByText('Nothing is running: 4 done and 1 photo cannot be started.')
      .waitFor({ timeout: journeyWaitMs() });
  });

  it('says of a photo that is cut off how much is there before it is started, and shows that', async () => {
    const kept = page.waitForResponse('**/api/photos');
    await dropFiles(page, [await halfJpeg('cut.jpg')]);
    const isToldAndShown = async () => {
      await row(/cut\.jpg Cut off: \d+% of it is missing/).click();
      await page.getByRole('img', { name: 'Before: cut.jpg' }).waitFor();
      await page
        .locator('#stage-frame')
        .getByText(/Cut off: \d+% of it is missing/)
        .waitFor();
    };
    await isToldAndShown();
    await page.getByText('1 photo cannot be started', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^Start/ }).count()).toBe(0);
    await kept;
    await page.reload();
    await isToldAndShown();
    await page.getByText('1 photo cannot be started', { exact: true }).click();
    await page.getByRole('button', { name: 'Remove them' }).click();
    await expect.poll(() => row(/cut\.jpg/).count()).toBe(0);
    // The empty file, of which the service keeps nothing, is there as before the reload.
    await row(/empty\.jpg The file is empty/).waitFor();
  });

  it('offers no other try of a file that cannot be read', async () => {
    // How much of a progressive file is there is known only once it is decoded.
    await dropFiles(page, [await halfJpeg('half.jpg', { progressive: true })]);
    await page.getByRole('button', { name: 'Start 1 photo' }).click();
    await page
      .getByText('Nothing is running: 4 done, 1 failed and 1 photo cannot be started.')
      .waitFor({ timeout: journeyWaitMs() });
    await row(/half\.jpg Damaged or cut off/).click();
    await page.getByRole('alert').getByRole('button', { name: 'Remove' }).waitFor();
    expect(await page.getByRole('button', { name: /again|Retry/ }).allTextContents()).toEqual([]);
  });

  it('says at the format that it has no transparency, and counts no error', async () => {
    const files = await mixedFiles(5);
    await dropFiles(page, files.slice(4));
    await row(/photo-04/).click();
    const settings = page.getByRole('group', { name: 'Settings' });
    await settings.getByText('Cut out', { exact: true }).click();
    await settings.getByLabel('Format').selectOption('JPEG');
    await settings.getByText('JPEG has no transparency: choose PNG or WebP').waitFor();
    await row(/photo-04.* These settings do not go together/).waitFor();
    expect(await page.locator('aside [role=alert], aside .problem').allTextContents()).toEqual([]);
    await expect.poll(() => filterCount(page, 'Failed')).toBe(2);
    await page.getByRole('listbox').press('Space');
    await page.getByRole('button', { name: '1 photo needs another setting: show' }).click();
    await expect.poll(() => row(/photo-04/).getAttribute('aria-selected')).toBe('true');
    await settings.getByLabel('Format').selectOption('WebP');
    await page.getByRole('button', { name: 'Start 1 photo' }).waitFor();
  });

  it('speaks the language that is chosen', async () => {
    await openFromMenu(page, 'Appearance and language');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch');
    await page.getByRole('button', { name: 'Fotos hinzufügen' }).waitFor();
    await page.getByRole('button', { name: 'Vorgaben' }).click();
    await page.getByRole('menuitem', { name: 'Druck 2-fach' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Menü', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Erscheinungsbild und Sprache' }).click();
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption('English');
    await page.getByRole('button', { name: 'Add photos' }).waitFor();
  });
});

function focused(page: Page): Promise<string> {
  return page.evaluate(`document.activeElement?.getAttribute('aria-label') ?? ''`);
}
