/** One folder of results, two versions of a photo, and a person who accepts and rejects, in real Chromium. */
import { appendFile, readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../packages/contract/src/settings/settings.ts';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { patient } from '../support/machine-pace.ts';
import { dropFiles, mixedFiles } from '../support/page-files.ts';
import { showMoreOptions } from '../support/page-menus.ts';
import { askAsPage, type OpenPage } from '../support/page.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { withPage } from '../support/with-page.ts';

const soon = { timeout: patient(30_000) };

describe.skipIf(chromiumPath === undefined)('the folder of results (needs Chromium)', () => {
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

  const list = () => page.getByRole('listbox', { name: 'Queue' });
  const row = (name: RegExp) => list().getByRole('option', { name });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const toast = (words: string) => page.getByText(words, { exact: true });
  /** Widths of the pictures in the folder, by their names. */
  const held = async () => {
    const names = (await readdir(folder)).sort();
    const widths = names.map(async (name) => {
      const { width } = await sharp(await readFile(path.join(folder, name))).metadata();
      return `${name} ${width}`;
    });
    return Promise.all(widths);
  };
  const name = () => path.basename(folder);

  it('has the version that counts, under the plain name, as photos are accepted and rejected', async () => {
    await page.getByRole('heading', { name: 'Drop photos here' }).waitFor();
    await dropFiles(page, await mixedFiles(1));
    await page.getByLabel('Results go to').selectOption('One folder');
    await page.getByLabel('Save to').fill(folder);
    await page.getByLabel('Save to').press('Tab');
    const savedTo = async () => (await askAsPage<Settings>(page, '/api/settings')).newPhotos.saveTo;
    await expect.poll(savedTo, soon).toBe(folder);
    await showMoreOptions(page);
    await page.getByLabel('File name').fill('{name}.{ext}');
    await page.getByLabel('File name').press('Tab');
    await button('Start 1 photo').click();
    await row(new RegExp(`photo-00\\.jpg 80 × 60.* ${name()}`)).waitFor({
      timeout: journeyWaitMs(),
    });
    expect(await held()).toEqual(['photo-00.jpg 80']);

    await row(/photo-00/).click();
    await page.getByText('One version of each photo').waitFor();
    await page.getByRole('group', { name: 'Settings' }).getByText('4×', { exact: true }).click();
    await button('Run 1 selected again').click();
    await row(/photo-00\.jpg 160 × 120.*Version 2 of 2/).waitFor({ timeout: journeyWaitMs() });
    await expect.poll(held, soon).toEqual(['photo-00.jpg 160']);
    await toast(`Replaced in ${name()} by another version: photo-00.jpg`).waitFor();

    await list().press('n');
    await toast(`Removed from the folder “${name()}”: photo-00.jpg`).waitFor();
    await expect.poll(held, soon).toEqual(['photo-00.jpg 80']);
    await button('Undo').waitFor();
    await page.keyboard.press('Control+z');
    await expect.poll(held, soon).toEqual(['photo-00.jpg 160']);
    await toast(`Back in the folder “${name()}”: photo-00.jpg`).waitFor();

    await page.keyboard.press('v');
    await row(/Version 1 of 2/).waitFor();
    await list().press('y');
    await expect.poll(held, soon).toEqual(['photo-00.jpg 80']);
    await row(new RegExp(`photo-00\\.jpg 80 × 60.* ${name()}`)).waitFor();
  });

  it('keeps an accepted version until a new one is accepted', async () => {
    await page.getByRole('group', { name: 'Settings' }).getByText('8×', { exact: true }).click();
    await button('Run 1 selected again').click();
    await toast(`Goes into ${name()} once accepted: photo-00.jpg`).waitFor({
      timeout: journeyWaitMs(),
    });
    await row(/photo-00\.jpg 320 × 240, \d.*Version 3 of 3 \(Accepted: 1\)/).click();
    expect(await held()).toEqual(['photo-00.jpg 80']);
    await list().press('n');
    await page.getByRole('button', { name: 'Reject', pressed: true }).waitFor();
    await list().press('y');
    await expect.poll(held, soon).toEqual(['photo-00.jpg 320']);
    // It was never there before, so it is not back.
    await row(new RegExp(`photo-00\\.jpg 320 × 240.* ${name()}`)).waitFor();
    expect(await page.getByText('Back in the folder').count()).toBe(0);
  });

  it('has the version that was accepted last, also an older one', async () => {
    const stepTo = async (version: number, accepted: number) => {
      await page.keyboard.press('v');
      await row(new RegExp(`Version ${version} of 3 \\(Accepted: ${accepted}\\)`)).waitFor();
    };
    await stepTo(1, 3);
    await list().press('y');
    await expect.poll(held, soon).toEqual(['photo-00.jpg 80']);
    await stepTo(2, 1);
    await stepTo(3, 1);
    await list().press('y');
    await expect.poll(held, soon).toEqual(['photo-00.jpg 320']);
  });

  it('is left alone where somebody changed it, and the page says so', async () => {
    await appendFile(path.join(folder, 'photo-00.jpg'), 'retouched');
    await list().press('n');
    const words = `Changed or moved, so left alone in ${name()}: photo-00.jpg`;
    await toast(words).waitFor();
    // The newest of the others counts.
    await expect.poll(held, soon).toEqual(['photo-00 (2).jpg 160', 'photo-00.jpg 320']);
    expect(open.complaints).toEqual([]);
  });
});
