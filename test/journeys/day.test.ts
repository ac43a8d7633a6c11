/** A day of cut-outs: small pictures of results, the selection, marks by keys and broken files, in real Chromium. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import {
  brokenFile,
  chooseFiles,
  greyFile,
  mixedFiles,
  type PageFile,
} from '../support/page-files.ts';
import { plainSubject } from '../support/subjects.ts';
import { withPage } from '../support/with-page.ts';

const soon = { timeout: 30_000 };
const names = ['bag.png', 'cup.png', 'shoe.png'] as const;
const [width, height] = [400, 300];

async function photoOf(name: string, index: number): Promise<PageFile> {
  const box = { x: 100 + 10 * index, y: 70, width: 180, height: 150 };
  const { data } = plainSubject(width, height, box);
  const raw = { width, height, channels: 3 } as const;
  return { name, mimeType: 'image/png', buffer: await sharp(data, { raw }).png().toBuffer() };
}

describe.skipIf(chromiumPath === undefined)('a day of cut-outs (needs Chromium)', () => {
  let page: Page;
  withPage((opened) => ({ page } = opened), { networks: 'quick' });

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const list = (name: string) => page.getByRole('listbox', { name });
  const row = (name: string) => list('Queue').getByRole('option', { name: new RegExp(name) });
  const selected = (name: string) => list(name).locator('[role=option][aria-selected=true]');

  it('shows the results in the list once they are there, without a reload', async () => {
    const files = await Promise.all(names.map(photoOf));
    await chooseFiles(page, () => button('Add photos').click(), files);
    await page
      .getByRole('group', { name: 'Settings' })
      .getByText('Cut out', { exact: true })
      .click();
    const format = page.getByRole('combobox', { name: 'Format', exact: true });
    const chosen = () => format.locator('option:checked').textContent();
    await expect.poll(chosen, soon).toBe('PNG, with transparency');
    const background = page.getByRole('combobox', { name: 'Background', exact: true });
    await background.selectOption('White');
    await expect.poll(chosen, soon).toBe('PNG');
    expect(await format.locator('option', { hasText: 'PNG' }).count()).toBe(1);
    const canvas = page.getByRole('combobox', { name: 'Canvas', exact: true });
    await canvas.selectOption('Square, 2000 pixels');
    await page.getByText('The canvas sets the size.').waitFor();
    await canvas.selectOption('As the photo');
    await background.selectOption('Transparent');
    await format.selectOption('JPEG');
    await page.getByText('JPEG has no transparency').waitFor();
    await format.selectOption('PNG, with transparency');
    // With an enlargement among them the same choice means another format.
    const work = (name: string) =>
      page.getByRole('group', { name: 'Settings' }).getByText(name, { exact: true });
    await row(names[0]).click();
    await work('Enlarge').click();
    await expect.poll(chosen, soon).toBe('As the original');
    await list('Queue').press('Control+a');
    await expect.poll(chosen, soon).toBe('As the original / PNG');
    await work('Cut out').click();
    await expect.poll(chosen, soon).toBe('PNG, with transparency');
    // Each row has its own small picture of the file before there is a result.
    for (const name of names) await row(name).locator('img').waitFor();
    await button('Start 3 photos').click();
    for (const name of names) {
      await row(`${name} 400 × 300, \\d`).waitFor({ timeout: journeyWaitMs() });
      const link = () => row(name).locator('img').getAttribute('src');
      await expect.poll(link, soon).toMatch(/\/thumb/);
    }
  });

  it('keeps the selection when one of the photos gets a new version', async () => {
    await list('Queue').press('Control+a');
    await expect.poll(() => selected('Queue').count()).toBe(names.length);
    await row(names[0]).click({ modifiers: ['Control'] });
    await row(names[0]).click({ modifiers: ['Control'] });
    await button('Touch up').click();
    for (const key of ['ArrowRight', 'Enter']) await page.locator('#stage-frame').press(key);
    await button('Apply').click();
    await row(`${names[0]}.*Version 2 of 2`).waitFor({ timeout: journeyWaitMs() });
    await expect.poll(() => selected('Queue').count()).toBe(names.length);
    await page.getByText('Applied as a new version.').waitFor();
  });

  it('accepts and rejects by keys in the grid, and goes on to the next', async () => {
    await page.locator('#stage-frame').click();
    await page.keyboard.press('g');
    const grid = list('Grid');
    await grid.waitFor();
    const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    await expect.poll(focused).toBe('Grid');
    await page.keyboard.press('Home');
    await page.keyboard.press('y');
    await expect.poll(() => selected('Grid').textContent(), soon).toContain(names[1]);
    await page.keyboard.press('n');
    await expect.poll(() => selected('Grid').textContent(), soon).toContain(names[2]);
    for (const where of ['Grid', 'Queue']) {
      const of = (name: string) => list(where).getByRole('option', { name: new RegExp(name) });
      await of(names[0]).getByTitle('Accepted', { exact: true }).waitFor();
      await of(names[1]).getByTitle('Rejected').waitFor();
      if (where === 'Grid') await page.keyboard.press('g');
    }
    await page.keyboard.press('f');
    await list('Filmstrip')
      .getByRole('option')
      .first()
      .getByTitle('Accepted', { exact: true })
      .waitFor();
    await page.keyboard.press('f');
  });

  it('shows in the list what was opened in the grid, and leads from there to the settings', async () => {
    // The list is too low for all rows.
    await page.setViewportSize({ width: 1440, height: 480 });
    await list('Queue').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('g');
    await list('Grid').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    const isInView = async () => {
      const [row, listed] = [
        await selected('Queue').boundingBox(),
        await list('Queue').boundingBox(),
      ];
      if (!row || !listed) return false;
      return row.y >= listed.y - 1 && row.y + row.height <= listed.y + listed.height + 1;
    };
    await expect.poll(isInView).toBe(true);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press('g');
    await page.keyboard.press('Control+a');
    const bar = page.getByRole('toolbar', { name: 'The photo' });
    await bar.getByText('photos selected').waitFor();
    await bar.getByRole('button', { name: 'Settings' }).click();
    await list('Grid').waitFor({ state: 'detached' });
    await list('Queue').getByRole('option').first().click();
  });

  it('says in a sign and words why a broken file shows nothing', async () => {
    await chooseFiles(page, () => button('Add photos').click(), [brokenFile('torn.jpg')]);
    await row('torn.jpg Not a picture that can be read').waitFor();
    const stage = page.getByRole('main');
    await stage.getByText('Not a picture that can be read').waitFor();
    await expect.poll(() => stage.locator('.bare svg').count()).toBe(1);
    expect(await visibleBroken(page)).toBe(0);
    await row('torn.jpg').locator('svg').first().waitFor();
    await page.locator('#stage-frame').click();
    await page.keyboard.press('g');
    await list('Grid').getByText('Not a picture that can be read').waitFor();
    await page.keyboard.press('g');
  });

  it('goes on by Y and N from a photo without a result, too, and says that it has none', async () => {
    await chooseFiles(page, () => button('Add photos').click(), [await greyFile('grey.png')]);
    await button('Start 1').first().click();
    await row('grey.png No subject found').waitFor({ timeout: journeyWaitMs() });
    // Two more of them: the brush that is offered for the first does not hide how the batch ended.
    const more = await Promise.all(['dull.png', 'mist.png'].map(greyFile));
    await chooseFiles(page, () => button('Add photos').click(), more);
    await button('Start 2').first().click();
    const card = page.getByRole('region', { name: 'The batch' });
    await card.getByRole('heading', { name: /^2 failed/ }).waitFor({ timeout: journeyWaitMs() });
    await page.getByText('No subject was found in dull.png: paint what to keep.').waitFor();
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await list('Queue').press('Control+a');
    await row('(dull|mist).png').first().click();
    await row('mist.png').click({ modifiers: ['Shift'] });
    await list('Queue').press('Delete');
    const words = page.getByText('grey.png has no result to accept or reject.');
    for (const where of ['Queue', 'Grid']) {
      if (where === 'Grid') await page.keyboard.press('g');
      await list(where).getByRole('option', { name: /torn/ }).click();
      await page.keyboard.press('y');
      await page.getByText('torn.jpg has no result to accept or reject.').waitFor();
      // The only result that is not judged yet.
      await expect.poll(() => selected(where).textContent(), soon).toContain('shoe');
      await list(where).getByRole('option', { name: /grey/ }).click();
      await page.keyboard.press('n');
      await words.waitFor();
      await expect.poll(() => selected(where).textContent(), soon).toContain('shoe');
      await page.keyboard.press('y');
      await expect.poll(() => words.count()).toBe(0);
      await button('Accept').and(page.locator('[aria-pressed=true]')).click();
      await button('Accept').and(page.locator('[aria-pressed=false]')).waitFor();
    }
    await page.keyboard.press('g');
  });

  it('shows the original of a TIFF that is first looked at when its result is done', async () => {
    const [jpeg, , , tiff] = (await mixedFiles(4)) as [PageFile, PageFile, PageFile, PageFile];
    // The first one of those that are added is shown.
    await chooseFiles(page, () => button('Add photos').click(), [jpeg, tiff]);
    await row(tiff.name).waitFor();
    await page
      .getByRole('group', { name: 'Settings' })
      .getByText('Enlarge', { exact: true })
      .click();
    await button('Start 2').first().click();
    await row(`${tiff.name} 86 × 60, \\d`).waitFor({ timeout: journeyWaitMs() });
    await row(tiff.name).click();
    await page.getByRole('img', { name: `After: ${tiff.name}` }).waitFor(soon);
    await page.getByRole('img', { name: `Before: ${tiff.name}` }).waitFor(soon);
    expect(await page.getByText('The original is no longer available').count()).toBe(0);
  });
});

/** Pictures that are seen and did not load, for which the browser draws a sign of its own. */
function visibleBroken(page: Page): Promise<number> {
  return page.evaluate(`[...document.images].filter(
    (image) => image.complete && image.naturalWidth === 0 &&
      getComputedStyle(image).visibility === 'visible').length`);
}
