/** What Enlarger stores, as the page shows it, in real Chromium over the real service. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { StorageUse } from '../../packages/contract/src/queue.ts';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { chooseFiles, mixedFiles } from '../support/page-files.ts';
import { openFromMenu } from '../support/page-menus.ts';
import { askAsPage } from '../support/page.ts';
import { withPage } from '../support/with-page.ts';

describe.skipIf(chromiumPath === undefined)('storage in the page (needs Chromium)', () => {
  let page: Page;
  withPage((opened) => ({ page } = opened), { networks: 'quick' });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const storage = () => askAsPage<StorageUse>(page, '/api/storage');
  const dialog = () => page.getByRole('dialog', { name: 'Storage' });
  /** Size and time of a row. */
  async function cells(name: string): Promise<string[]> {
    const header = page.getByRole('rowheader', { name });
    const row = dialog().getByRole('row').filter({ has: header });
    await row.waitFor();
    return row.getByRole('cell').allTextContents();
  }

  it('shows the size of copies of photos, until when they stay, and where', async () => {
    const files = await mixedFiles(2);
    await chooseFiles(page, () => button('Add photos').click(), files);
    await button('Start 2 photos').waitFor();
    // They can be started before both are sent.
    const bytes = files.reduce((sum, { buffer }) => sum + buffer.length, 0);
    await expect.poll(async () => (await storage()).photoBytes).toBeGreaterThanOrEqual(bytes);
    const { folder, photoBytes } = await storage();
    await openFromMenu(page, 'Storage');
    const kept = 'as long as their results; 30 days if not started';
    expect(await cells('Copies of photos')).toEqual([`${Math.round(photoBytes / 1000)} kB`, kept]);
    expect(await cells('Results')).toEqual(['0 kB', '24 hrs after they finish']);
    expect(await cells('Downloaded models')).toEqual(['0 kB', 'until you remove them']);
    // What is left of the whole folder.
    const [rest = ''] = await cells('Database, previews and logs');
    expect(rest).toMatch(/^\d/);
    expect(rest).not.toBe('0 kB');
    await dialog().getByText(folder, { exact: true }).waitFor();
    // A browser opens no folder.
    expect(await dialog().getByRole('button').count()).toBe(1);
    await page.keyboard.press('Escape');
  });

  it('counts results once there are some', async () => {
    await button('Start 2 photos').click();
    const resultBytes = async () => (await storage()).resultBytes;
    await expect.poll(resultBytes, { timeout: journeyWaitMs() }).toBeGreaterThan(1000);
    await openFromMenu(page, 'Storage');
    const [size = ''] = await cells('Results');
    expect(size).not.toBe('0 kB');
  });
});
