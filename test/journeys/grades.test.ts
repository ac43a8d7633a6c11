/** Cut-outs to look at are marked in the list, in real Chromium over the real service and network. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { TaskList } from '../../packages/contract/src/task.ts';
import { en } from '../../renderer/text/languages/en/en.ts';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { chooseFiles, type PageFile } from '../support/page-files.ts';
import { askAsPage } from '../support/page.ts';
import { subjectPhoto } from '../support/subjects.ts';
import { withPage } from '../support/with-page.ts';
import { listOnly } from '../support/page-menus.ts';

const [width, height] = [400, 300];
const bright = subjectPhoto(width, height, { x: 0, y: 0, width, height }).data;
const dark = subjectPhoto(width, height, { x: 0, y: 0, width: 0, height: 0 }).data;

/**
 * An oval subject in the middle, in a file.
 *
 * @param blur width of its edge as a share of its radius; the network is sure at 0 and in doubt from 0.4 to 0.6
 */
async function photoOf(name: string, blur: number): Promise<PageFile> {
  const data = Uint8Array.from(bright, (light, at) => {
    const x = Math.floor(at / 3) % width;
    const y = Math.floor(at / 3 / width);
    const radius = Math.hypot((x - width / 2) / 90, (y - height / 2) / 80);
    const cover = blur === 0 ? Number(radius < 1) : (1 + blur / 2 - radius) / blur;
    const share = Math.min(1, Math.max(0, cover));
    return Math.round(light * share + dark[at]! * (1 - share));
  });
  const raw = { width, height, channels: 3 } as const;
  return { name, mimeType: 'image/png', buffer: await sharp(data, { raw }).png().toBuffer() };
}

describe.skipIf(chromiumPath === undefined)('cut-outs of a batch (needs Chromium)', () => {
  let page: Page;
  withPage((opened) => ({ page } = opened), { networks: 'quick' });

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const row = (name: string) => page.getByRole('option', { name: new RegExp(name) });

  /** Each file's grade, as its record has it; of files that are not cut out yet there is none. */
  async function grades(): Promise<Record<string, string>> {
    const { tasks } = await askAsPage<TaskList>(page, '/api/tasks');
    const finished = tasks.filter(({ status }) => status === 'FINISHED');
    return Object.fromEntries(finished.map(({ source, grade = 'none' }) => [source.name, grade]));
  }

  it('marks the row of one that a person should look at, and no other', async () => {
    const files = [await photoOf('plain.png', 0), await photoOf('blurred.png', 0.5)];
    await chooseFiles(page, () => button('Add photos').click(), files);
    const settings = page.getByRole('group', { name: 'Settings' });
    for (const { name } of files) {
      await row(name).click();
      await settings.getByText('Cut out', { exact: true }).click();
    }
    await button('Start 2 photos').click();
    await expect
      .poll(grades, { timeout: journeyWaitMs() })
      .toEqual({ 'plain.png': 'good', 'blurred.png': 'look' });
    await row('blurred.png').getByText(en.gradeCheck).waitFor({ state: 'attached' });
    // What a row says once it is done.
    await page.getByRole('option', { name: /plain\.png 400 × 300, \d/ }).waitFor();
    expect(await row('plain.png').getByText(en.gradeCheck).count()).toBe(0);
    expect(await row('plain.png').getByText(en.gradePoor).count()).toBe(0);
  });

  it('lists the marked ones as those to check, until a person accepts or rejects them', async () => {
    const rows = page.getByRole('listbox').getByRole('option');
    expect(await button(/^To check ?1$/).getAttribute('title')).toBe(en.filterToCheckHint);
    await page.getByRole('region', { name: en.batchCard }).getByText('1 to check').waitFor();
    await button(/^To check ?1$/).click();
    await expect.poll(() => rows.count()).toBe(1);
    await row('blurred.png').click();
    const reason = page.getByRole('main').getByText(en.gradeCheck);
    await reason.waitFor();
    const usual = page.viewportSize()!;
    const keyOf = (name: string) =>
      page.evaluate(
        `getComputedStyle(document.querySelector('main [data-key][aria-label=${name}]'), '::after').content`,
      );
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(() => Promise.all([en.accept, en.reject].map(keyOf))).toEqual(['"Y"', '"N"']);
    await page.setViewportSize(usual);
    const eye = row('blurred.png').getByTitle(en.gradeCheck);
    expect(await eye.count()).toBe(1);
    await page.getByText(en.info, { exact: true }).click();
    await page.getByRole('region', { name: en.details }).getByText(en.gradeCheck).waitFor();
    await page.locator('label').getByText(en.settings, { exact: true }).click();
    await button(/^Accept$/).click();
    await row('blurred.png').getByText(en.markAccepted).waitFor({ state: 'attached' });
    await reason.waitFor({ state: 'detached' });
    await page.getByText(en.info, { exact: true }).click();
    await page.getByRole('region', { name: en.details }).getByText(en.gradeCheck).waitFor();
    await page.locator('label').getByText(en.settings, { exact: true }).click();
    // Not 0, which the row under it would contradict.
    await button(/^To check ?none left$/).waitFor();
    // It stays open and listed, until a person goes on.
    expect(await rows.count()).toBe(1);
    await page.getByText('For a new version of the selected photo.').waitFor();
    await listOnly(page, /^To check ?0$/);
    await page.getByText('No photos in this list.').waitFor();
    await button(/^All ?2$/).click();
    await row('blurred.png').getByText(en.markAccepted).waitFor({ state: 'attached' });
    expect(await row('blurred.png').getByText(en.gradeCheck).count()).toBe(0);
    await row('blurred.png').click();
    await button(/^Accept$/).click();
    await row('blurred.png').getByText(en.gradeCheck).waitFor({ state: 'attached' });
  });
});
