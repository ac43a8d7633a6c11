/** Results that land: the place chosen once, what is saved and what is not, in real Chromium. */
import { mkdir, readdir, realpath, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../packages/contract/src/settings/settings.ts';
import { en } from '../../renderer/text/languages/en/en.ts';
import { findBarriers } from '../support/axe.ts';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { dropFiles, mixedFiles } from '../support/page-files.ts';
import { askAsPage, type OpenPage } from '../support/page.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { withPage } from '../support/with-page.ts';
import { patient } from '../support/machine-pace.ts';
import { chooseForAll } from '../support/page-menus.ts';

const soon = { timeout: patient(30_000) };

describe.skipIf(chromiumPath === undefined)('results that land (needs Chromium)', () => {
  let open: OpenPage;
  let page: Page;
  let folder: string;
  withPage(
    async (opened) => {
      folder = await realpath(temporaryFolder());
      ({ page } = open = opened);
    },
    { networks: 'quick' },
  );

  const row = (name: RegExp) => page.getByRole('option', { name });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const place = () => page.getByLabel('Results go to');
  /** The folder as the service remembers it. */
  const savedTo = async () => (await askAsPage<Settings>(page, '/api/settings')).newPhotos.saveTo;

  it('are only kept in a browser until a folder is named, and it says so', async () => {
    await page.getByRole('heading', { name: 'Drop photos here' }).waitFor();
    await dropFiles(page, await mixedFiles(3));
    await button('Start 3 photos').waitFor();
    expect(await place().locator('option').allTextContents()).toEqual([
      'One folder',
      'Save later, within 24 hours',
    ]);
    await page.getByText('A browser cannot save next to your photos').waitFor();
    await row(/photo-02/).click();
    await button('Start 1 selected').click();
    await row(/photo-02\.webp 84 × 60.* not saved/).waitFor({ timeout: journeyWaitMs() });
    await page.getByText('1 photo is not saved; kept until').waitFor();
  });

  it('land in the folder that was chosen, which is remembered', async () => {
    // The photo that was started has a destination of its own.
    await page.getByRole('listbox').press('Space');
    await place().selectOption('One folder');
    const field = page.getByLabel('Save to');
    const later = path.join(folder, 'later');
    await field.fill(later);
    const before = await field.boundingBox();
    await field.press('Tab');
    await page.getByText('This folder does not exist').waitFor();
    // The reason moves nothing under the pointer.
    expect(await field.boundingBox()).toEqual(before);
    await page.getByText('Check its path, or make the folder first.').waitFor();
    await mkdir(later);
    // A person made it in another window, and comes back.
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await expect.poll(savedTo, soon).toBe(later);
    expect(await page.getByText('This folder does not exist').count()).toBe(0);
    // The refusal was asked for.
    open.complaints.length = 0;
    await field.fill(folder);
    await field.press('Tab');
    await expect.poll(savedTo, soon).toBe(folder);
    await place().selectOption('Save later, within 24 hours');
    await expect.poll(savedTo, soon).toBe('');
    // It is there again, for a photo that is chosen meanwhile, too.
    await row(/photo-00/).click();
    await place().selectOption('One folder');
    await expect.poll(() => field.inputValue(), soon).toBe(folder);
    // It is this photo's alone.
    await page
      .getByText('Other photos: Save later, within 24 hours Results are saved here')
      .waitFor();
    await row(/photo-01/).click();
    await page.getByText(`Other photos: ${folder} A browser cannot save`).waitFor();
    await page.getByRole('listbox').press('Space');
    await place().selectOption('One folder');
    await expect.poll(savedTo, soon).toBe(folder);
    await row(/photo-01/).click();
    await expect.poll(() => field.inputValue(), soon).toBe(folder);
    expect(await page.getByText('Other photos:').count()).toBe(0);
    await page.getByRole('listbox').press('Space');
    const wide = page.viewportSize()!;
    await page.setViewportSize({ width: 1024, height: 700 });
    const settings = page.getByRole('group', { name: 'Settings', exact: true });
    await expect
      .poll(async () => (await settings.boundingBox())!.height, soon)
      .toBeGreaterThan(370);
    await page.setViewportSize(wide);
    // Estimates that were on their way asked for it.
    await row(/photo-00\.jpg 80 × 60, ~/).waitFor();
    await rmdir(later);
    await button('Start 2 photos').click();
    const name = path.basename(folder);
    await row(new RegExp(`photo-00\\.jpg 80 × 60.* ${name}`)).waitFor({ timeout: journeyWaitMs() });
    await row(new RegExp(`photo-01\\.png 82 × 60.* ${name}`)).waitFor();
    expect((await readdir(folder)).sort()).toEqual(['photo-00-2x.jpg', 'photo-01-2x.png']);
    await page.reload();
    await field.waitFor();
    await expect.poll(() => field.inputValue()).toBe(folder);
  });

  it('are saved there afterwards too, and never cleared without a word', async () => {
    await chooseForAll(page, en.clearFinished);
    const dialog = page.getByRole('dialog', { name: 'Some photos are not saved' });
    await dialog.getByText('1 photo is not saved yet.').waitFor();
    await dialog.getByText('Only the list is emptied; saved files stay').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove 2 saved' }).click();
    await expect.poll(() => row(/photo-0/).count()).toBe(1);
    await chooseForAll(page, en.clearFinished);
    await dialog.getByRole('button', { name: 'Save, then remove' }).click();
    await expect.poll(() => row(/photo-0/).count(), soon).toBe(0);
    expect(await readdir(folder)).toContain('photo-02-2x.webp');
  });

  it('count as saved once they were downloaded', async () => {
    await place().selectOption('Save later, within 24 hours');
    await dropFiles(page, await mixedFiles(1));
    await button('Start 1 photo').click();
    await row(/photo-00\.jpg 80 × 60.* not saved/).waitFor({ timeout: journeyWaitMs() });
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.keyboard.press('Control+s'),
    ]);
    expect(saved.suggestedFilename()).toBe('photo-00-2x.jpg');
    await row(/photo-00\.jpg 80 × 60.*(?<!not) saved$/).waitFor();
    await chooseForAll(page, en.clearFinished);
    await expect.poll(() => row(/photo-0/).count()).toBe(0);
    expect(open.complaints).toEqual([]);
  });

  it('go where it was set for a finished photo, which other finished ones get, and new ones as none waits', async () => {
    const own = await realpath(temporaryFolder());
    const chosenPlace = () => place().locator('option:checked').textContent();
    // A page that has not shown a folder yet offers none.
    await page.reload();
    await place().waitFor();
    await dropFiles(page, await mixedFiles(2));
    await button('Start 2 photos').click();
    await row(/photo-01\.png 82 × 60.* not saved/).waitFor({ timeout: journeyWaitMs() });
    await row(/photo-00\.jpg 80 × 60.* not saved/).click({ timeout: journeyWaitMs() });
    await place().selectOption('One folder');
    // What was begun to be entered stays with the photo, too.
    await row(/photo-01/).click();
    await expect.poll(chosenPlace).toBe('Save later, within 24 hours');
    await row(/photo-00/).click();
    await place().selectOption('One folder');
    // A folder may take long to answer.
    await page.route('**/api/grants', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.continue();
    });
    await page.getByLabel('Save to').fill(own);
    await page.getByLabel('Save to').press('Tab');
    await row(/photo-01/).click();
    await expect.poll(chosenPlace).toBe('One folder');
    expect(await page.getByLabel('Save to').inputValue()).toBe(own);
    await page.getByText('Not saved · New results are saved here').waitFor();
    // With no photo chosen it does not look lost.
    await page.getByRole('listbox').press('Space');
    await page.getByText(en.forNew).waitFor();
    await expect.poll(chosenPlace).toBe('One folder');
    await expect.poll(savedTo).toBe(own);
    await row(/photo-00/).click();
    await expect.poll(() => page.getByLabel('Save to').inputValue()).toBe(own);
    // What is chosen while a folder is granted counts instead of it.
    await page.getByLabel('Save to').fill(path.dirname(own));
    const granted = page.waitForResponse('**/api/grants');
    await page.getByLabel('Save to').press('Tab');
    await place().selectOption('Save later, within 24 hours');
    await granted;
    await row(/photo-01/).click();
    await row(/photo-00/).click();
    await expect.poll(chosenPlace).toBe('Save later, within 24 hours');
    await place().selectOption('One folder');
    await page.getByLabel('Save to').fill(own);
    await page.getByLabel('Save to').press('Tab');
    await expect.poll(savedTo).toBe(own);
    await page.locator('aside').getByRole('button', { name: en.folderUnset }).waitFor();
    const again = button('Run 1 selected again');
    expect(await again.getAttribute('title')).toMatch(/photo-\d\d\.\w+$/);
    await again.click();
    await row(new RegExp(`photo-00\\.jpg 80 × 60.* ${path.basename(own)}`)).waitFor({
      timeout: journeyWaitMs(),
    });
    expect(await readdir(own)).toEqual(['photo-00-2x.jpg']);
    await page.reload();
    await row(/photo-00/).click();
    await expect.poll(() => page.getByLabel('Save to').inputValue()).toBe(own);
    await row(/photo-01/).click();
    await expect.poll(() => page.getByLabel('Save to').inputValue()).toBe(own);
    await place().selectOption('Save later, within 24 hours');
    await expect.poll(savedTo).toBe('');
    await page.getByRole('listbox').press('Control+a');
    await page.getByRole('listbox').press('Delete');
    await expect.poll(() => row(/photo-0/).count()).toBe(0);
  });

  it('lie in the folder that was typed last, however soon after it Start is pressed', async () => {
    const typed = await realpath(temporaryFolder());
    const granted = Promise.withResolvers<undefined>();
    await page.reload();
    await place().waitFor();
    await page.route('**/api/grants', async (route) => {
      await granted.promise;
      await route.continue();
    });
    await dropFiles(page, await mixedFiles(1));
    await place().selectOption('One folder');
    await button('Start 1 photo').click();
    await page.getByText('Choose a folder for the results first.').waitFor();
    await page.getByLabel('Save to').fill(typed);
    // The browser hands the folder over as the click takes the focus off it.
    await button('Start 1 photo').click();
    granted.resolve(undefined);
    await row(new RegExp(`photo-00\\.jpg 80 × 60.* ${path.basename(typed)}`)).waitFor({
      timeout: journeyWaitMs(),
    });
    expect(await readdir(typed)).toEqual(['photo-00-2x.jpg']);
    await dropFiles(page, (await mixedFiles(2)).slice(1));
    await page.getByLabel('Save to').fill(path.join(typed, 'missing'));
    await button('Start 1 photo').click();
    await page.getByText('This folder does not exist').waitFor();
    await page.getByText('Choose a folder for the results first.').waitFor();
    await row(/photo-01\.png 82 × 60, ~/).waitFor();
    // What is saved afterwards waits for its folder, too.
    await place().selectOption('Save later, within 24 hours');
    await button('Start 1 photo').click();
    await row(/photo-01\.png 82 × 60.* not saved/).waitFor({ timeout: journeyWaitMs() });
    const afterwards = path.join(await realpath(temporaryFolder()), 'made');
    await place().selectOption('One folder');
    await page.getByLabel('Save to').fill(afterwards);
    await button('Save 1 photo').click();
    await page.getByText('This folder does not exist').waitFor();
    // A person made it, and the next press finds it.
    await mkdir(afterwards);
    await page.clock.install();
    await button('Save 1 photo').click();
    const saved = page.getByText(`1 photo saved to ${afterwards}`);
    await saved.waitFor();
    expect(await readdir(afterwards)).toEqual(['photo-01-2x.png']);
    // It stands as long as a message does.
    await page.clock.fastForward(10_000);
    expect(await saved.count()).toBe(1);
    await page.clock.fastForward(5000);
    await expect.poll(() => saved.count(), soon).toBe(0);
  });
});
