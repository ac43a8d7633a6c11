/** What the page shows while it waits, and where there is nothing to show, in real Chromium. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { chooseFiles, dropFiles, greyFile, mixedFiles } from '../support/page-files.ts';
import { listOnly, openFromMenu } from '../support/page-menus.ts';
import { askAsPage, type OpenPage } from '../support/page.ts';
import { widthOf } from '../support/stage.ts';
import { withPage } from '../support/with-page.ts';
import { zipOf } from '../support/zip.ts';

const patience = { timeout: journeyWaitMs() };

/** Notes whether the first button ever offered to save and took no click. */
const watchSaveScript = `
  window.tookNoClick = false;
  new MutationObserver(() => {
    const first = document.querySelector('button.next.main');
    window.tookNoClick ||=
      first?.ariaDisabled === 'true' && first.textContent.startsWith('Save');
  }).observe(document.body, { attributes: true, childList: true, subtree: true });
`;

describe.skipIf(chromiumPath === undefined)('waiting and empty states (needs Chromium)', () => {
  let open: OpenPage;
  let page: Page;
  withPage((opened) => ({ page } = open = opened), { networks: 'quick' });

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const row = (name: RegExp) => page.getByRole('option', { name });
  const stage = (name: string) => page.locator('#stage-frame').and(page.getByLabel(name));

  it('shows the same photo after a reload, and Start still begins all', async () => {
    await chooseFiles(page, () => button('Add photos').click(), await mixedFiles(3));
    await button('Start 3 photos').waitFor();
    await row(/photo-01\.png/).click();
    await stage('photo-01.png').waitFor();
    const kept = async () =>
      (await askAsPage<{ photos: object[] }>(page, '/api/photos')).photos.length;
    await expect.poll(kept, patience).toBe(3);
    await page.reload();
    await stage('photo-01.png').waitFor();
    await button('Start 3 photos').waitFor();
  });

  it('says that a file cannot be previewed only once no view of it came', async () => {
    const before = page.getByRole('img', { name: 'Before: photo-01.png' });
    await before.waitFor();
    const held: ((isMade: boolean) => void)[] = [];
    const thumbnails = Promise.withResolvers<boolean>();
    await page.route('**/api/thumbnails', async (route) => {
      const { sidePx } = route.request().postDataJSON() as { sidePx: number };
      const { promise, resolve } = Promise.withResolvers<boolean>();
      if (sidePx > 1000) held.push(resolve);
      else await thumbnails.promise;
      const isMade = sidePx <= 1000 || (await promise);
      await (isMade ? route.continue() : route.fulfill({ status: 503, json: {} }));
    });
    await page.reload();
    const words = stage('photo-01.png').getByText(/The browser cannot preview this file/);
    await expect.poll(() => held.length, patience).toBe(1);
    await stage('photo-01.png').getByText('Reading').waitFor();
    expect(await words.count()).toBe(0);
    // The row's picture is there first, and is shown meanwhile.
    thumbnails.resolve(true);
    await before.waitFor();
    const small = await before.getAttribute('src');
    held[0]?.(true);
    await expect.poll(() => before.getAttribute('src'), patience).not.toBe(small);
    await row(/photo-00\.jpg/).click();
    await expect.poll(() => held.length, patience).toBe(2);
    held[1]?.(false);
    await stage('photo-00.jpg')
      .getByText(/The browser cannot preview this file/)
      .waitFor();
    await page.unroute('**/api/thumbnails');
    await page.reload();
    await row(/photo-01\.png/).click();
    open.complaints.splice(0, open.complaints.length);
  });

  it('says that no photo has a name, and clears the search, in the list and in the grid', async () => {
    const search = page.getByRole('searchbox');
    await search.fill('zzzz');
    const none = page.getByText('No photo is called zzzz.');
    await none.waitFor();
    await button('Clear the search').click();
    await row(/photo-00\.jpg/).waitFor();
    await search.fill('zzzz');
    await button('Grid').click();
    await page.getByRole('main').getByText('No photo is called zzzz.').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Clear the search' }).click();
    await page
      .getByRole('listbox', { name: 'Grid' })
      .getByTitle(/^photo-00/)
      .waitFor();
    await button('Grid').click();
  });

  const archive = { name: 'models.zip', mimeType: 'application/zip', buffer: zipOf({ a: 'b' }) };

  it('takes an archive that is dropped into the models view for a model, not for a photo', async () => {
    await openFromMenu(page, 'Models');
    const dialog = page.getByRole('dialog', { name: 'Models' });
    await dropFiles(page, [archive]);
    await dialog.getByRole('alert').filter({ hasText: 'models.zip' }).waitFor(patience);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await button(/^All ?3$/).waitFor();
    open.complaints.splice(0, open.complaints.length);
  });

  it('says of an archive that is dropped elsewhere that it has to be unpacked', async () => {
    await dropFiles(page, [archive]);
    await row(/models\.zip Not a picture that can be read/).waitFor(patience);
    await page.getByRole('main').getByText('the file is a ZIP archive; unpack it first').waitFor();
    await page.getByRole('listbox').press('Delete');
    await button(/^All ?3$/).waitFor();
    await row(/photo-01\.png/).click();
    open.complaints.splice(0, open.complaints.length);
  });

  it('shows each model of a try as it comes, and tries those again that failed', async () => {
    const held: (() => void)[] = [];
    let isHolding = true;
    await page.route('**/api/previews', async (route) => {
      const { models } = route.request().postDataJSON() as { models: string[] };
      if (!isHolding || models[0] === 'natural') return route.continue();
      await new Promise<void>((resolve) => held.push(resolve));
      const body = { code: 'MODEL_UNAVAILABLE', error: 'x', message: 'Busy.', statusCode: 503 };
      return route.fulfill({ status: 503, json: body });
    });
    await button('Try here').click();
    await stage('photo-01.png').press('Enter');
    const trial = page.getByRole('region', { name: 'Try here' });
    const natural = trial.getByRole('img', { name: 'Natural', exact: true });
    await expect
      .poll(async () => ((await natural.count()) === 0 ? 0 : widthOf(natural)), patience)
      .toBeGreaterThan(0);
    await trial.getByText('Faithful', { exact: true }).waitFor();
    expect(await trial.getByRole('img', { name: 'Faithful' }).count()).toBe(0);
    await expect.poll(() => held.length, patience).toBe(1);
    held[0]?.();
    await expect.poll(() => held.length, patience).toBe(2);
    isHolding = false;
    held[1]?.();
    await trial.getByText('Faithful: Busy.').waitFor();
    await trial.getByRole('button', { name: 'Retry' }).click();
    for (const name of ['Natural', 'Faithful', 'Restore'])
      await trial.getByRole('img', { name, exact: true }).waitFor(patience);
    expect(await trial.getByRole('button', { name: 'Retry' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.unroute('**/api/previews');
    open.complaints.splice(0, open.complaints.length);
  });

  it('ends a batch with a card whose buttons are the next steps', async () => {
    await chooseFiles(page, () => button('Add photos').click(), [await greyFile('grey.png')]);
    await row(/grey\.png/).click();
    await page
      .getByRole('group', { name: 'Settings' })
      .getByText('Cut out', { exact: true })
      .click();
    await page.getByRole('listbox').press('Escape');
    const known = await mixedFiles(2);
    const copy = { ...known[0]!, name: 'same.jpg' };
    await chooseFiles(page, () => button('Add photos').click(), [...known, copy]);
    const twice = page.getByText('2 photos are in the list already, and were not added again.');
    await twice.waitFor();
    await page.getByRole('listbox').press('Escape');
    await page.evaluate(watchSaveScript);
    await button('Start 5 photos').click();
    // Who started the others did not want these.
    await twice.waitFor({ state: 'detached' });
    const card = page.getByRole('region', { name: 'The batch' });
    await card.getByRole('heading', { name: '4 photos are done' }).waitFor(patience);
    await card.getByText(/^1 failed · in [^·]+$/).waitFor();
    // It came to the place of Pause.
    const save = button(/^Save \d photos/);
    await expect.poll(() => save.getAttribute('aria-disabled')).toBe('false');
    expect(await page.evaluate('window.tookNoClick')).toBe(true);
    // No subject is found however often it is looked for.
    expect(await card.getByRole('button', { name: /Retry/ }).count()).toBe(0);
    await dropFiles(page, (await mixedFiles(4)).slice(3));
    await button('Start 1 photo').click();
    // The next batch begins, and the card of this one goes.
    await card.getByRole('heading', { name: '4 photos are done' }).waitFor({ state: 'detached' });
  });

  it('still says afterwards which picture came twice', async () => {
    await row(/same\.jpg .*Same picture twice/).waitFor();
    await listOnly(page, /^Same picture twice ?1$/);
    await expect.poll(() => page.getByRole('listbox').getByRole('option').count()).toBe(1);
    await row(/same\.jpg/).click();
    await page.getByText('Info', { exact: true }).click();
    await page.getByRole('definition').getByText('Same picture as photo-00.jpg').waitFor();
    await page.getByText('Settings', { exact: true }).first().click();
    await button(/^All ?\d$/).click();
  });

  it('tells two photos of one file name apart, in the list and in the grid', async () => {
    const namesake = { ...(await mixedFiles(8))[7]!, name: 'photo-01.png' };
    await dropFiles(page, [namesake]);
    await row(/photo-01\.png #1/).waitFor();
    await row(/photo-01\.png #2/).waitFor();
    expect(await row(/#/).count()).toBe(2);
    await button('Grid').click();
    const cells = page.getByRole('listbox', { name: 'Grid' });
    await cells.getByTitle(/^photo-01\.png #2:/).waitFor();
    await button('Grid').click();
    await row(/photo-01\.png #2/).click();
    await button('Remove selected').click();
    await row(/photo-01\.png(?! #)/).waitFor();
    expect(await row(/#/).count()).toBe(0);
  });

  it('reviews the batch from its card', async () => {
    await row(/grey\.png No subject found/).waitFor(patience);
    await page.getByRole('listbox').press('Control+a');
    await button(/^Run \d selected again$/).click();
    const card = page.getByRole('region', { name: 'The batch' });
    await card.getByRole('button', { name: 'Review all' }).click(patience);
    const grid = page.getByRole('listbox', { name: 'Grid' });
    await grid.waitFor();
    // Without its photos nothing is left to review, until they are back.
    await listOnly(page, /^All ?\d$/);
    await grid.press('Control+a');
    await grid.press('Delete');
    await card.waitFor({ state: 'detached' });
    await button('Undo').click();
    await card.waitFor();
    await card.getByRole('button', { name: 'Dismiss' }).click();
    expect(await card.count()).toBe(0);
    const areShown =
      "[...document.querySelectorAll('[role=listbox] img')].every((one) => one.naturalWidth > 0)";
    await expect.poll(() => page.evaluate(areShown), patience).toBe(true);
    // The thumbnail of a photo that was removed that moment is not found.
    expect(open.complaints.filter((one) => !one.includes('/source-thumb.webp'))).toEqual([]);
  });
});
