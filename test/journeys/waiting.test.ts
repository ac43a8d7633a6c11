/** What the page shows while it waits, and where there is nothing to show, in real Chromium. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { patient } from '../support/machine-pace.ts';
import { chooseFiles, mixedFiles } from '../support/page-files.ts';
import { askAsPage } from '../support/page.ts';
import { withPage } from '../support/with-page.ts';

const patience = { timeout: patient(120_000) };

describe.skipIf(chromiumPath === undefined)('waiting and empty states (needs Chromium)', () => {
  let page: Page;
  withPage((opened) => ({ page } = opened));

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
    await page.getByRole('listbox', { name: 'Grid' }).getByText('photo-00.jpg').waitFor();
    await button('Grid').click();
  });
});
