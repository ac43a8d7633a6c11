/** What stays where it is: buttons, and photos in the list of another tab, in real Chromium. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { brokenFile, dropFiles, mixedFiles } from '../support/page-files.ts';
import { pauseQueue, withoutFolderDialog } from '../support/page.ts';
import { withPage } from '../support/with-page.ts';

describe.skipIf(chromiumPath === undefined)('places on the page (need Chromium)', () => {
  let page: Page;
  withPage((opened) => ({ page } = opened), { networks: 'quick' });

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const row = (name: RegExp, on = page) => on.getByRole('option', { name });

  it('keeps Resume where it is when what stood beside it was saved', async () => {
    await withoutFolderDialog(page);
    const files = await mixedFiles(6);
    await dropFiles(page, files.slice(0, 3));
    await button('Start 3 photos').click();
    await button('Save 3 photos').waitFor({ timeout: journeyWaitMs() });
    await pauseQueue(page);
    await dropFiles(page, files.slice(3));
    await button('Start 3 photos').click();
    await row(/photo-05\.bmp Waiting, no\. 3/).waitFor();
    const resume = page.locator('aside').getByRole('button', { name: 'Resume queue' });
    const save = page.locator('aside').getByRole('button', { name: /^Save 3 photos/ });
    const [before, saved] = [await resume.boundingBox(), await save.boundingBox()];
    // Side by side, in the narrowest window, too.
    expect(saved?.y).toBe(before?.y);
    await Promise.all([page.waitForEvent('download'), save.click()]);
    await save.waitFor({ state: 'detached' });
    expect(await resume.boundingBox()).toEqual(before);
    await resume.click();
    await row(/photo-05\.bmp 90 × 60/).waitFor({ timeout: journeyWaitMs() });
  });

  it('has no zoom where there is no picture, and the marks beside it where they were', async () => {
    await dropFiles(page, [brokenFile('notes.jpg')]);
    await row(/photo-00/).click();
    const bar = page.getByRole('toolbar', { name: 'The photo' });
    await bar.getByRole('button', { name: 'Fit', exact: true }).waitFor();
    const accept = bar.getByRole('button', { name: 'Accept', exact: true });
    const place = await accept.boundingBox();
    await row(/notes\.jpg Not a picture that can be read/).click();
    await bar.getByRole('button', { name: 'Fit', exact: true }).waitFor({ state: 'hidden' });
    expect(await accept.boundingBox()).toEqual(place);
  });

  it('names the copy that a button removes, and how many more', async () => {
    const [one, two] = await mixedFiles(9).then((all) => all.slice(7));
    if (one === undefined || two === undefined) throw new Error('There are nine files.');
    const copies = [one, two].map((file) => ({ ...file, name: `same-as-${file.name}` }));
    await dropFiles(page, [one, two, ...copies]);
    await button(`Remove ${copies[0]?.name}, +1`).click();
    await expect.poll(() => row(/same-as/).count()).toBe(0);
    await row(/photo-08/).waitFor();
  });

  it('lists photos in another tab as in this one', async () => {
    const kept = (name: string) =>
      page.waitForRequest(
        (request) =>
          request.method() === 'PUT' &&
          request.url().endsWith('/api/photos') &&
          (request.postData() ?? '').includes(name),
      );
    const files = await mixedFiles(12);
    for (const [at, name] of ['tree', 'apple', 'moss'].entries()) {
      const sent = kept(name);
      await dropFiles(page, [{ ...files[9 + at]!, name: `${name}.png` }]);
      await sent.then((request) => request.response());
    }
    const key = await page.evaluate<string>("sessionStorage.getItem('enlarger.key')");
    const other = await page.context().newPage();
    await other.addInitScript(`sessionStorage.setItem('enlarger.key', '${key}')`);
    await other.goto(new URL('/', page.url()).href);
    const namesIn = (on: Page) =>
      row(/(tree|apple|moss)\.png/, on)
        .locator('.name')
        .allTextContents();
    await expect.poll(() => namesIn(other)).toHaveLength(3);
    expect(await namesIn(other)).toEqual(await namesIn(page));
    expect((await namesIn(page))[0]).toMatch(/tree/);
    await other.close();
  });
});
