/** Judging and saving a batch, one photo after the other, in real Chromium. */
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { patient } from '../support/machine-pace.ts';
import { dropFiles, halfJpeg, mixedFiles } from '../support/page-files.ts';
import { chooseForAll, filterCount, listOnly } from '../support/page-menus.ts';
import { withoutFolderDialog } from '../support/page.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { withPage } from '../support/with-page.ts';

const soon = { timeout: patient(30_000) };

describe.skipIf(chromiumPath === undefined)('judging a batch (needs Chromium)', () => {
  let page: Page;
  withPage(
    async (opened) => {
      ({ page } = opened);
      // As in browsers without a dialog for folders.
      await withoutFolderDialog(page);
    },
    { networks: 'quick' },
  );

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const list = () => page.getByRole('listbox', { name: 'Queue' });
  const row = (name: string) => list().getByRole('option', { name: new RegExp(name) });
  const selected = () => list().locator('[role=option][aria-selected=true]').textContent();

  /** Whether the menu of the filters has one. */
  async function isOffered(name: RegExp): Promise<boolean> {
    await page
      .getByRole('group', { name: 'Which photos are listed' })
      .getByRole('button')
      .first()
      .click();
    await page.getByRole('menuitemradio', { name: /^All/ }).waitFor();
    const count = await page.getByRole('menuitemradio', { name }).count();
    await page.getByRole('menuitemradio', { name: /^All/ }).click();
    return count > 0;
  }

  it('goes on by the arrows after a click on Accept', async () => {
    const files = await mixedFiles(5);
    await dropFiles(page, files);
    const isForAll = page.getByText('For the 5 selected photos and the next ones you add.');
    await isForAll.waitFor();
    // Nothing can be judged yet, so the grid leaves all of them selected.
    await page.keyboard.press('g');
    await page.locator('.grid').waitFor();
    await page.keyboard.press('g');
    await isForAll.waitFor();
    expect(await button('Pause queue').count()).toBe(0);
    await button('Start 5 photos').click();
    for (const { name } of files)
      await row(`${name}.* not saved`).waitFor({ timeout: journeyWaitMs() });
    expect(await isOffered(/^Not judged yet/)).toBe(false);
    // All are selected since they were added, and the shown one is meant.
    await button('Accept').click();
    await expect.poll(selected, soon).toContain('photo-01');
    await page.keyboard.press('ArrowDown');
    await expect.poll(selected, soon).toContain('photo-02');
    expect(await filterCount(page, 'Accepted')).toBe(1);
    expect(await filterCount(page, 'Not judged yet')).toBe(4);
  });

  it('marks all that are selected in the list, which stay selected', async () => {
    await row('photo-03').click();
    await row('photo-04').click({ modifiers: ['Shift'] });
    const pressed = () =>
      Promise.all(['Accept', 'Reject'].map((name) => button(name).getAttribute('aria-pressed')));
    const accepted = page.getByText('2 photos accepted.');
    await page.keyboard.press('y');
    await accepted.waitFor();
    await expect.poll(() => filterCount(page, 'Accepted'), soon).toBe(3);
    await page.keyboard.press('Control+z');
    await accepted.waitFor({ state: 'detached' });
    await expect.poll(() => filterCount(page, 'Accepted'), soon).toBe(1);
    for (const count of [3, 1]) {
      if (count === 3) await page.keyboard.press('y');
      else await button('Accept').click();
      await expect.poll(() => filterCount(page, 'Accepted'), soon).toBe(count);
      expect(await list().locator('[role=option][aria-selected=true]').count()).toBe(2);
      await expect.poll(pressed, soon).toEqual([count === 3 ? 'true' : 'false', 'false']);
    }
    // The button of a mark takes it back, and a message says so.
    const message = page.getByText(/^No longer accepted: photo-03\.\w+, photo-04\./);
    await message.waitFor();
    await page.keyboard.press('Control+z');
    await expect.poll(() => filterCount(page, 'Accepted'), soon).toBe(3);
    await button('Accept').click();
    await message.waitFor();
    await expect.poll(() => filterCount(page, 'Accepted'), soon).toBe(1);
    // The buttons speak of what is selected, not of the photo that is shown.
    await row('photo-00').click({ modifiers: ['Control'] });
    await expect.poll(pressed, soon).toEqual(['mixed', 'false']);
    await row('photo-00').click({ modifiers: ['Control'] });
    await expect.poll(pressed, soon).toEqual(['false', 'false']);
    await row('photo-02').click();
  });

  it('goes on to what is not judged yet, and from the end to the top', async () => {
    await button('Reject').click();
    await expect.poll(selected, soon).toContain('photo-03');
    await page.keyboard.press('Control+z');
    await expect.poll(selected, soon).toContain('photo-02');
    await expect.poll(() => button('Reject').getAttribute('aria-pressed'), soon).toBe('false');
    await button('Reject').click();
    await expect.poll(selected, soon).toContain('photo-03');
    await row('photo-01').click();
    await button('Accept').click();
    await expect.poll(selected, soon).toContain('photo-03');
    await row('photo-04').click();
    await button('Accept').click();
    await expect.poll(selected, soon).toContain('photo-03');
    await expect.poll(() => filterCount(page, 'Not judged yet'), soon).toBe(1);
  });

  it('keeps what was judged where it stood, until a list is chosen anew', async () => {
    const listed = async () =>
      (await list().getByRole('option').allTextContents()).map((words) =>
        words.replace(/.*(photo-\d+).*/, '$1'),
      );
    await listOnly(page, /^Accepted 3/);
    await row('photo-00').click();
    await button('Reject').click();
    await row('photo-04').click();
    await expect.poll(() => filterCount(page, 'Accepted'), soon).toBe(2);
    await button(/^Accepted ?2 of 3$/).waitFor();
    expect(await listed()).toEqual(['photo-00', 'photo-01', 'photo-04']);
    await listOnly(page, /^Accepted 2/);
    await expect.poll(listed, soon).toEqual(['photo-01', 'photo-04']);
    await button(/^All/).click();
    await row('photo-00').click();
    await button('Accept').click();
  });

  it('stays at the last one, which stays listed with its settings', async () => {
    await listOnly(page, /^Accepted 3/);
    await row('photo-04').click();
    await button('Reject').click();
    await row('photo-04').and(page.locator('[aria-selected=true]')).waitFor();
    await page.getByText('For a new version of the selected photo.').waitFor();
    await page.keyboard.press('y');
    await button(/^All/).click();
    await row('photo-03').click();
    await page.keyboard.press('y');
    await row('photo-03').and(page.locator('[aria-selected=true]')).waitFor();
    await expect.poll(() => isOffered(/^Not judged yet/), soon).toBe(false);
  });

  it('saves what was accepted by the main button, in the grid and out of it, all by the menu', async () => {
    const mainButtons = () => page.locator('button.main:visible').allTextContents();
    await button('Accept').click();
    await expect.poll(mainButtons, soon).toEqual(['Save 3 accepted']);
    await page.keyboard.press('g');
    await page.locator('.grid').waitFor();
    await expect.poll(mainButtons, soon).toEqual(['Save 3 accepted']);
    await page.keyboard.press('g');
    await list().waitFor();
    await row('photo-02').click();
    await row('photo-03').click({ modifiers: ['Shift'] });
    expect(await mainButtons()).toEqual(['Save 3 accepted']);
    await row('photo-03').click();
    await page.keyboard.press('y');
    await expect.poll(mainButtons, soon).toEqual(['Save 4 accepted']);
    await button('Accept').click();
    await expect.poll(mainButtons, soon).toEqual(['Save 3 accepted']);
    await button('More for all photos').click();
    expect(await page.getByRole('menuitem').allTextContents()).toContain('Save 4 photos');
    await page.keyboard.press('Escape');
    await page.keyboard.press('y');
    await expect.poll(mainButtons, soon).toEqual(['Save 4 accepted']);
  });

  it('saves in another format, by the menu beside each button, what that button saves', async () => {
    const saveAs = async (menu: string) => {
      await button(menu).click();
      const [first] = await page.getByRole('menuitem').allTextContents();
      expect(first?.trim()).toBe('Save as');
      await page.getByRole('menuitem', { name: 'Save as' }).click();
      await page.getByRole('dialog').waitFor();
      const title = await page.getByRole('dialog').getByRole('heading').textContent();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      return title;
    };
    await row('photo-02').click();
    await row('photo-03').click({ modifiers: ['Shift'] });
    expect(await saveAs('More ways to save the result')).toBe('Save 2 results as');
    await chooseForAll(page, 'Save as');
    await page.getByRole('dialog', { name: 'Save 4 results as' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.locator('.grid').waitFor();
    expect(await saveAs('More actions for the selected photos')).toBe('Save 4 results as');
    await page.keyboard.press('g');
    await page.locator('.grid').waitFor({ state: 'detached' });
    await row('photo-03').click();
  });

  it('takes the last of marks that are pressed before the service answers', async () => {
    const answered: unknown[] = [];
    const slowly = async (route: Route) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await route.fulfill({ response: await route.fetch() });
      answered.push(route.request().postDataJSON());
    };
    await row('photo-00').click();
    await page.route('**/api/task/*/mark', slowly);
    await page.keyboard.press('n');
    await row('photo-00').and(page.locator('[aria-selected=true]')).waitFor();
    await page.keyboard.press('y');
    await expect.poll(() => answered, soon).toEqual([{ mark: 'rejected' }, { mark: 'accepted' }]);
    await expect.poll(() => filterCount(page, 'Accepted'), soon).toBe(4);
    await page.unroute('**/api/task/*/mark', slowly);
    await row('photo-03').click();
  });

  it('selects the photo that it shows again after a reload, and several that were selected', async () => {
    const several = list().locator('[role=option][aria-selected=true]');
    await row('photo-01').click({ modifiers: ['Control'] });
    await page.reload();
    await page.locator('#stage-frame').and(page.getByLabel('photo-01')).waitFor();
    expect(await several.allTextContents()).toEqual([
      expect.stringContaining('photo-01'),
      expect.stringContaining('photo-03'),
    ]);
    await row('photo-03').click();
    await page.reload();
    await row('photo-03').and(page.locator('[aria-selected=true]')).waitFor();
    await page.getByText('For a new version of the selected photo.').waitFor();
  });

  it('saves all into the folder that stands over Save, with one photo chosen, and runs none again', async () => {
    const folder = path.join(temporaryFolder(), 'finished');
    await mkdir(folder);
    await page.getByText('For a new version of the selected photo.').waitFor();
    expect(await button('Save 4 accepted').getAttribute('title')).toBe('as one ZIP file');
    await page.getByLabel('Results go to').selectOption('One folder');
    await page
      .getByText('Not saved · New results are saved here; Save puts finished ones here, too.')
      .waitFor();
    await page.getByLabel('Save to').fill(folder);
    await page.getByLabel('Save to').press('Tab');
    const [field, save] = await Promise.all([
      page.getByLabel('Save to').boundingBox(),
      button('Save 4 accepted').boundingBox(),
    ]);
    expect(save!.y - field!.y).toBeLessThan(160);
    expect(await button('Save 4 accepted').getAttribute('title')).toBe('→ finished');
    await button('Save 4 accepted').click();
    await page.getByText(/4 photos saved to .*finished/).waitFor({ timeout: journeyWaitMs() });
    expect(await readdir(folder)).toHaveLength(4);
    await page.getByText('All photos are done.').waitFor();
    // The folder is that of the others, too, as of the rejected one.
    await row('photo-02').click();
    await expect.poll(() => page.getByLabel('Save to').inputValue(), soon).toBe(folder);
    await row('photo-03').click();
  });

  it('offers no more to save all once all is saved, and calls nothing rejected not saved', async () => {
    await button('Remove finished from list').waitFor();
    expect(await page.getByRole('button', { name: /^Save \d/ }).count()).toBe(0);
    await expect.poll(() => row('not saved').count()).toBe(0);
    await button('More for all photos').click();
    await page.getByRole('menuitem', { name: 'Save 4 photos' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('counts in the card what failed in this run, and says so where more has failed', async () => {
    // How much of a progressive file is there is known only once it is decoded.
    const damaged = (name: string) => halfJpeg(name, { progressive: true });
    const card = page.getByRole('region', { name: 'The batch' });
    await dropFiles(page, [await damaged('broken-1.jpg'), await damaged('broken-2.jpg')]);
    await button('Start 2 photos').click();
    await card.getByRole('heading', { name: '2 failed' }).waitFor({ timeout: journeyWaitMs() });
    const [file] = (await mixedFiles(6)).slice(5);
    await dropFiles(page, [file!, await damaged('broken-3.jpg')]);
    await button('Start 2 photos').click();
    await card.getByText(/^1 failed in this run ·/).waitFor({ timeout: journeyWaitMs() });
    expect(await filterCount(page, 'Failed')).toBe(3);
  });

  it('puts a photo that is run again into the folder that stands there', async () => {
    await row('photo-02').click();
    const folder = await page.getByLabel('Save to').inputValue();
    const before = await readdir(folder);
    await button('Run 1 selected again').click();
    const wait = { timeout: journeyWaitMs() };
    await expect.poll(() => readdir(folder), wait).toHaveLength(before.length + 1);
  });

  it('says of a photo whose shown version is rejected where the one lies that counts', async () => {
    await row('photo-02.*Version 2 of 2.*finished').waitFor();
    await page.getByLabel('Results go to').selectOption('Save later, within 24 hours');
    await button('Run 1 selected again').click();
    await row('photo-02.*Version 3 of 3.*not saved').waitFor({ timeout: journeyWaitMs() });
    await page.keyboard.press('n');
    await row('photo-02.*Version 3 of 3.*\\(Rejected\\).*finished').waitFor();
    expect(await row('photo-02').textContent()).not.toMatch(/saved/);
    expect(await row('photo-02').getByTitle('Rejected').count()).toBe(0);
  });

  const boxOf = async (part: Locator) => (await part.boundingBox())!;
  const footOf = () => page.getByRole('region', { name: 'Queue' }).locator('footer');

  it('keeps the last row in view when a line on what is not saved comes under the list', async () => {
    const usual = page.viewportSize()!;
    await page.setViewportSize({ width: 1100, height: 640 });
    await dropFiles(page, (await mixedFiles(8)).slice(6));
    await row('photo-06').click();
    await page.keyboard.press('p');
    await button('Resume queue').waitFor();
    await button(/^Start 1 /).click();
    await row('photo-06.*Waiting').waitFor();
    await row('photo-07').click();
    expect(await footOf().locator('.unsaved').count()).toBe(0);
    await button('Resume queue').click();
    await footOf().locator('.unsaved').waitFor({ timeout: journeyWaitMs() });
    const overlap = async () => {
      const { y, height } = await boxOf(row('photo-07'));
      return y + height - (await boxOf(footOf())).y;
    };
    await expect.poll(overlap, soon).toBeLessThan(1);
    await page.setViewportSize(usual);
  });

  it('saves at one place, whatever the queue does, and puts no other button there', async () => {
    const save = button('Save 1 accepted');
    const under = () => footOf().getByRole('button').first().getAttribute('aria-label');
    /** Each that stands out, and not only its words. */
    const saving = () => page.locator('button:not(.quiet)', { hasText: 'Save' }).allTextContents();
    await row('photo-06').click();
    await page.keyboard.press('y');
    await page.keyboard.press('p');
    await row('photo-07').click();
    await button(/^Start 1 /).click();
    await button('Resume queue').and(page.locator('.main')).waitFor();
    const { x, y, width, height } = await boxOf(save);
    expect([await under(), await saving()]).toEqual(['More for all photos', ['Save 1 accepted']]);
    await button('Resume queue').click();
    await row('photo-07.* not saved').waitFor({ timeout: journeyWaitMs() });
    await save.and(page.locator('.main')).waitFor();
    expect([await under(), await saving()]).toEqual(['More for all photos', ['Save 1 accepted']]);
    const after = await boxOf(save);
    expect(after.x).toBeLessThan(x);
    expect(after.x + after.width).toBeGreaterThan(x + width - 1);
    expect(after.y).toBeLessThan(y + height / 2);
    expect(after.y + after.height).toBeGreaterThan(y + height / 2);
  });

  it('marks a done photo in the grid with its verdict alone', async () => {
    await page.keyboard.press('g');
    const cell = page.locator('.grid [role=option]', { hasText: 'photo-06' });
    await cell.getByTitle('Accepted').waitFor();
    expect(await cell.locator('svg').count()).toBe(1);
    await page.keyboard.press('g');
  });
});
