/** Cut-outs to look at are marked in the list, in real Chromium over the real service and network. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { TaskList } from '../../electron/contract/task.ts';
import { en } from '../../renderer/text/languages/en/en.ts';
import { chromiumPath } from '../support/browser.ts';
import { chooseFiles, type PageFile } from '../support/page-files.ts';
import { askAsPage } from '../support/page.ts';
import { subjectPhoto, type Box } from '../support/subjects.ts';
import { withPage } from '../support/with-page.ts';
import { patient } from '../support/machine-pace.ts';

const patientMs = patient(180_000);
const [width, height] = [400, 300];
/** Around it there is hardly anything: perhaps all of the picture was taken for the subject. */
const filling = { x: 8, y: 6, width: 384, height: 288 };
const plain = { x: 110, y: 70, width: 180, height: 160 };

async function photoOf(name: string, box: Box): Promise<PageFile> {
  const { data } = subjectPhoto(width, height, box);
  const raw = { width, height, channels: 3 } as const;
  return { name, mimeType: 'image/png', buffer: await sharp(data, { raw }).png().toBuffer() };
}

describe.skipIf(chromiumPath === undefined)('cut-outs of a batch (needs Chromium)', () => {
  let page: Page;
  withPage((opened) => ({ page } = opened));

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const row = (name: string) => page.getByRole('option', { name: new RegExp(name) });

  /** Each file's grade, as its record has it; of files that are not cut out yet there is none. */
  async function grades(): Promise<Record<string, string>> {
    const { tasks } = await askAsPage<TaskList>(page, '/api/tasks');
    const finished = tasks.filter(({ status }) => status === 'FINISHED');
    return Object.fromEntries(finished.map(({ source, grade = 'none' }) => [source.name, grade]));
  }

  it('marks the row of one that a person should look at, and no other', async () => {
    const files = [await photoOf('plain.png', plain), await photoOf('filling.png', filling)];
    await chooseFiles(page, () => button('Add photos').click(), files);
    const settings = page.getByRole('group', { name: 'Settings' });
    for (const { name } of files) {
      await row(name).click();
      await settings.getByText('Cut out', { exact: true }).click();
    }
    await button('Start 2 photos').click();
    await expect
      .poll(grades, { timeout: patientMs })
      .toEqual({ 'plain.png': 'good', 'filling.png': 'look' });
    await row('filling.png').getByText(en.gradeLook).waitFor({ state: 'attached' });
    // What a row says once it is done.
    await page.getByRole('option', { name: /plain\.png 400 × 300, \d/ }).waitFor();
    expect(await row('plain.png').getByText(en.gradeLook).count()).toBe(0);
    expect(await row('plain.png').getByText(en.gradePoor).count()).toBe(0);
  });
});
