/** A service that dies while photos are sent, and a page without its link, in real Chromium. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findBarriersInBoth } from '../support/axe.ts';
import { chromiumPath } from '../support/browser.ts';
import { dropFiles, mixedFiles } from '../support/page-files.ts';
import { pauseQueue, type OpenPage } from '../support/page.ts';
import { withPage } from '../support/with-page.ts';
import { filterCount } from '../support/page-menus.ts';

const count = 42;
/** The service is killed when so many photos have been taken. */
const takenFirst = 6;
const refusedClick = 'The page connects again as soon as the service runs.';

describe.skipIf(chromiumPath === undefined)('a page without its service (needs Chromium)', () => {
  let open: OpenPage;
  let page: Page;
  withPage((opened) => ({ page } = open = opened), { networks: 'quick' });

  const rows = (words: string) =>
    page
      .getByRole('option')
      .filter({ hasText: new RegExp(words) })
      .count();

  it('sends nothing while nothing answers, and fails no photo', async () => {
    await page.getByRole('heading', { name: 'Drop photos here' }).waitFor();
    await pauseQueue(page);
    await dropFiles(page, await mixedFiles(count));
    await page.getByRole('button', { name: `Start ${count} photos` }).waitFor();
    let taken = 0;
    let sent = 0;
    page.on('response', (response) => {
      if (response.url().endsWith('/api/image-upscaler') && response.ok()) taken += 1;
    });
    page.on('request', (request) => {
      if (request.method() === 'POST') sent += 1;
    });
    await page.getByRole('button', { name: `Start ${count} photos` }).click();
    await expect.poll(() => taken, { timeout: 60_000 }).toBeGreaterThanOrEqual(takenFirst);
    await open.stop('SIGKILL');
    await page.getByText('The service does not answer').first().waitFor();
    await page.getByRole('button', { name: 'Resume queue' }).click();
    await page.getByText(refusedClick).waitFor();
    await expect.poll(() => rows('Not connected'), { timeout: 30_000 }).toBeGreaterThan(3);
    const sentBefore = sent;
    await page.waitForTimeout(4000);
    expect(sent - sentBefore, 'requests while nothing answers').toBe(0);
    await expect.poll(() => filterCount(page, 'Failed')).toBe(0);
    expect(await filterCount(page, 'To do')).toBe(count);
  }, 100_000);

  let usedUrl: string;

  it('goes on by itself with the key of another tab', async () => {
    const pageUrl = await open.begin();
    usedUrl = pageUrl;
    await page.getByRole('heading', { name: 'Enlarger was restarted' }).waitFor();
    expect(await findBarriersInBoth(page)).toEqual([]);
    const other = await page.context().newPage();
    await other.goto(pageUrl);
    await other.getByRole('listbox', { name: 'Queue' }).waitFor();
    await page.getByRole('heading', { name: 'Enlarger was restarted' }).waitFor({
      state: 'detached',
    });
    await page.getByText(refusedClick).waitFor({ state: 'detached' });
    const key = (await readFile(open.line.keyFile, 'utf8')).trim();
    const waiting = async () => {
      const answer = await fetch(new URL('/api/tasks?limit=500', open.line.url), {
        headers: { authorization: `KEY ${key}` },
      });
      return ((await answer.json()) as { tasks: { source: { name: string } }[] }).tasks;
    };
    await expect.poll(async () => (await waiting()).length, { timeout: 60_000 }).toBe(count);
    expect(new Set((await waiting()).map(({ source }) => source.name)).size).toBe(count);
    expect(await filterCount(page, 'Failed')).toBe(0);
    await other.close();
  }, 100_000);

  it('opens in another browser by the key of the data folder, and says when a key is wrong', async () => {
    const browser = page.context().browser()!;
    const other = await (await browser.newContext({ locale: 'en-GB' })).newPage();
    // The page in the first browser took the link.
    await other.goto(usedUrl);
    await other.getByText('Yours was used before').waitFor();
    await other.getByText('type “enlarger page” and press Enter').waitFor();
    await other.getByLabel('Or enter the key').waitFor();
    await other.getByText('open the file ~/.local/share/enlarger/cli.key in a text').waitFor();
    expect(await findBarriersInBoth(other)).toEqual([]);
    await other.getByLabel('Or enter the key').fill('wrong');
    await other.getByRole('button', { name: 'Open' }).click();
    await other.getByText('This key does not open the page.').waitFor();
    await other
      .getByLabel('Or enter the key')
      .fill((await readFile(open.line.keyFile, 'utf8')).trim());
    await other.getByRole('button', { name: 'Open' }).click();
    await other.getByRole('listbox', { name: 'Queue' }).waitFor();
    await other.context().close();
  });
});
