/** A folder that gets accepted results only, as a person sees it fill, in real Chromium. */
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../packages/contract/src/settings/settings.ts';
import type { Language } from '../../renderer/text/language.ts';
import { en } from '../../renderer/text/languages/en/en.ts';
import { findBarriers } from '../support/axe.ts';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { patient } from '../support/machine-pace.ts';
import { dropFiles, mixedFiles } from '../support/page-files.ts';
import { chooseForAll } from '../support/page-menus.ts';
import { askAsPage, type OpenPage } from '../support/page.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { withPage } from '../support/with-page.ts';

/** What a row says in each language. */
const readShortWords = async () => {
  const folder = path.resolve('renderer/text/languages');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts'));
  return Promise.all(
    files.map(async (file) => {
      const url = pathToFileURL(path.join(folder, file)).href;
      const { default: language } = (await import(url)) as { default: Language };
      return [file, language.texts.savedOnceAccepted] as const;
    }),
  );
};

const soon = { timeout: patient(30_000) };

describe.skipIf(chromiumPath === undefined)('accepted results only (needs Chromium)', () => {
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
  const check = () => page.getByRole('checkbox', { name: en.onlyAccepted });
  const card = () => page.getByRole('region', { name: en.batchCard });
  const settings = async () => (await askAsPage<Settings>(page, '/api/settings')).newPhotos;
  const held = async () => (await readdir(folder)).sort();
  const name = () => path.basename(folder);

  /** Languages whose words for it do not fit into the row. */
  const cutOff = (place: Locator, said: readonly (readonly [string, string])[]) =>
    place.evaluate((element, all) => {
      const where = element as unknown as {
        firstChild: { data: string };
        scrollWidth: number;
        clientWidth: number;
      };
      const shown = where.firstChild.data;
      const cut = all.filter(([, words]) => {
        where.firstChild.data = words;
        return where.scrollWidth > where.clientWidth;
      });
      where.firstChild.data = shown;
      return cut.map(([language]) => language);
    }, said);

  it('wait for the acceptance, and the page counts what is where', async () => {
    await page.getByRole('heading', { name: 'Drop photos here' }).waitFor();
    await dropFiles(page, await mixedFiles(3));
    await page.getByLabel('Results go to').selectOption('One folder');
    await page.getByLabel('Save to').fill(folder);
    await page.getByLabel('Save to').press('Tab');
    await expect.poll(async () => (await settings()).saveTo, soon).toBe(folder);
    await check().check();
    await page.getByText(en.onlyAcceptedHint).waitFor();
    await expect.poll(async () => (await settings()).onlyAccepted, soon).toBe(true);
    await button('Start 3 photos').click();
    await expect
      .poll(() => row(new RegExp(en.savedOnceAccepted)).count(), { timeout: journeyWaitMs() })
      .toBe(3);
    expect(await held()).toEqual([]);
    const said = await readShortWords();
    expect(said).toHaveLength(10);
    expect(await cutOff(row(/photo-00/).locator('.where'), said)).toEqual([]);
    await card().getByText(`0 in ${name()}, 3 not accepted`).waitFor();
    await page.getByText('3 photos are not saved; the first is kept until').waitFor();
    expect(await button(/^Save \d/).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
  });

  it('are saved as they are accepted, taken out as that is taken back, and put in again', async () => {
    await row(/photo-00/).click();
    await list().press('y');
    await expect.poll(held, soon).toEqual(['photo-00-2x.jpg']);
    await row(new RegExp(`photo-00.* ${name()}`)).waitFor();
    await card().getByText(`1 in ${name()}, 2 not accepted`).waitFor();
    await row(/photo-00/).click();
    await list().press('n');
    await expect.poll(held, soon).toEqual([]);
    await page
      .getByText(`Removed from the folder “${name()}”: photo-00-2x.jpg`, { exact: true })
      .waitFor();
    // Touch up has nothing of its own to take back.
    await list().press('u');
    const tool = page.getByRole('region', { name: en.touchUp });
    await tool.waitFor();
    await page.keyboard.press('Control+z');
    await expect.poll(held, soon).toEqual(['photo-00-2x.jpg']);
    await list().press('u');
    await tool.waitFor({ state: 'detached' });
    await card().getByText(`1 in ${name()}, 2 not accepted`).waitFor();
  });

  it('give their place to another accepted version, after a reload, too', async () => {
    await page.reload();
    await row(/photo-00/).click();
    expect(await check().isChecked()).toBe(true);
    await page.getByRole('group', { name: 'Settings' }).getByText('4×', { exact: true }).click();
    await button('Run 1 selected again').click();
    await row(/photo-00.*Version 2 of 2 \(Accepted: 1\)/).waitFor({ timeout: journeyWaitMs() });
    expect(await held()).toEqual(['photo-00-2x.jpg']);
    await row(/photo-00/).click();
    await list().press('y');
    await expect.poll(held, soon).toEqual(['photo-00-4x.jpg']);
  });

  it('are not saved where the list is emptied, and it says so', async () => {
    await row(/photo-01/).click();
    await list().press('n');
    await chooseForAll(page, en.clearFinished);
    const dialog = page.getByRole('dialog', { name: en.clearTitle });
    await dialog.getByText('Not accepted, so not saved: 1.').waitFor();
    await dialog.getByText('1 rejected photo is not saved, and will not be.').waitFor();
    expect(await dialog.getByRole('button', { name: en.clearSave }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Remove 1 saved' }).click();
    await expect.poll(() => row(/photo-0/).count()).toBe(2);
    expect(await held()).toEqual(['photo-00-4x.jpg']);
  });

  it('are saved as they are accepted, also where they were begun before the folder was chosen', async () => {
    await page.keyboard.press('Escape');
    await page.getByLabel('Results go to').selectOption(en.placeKeep);
    await dropFiles(page, (await mixedFiles(4)).slice(3));
    await button('Start 1 photo').click();
    await row(/photo-03.*not saved/).waitFor({ timeout: journeyWaitMs() });
    await page.getByLabel('Results go to').selectOption('One folder');
    await page.getByLabel('Save to').fill(folder);
    await page.getByLabel('Save to').press('Tab');
    expect(await check().isChecked()).toBe(true);
    await row(/photo-03/).click();
    await list().press('y');
    await expect.poll(held, soon).toEqual(['photo-00-4x.jpg', 'photo-03-2x.tif']);
    expect(open.complaints).toEqual([]);
  });
});
