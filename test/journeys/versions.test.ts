/** One photo with its versions, and photos that outlive a reload before they are started, in real Chromium. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { AddedPhotos } from '../../packages/contract/src/photo.ts';
import { findBarriersInBoth } from '../support/axe.ts';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { brokenFile, chooseFiles, dropFiles, greyFile, mixedFiles } from '../support/page-files.ts';
import { askAsPage, pauseQueue, type OpenPage } from '../support/page.ts';
import { withPage } from '../support/with-page.ts';
import { patient } from '../support/machine-pace.ts';
import { filterCount, listOnly } from '../support/page-menus.ts';

const soon = { timeout: patient(30_000) };

describe.skipIf(chromiumPath === undefined)('a photo and its versions (needs Chromium)', () => {
  let open: OpenPage;
  let page: Page;
  withPage((opened) => ({ page } = open = opened), { networks: 'quick' });

  const row = (name: RegExp) => page.getByRole('option', { name });
  const rows = () => page.getByRole('listbox').getByRole('option').count();
  /** Names in the order of the list. */
  const listed = async () =>
    (await page.getByRole('listbox').getByRole('option').allTextContents()).map(
      (words) => words.trim().split(' ')[0],
    );
  const setting = (name: string) =>
    page.getByRole('group', { name: 'Settings' }).getByText(name, { exact: true });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

  it('is found again after a reload before it was started, with its settings', async () => {
    await page.getByRole('heading', { name: 'Drop photos here' }).waitFor();
    await dropFiles(page, [...(await mixedFiles(3)), brokenFile('torn.jpg')]);
    await row(/photo-02\.webp 84 × 60/).click();
    await setting('4×').click();
    await row(/photo-02\.webp 168 × 120/).waitFor();
    const kept = ['photo-00.jpg 2', 'photo-01.png 2', 'photo-02.webp 4', 'torn.jpg 2'];
    await expect.poll(() => keptOf(page), soon).toEqual(kept);
    await page.getByRole('listbox').press('Alt+ArrowUp');
    const names = ['photo-00.jpg', 'photo-02.webp', 'photo-01.png', 'torn.jpg'];
    await expect.poll(listed, soon).toEqual(names);
    await page.reload();
    await expect.poll(listed, soon).toEqual(names);
    await row(/photo-02\.webp 168 × 120/).waitFor();
    await row(/photo-00\.jpg 80 × 60/).waitFor();
    await row(/torn\.jpg Not a picture/).waitFor();
    await expect.poll(rows).toBe(4);
  });

  it('is not found again once it was removed', async () => {
    await row(/torn\.jpg/).click();
    await page.getByRole('listbox').press('Delete');
    await expect.poll(rows).toBe(3);
    await expect.poll(async () => (await keptOf(page)).length, soon).toBe(3);
    await page.reload();
    await row(/photo-02\.webp 168 × 120/).waitFor();
    await expect.poll(rows).toBe(3);
  });

  it('is ready again when it is cancelled while it waits, also after a reload', async () => {
    await pauseQueue(page);
    await button('Start 3 photos').click();
    for (const name of [/photo-00\.jpg Waiting/, /photo-01\.png Waiting/, /photo-02\.webp Waiting/])
      await row(name).waitFor();
    await page.reload();
    await row(/photo-01\.png Waiting/).click();
    expect(await listed()).toEqual(['photo-00.jpg', 'photo-02.webp', 'photo-01.png']);
    await page.evaluate(`void new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        const button = document.querySelector('main button[aria-label="Remove selected"]');
        if (button === null) return;
        observer.disconnect();
        resolve(button.disabled);
      }).observe(document.body, { childList: true, subtree: true });
    }).then((isDisabled) => (window.cameDisabled = isDisabled))`);
    await button('Cancel').click();
    await row(/photo-01\.png 82 × 60, ~/).waitFor();
    // A second click on Cancel removes nothing: what comes to its place cannot be clicked for a moment.
    await expect.poll(() => page.evaluate('window.cameDisabled'), soon).toBe(true);
    await expect.poll(() => button('Remove selected').isEnabled(), soon).toBe(true);
    await page.getByText('1 photo no longer waits.').waitFor();
    await page.keyboard.press('Control+z');
    await row(/photo-01\.png Waiting/).waitFor();
    await button('Cancel').dblclick();
    await row(/photo-01\.png 82 × 60, ~/).waitFor();
    expect(await filterCount(page, 'Failed')).toBe(0);
    expect(open.complaints).toEqual([]);
    // It is selected, but was just taken out of the queue.
    await button('Resume queue').and(page.locator('.main')).waitFor();
    await button('Start 1 photo').click();
    await button('Resume queue').click();
    for (const name of [/photo-00\.jpg 80 × 60, \d/, /photo-01\.png 82 × 60, \d/])
      await row(name).waitFor({ timeout: journeyWaitMs() });
  });

  it('is run again with other settings, beside what is there', async () => {
    await row(/photo-00\.jpg/).click();
    await page.getByText('For a new version of the selected photo.').waitFor();
    await setting('4×').click();
    await page.getByText('40 × 30 becomes 160 × 120 pixels').waitFor();
    await page.getByText(/· .* of results/).waitFor();
    await pauseQueue(page);
    await button('Run 1 selected again').click();
    // The settings are those that the new version is made with, while the one before is shown.
    await row(/photo-00\.jpg Waiting/).waitFor();
    await page.getByText('For a new version of the selected photo.').waitFor();
    expect(await page.getByRole('radio', { name: '4×', exact: true }).isChecked()).toBe(true);
    await button('Resume queue').click();
    await row(/photo-00\.jpg 160 × 120, \d.*Version 2 of 2/).waitFor({ timeout: journeyWaitMs() });
    await expect.poll(rows).toBe(3);
    await page.getByRole('img', { name: 'After: photo-00.jpg' }).waitFor();
    await page.keyboard.press('v');
    // The size is that of the shown version, as under Info.
    await row(/photo-00\.jpg 80 × 60, \d.*Version 1 of 2/).waitFor();
    // Another version may have kept the source.
    for (const version of [2, 1]) {
      await page.keyboard.press('t');
      await page.getByRole('group', { name: 'photo-00.jpg' }).click();
      await button('Run: Natural').waitFor(soon);
      await page.keyboard.press('t');
      await page.keyboard.press('v');
      await row(new RegExp(`photo-00.*Version ${version} of 2`)).waitFor();
    }
    await page.keyboard.press('Shift+V');
    await row(/photo-00\.jpg 160 × 120, \d.*Version 2 of 2/).waitFor();
    expect(await findBarriersInBoth(page)).toEqual([]);
  });

  it('is still one photo after a reload, and can be run again then', async () => {
    await page.reload();
    await row(/photo-00\.jpg 160 × 120, \d.*Version 2 of 2/).click();
    await setting('Cut out').click();
    await setting('Enlarge').click();
    await setting('8×').click();
    await page.getByText('40 × 30 becomes 320 × 240 pixels').waitFor();
    await button('Run 1 selected again').click();
    await row(/photo-00\.jpg 320 × 240, \d.*Version 3 of 3/).waitFor({ timeout: journeyWaitMs() });
  });

  it('keeps the source of a photo that was started in the moment it was added', async () => {
    await dropFiles(page, [{ ...(await mixedFiles(1))[0]!, name: 'quick.jpg' }]);
    await button('Start 1 photo').click();
    await row(/quick\.jpg 80 × 60, \d/).waitFor({ timeout: journeyWaitMs() });
    expect(await isKept(page, 'quick.jpg')).toBe(true);
    await row(/quick\.jpg/).click();
    await page.getByRole('listbox').press('Delete');
    await row(/quick\.jpg/).waitFor({ state: 'detached' });
  });

  it('is counted once, by its newest version, when one failed and the next did not', async () => {
    await chooseFiles(page, () => button('Add photos').click(), [await greyFile('grey.png')]);
    await setting('Cut out').click();
    await button('Start 1 photo').click();
    await row(/grey\.png No subject found/).waitFor({ timeout: journeyWaitMs() });
    expect(await filterCount(page, 'Failed')).toBe(1);
    await row(/grey\.png/).click();
    await setting('Enlarge').click();
    await button('Run 1 selected again').click();
    await row(/grey\.png 128 × 96, \d.*Version 2 of 2/).waitFor({ timeout: journeyWaitMs() });
    await button(/^All ?4$/).waitFor();
    expect(await filterCount(page, 'Failed')).toBe(0);
    await page.getByRole('status').getByText('All photos are done.').waitFor();
    expect(await button(/^Retry \d+ failed$/).count()).toBe(0);
    await listOnly(page, /^Done ?4$/);
    expect(await rows()).toBe(4);
    await page.keyboard.press('g');
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Done ?4$/ })
      .waitFor();
    await page.keyboard.press('g');
    await button(/^All ?4$/).click();
    await page.getByRole('listbox', { name: 'Queue' }).press('Control+a');
    await button('Run 4 selected again').click();
    const card = page.getByRole('region', { name: 'The batch' });
    await card
      .getByRole('heading', { name: '4 photos are done' })
      .waitFor({ timeout: journeyWaitMs() });
    await card.getByRole('button', { name: 'Dismiss' }).click();
    await row(/grey\.png/).click();
    await page.getByRole('listbox', { name: 'Queue' }).press('Delete');
    await expect.poll(rows).toBe(3);
  });

  it('goes and comes back with all of them', async () => {
    await row(/photo-00\.jpg/).click();
    await page.getByRole('listbox').press('Delete');
    await expect.poll(rows).toBe(2);
    await row(/photo-00\.jpg/).waitFor({ state: 'detached' });
    await page.getByText('1 photo removed.').waitFor();
    await page.keyboard.press('Control+z');
    await row(/photo-00\.jpg 320 × 240, \d.*Version 4 of 4/).waitFor();
  });

  it('loses one of them alone by the button under it, and the message says so', async () => {
    await row(/photo-00\.jpg/).click();
    await button('Remove selected').click();
    await page.getByText('One version removed. The photo stays.').waitFor();
    await row(/photo-00\.jpg.* of 3/).waitFor();
    await page.keyboard.press('Control+z');
    await row(/photo-00\.jpg 320 × 240, \d.*Version 4 of 4/).waitFor();
  });

  it('is shown after a reload by the version that was accepted', async () => {
    await row(/photo-00\.jpg/).click();
    await page.keyboard.press('Shift+V');
    await row(/photo-00\.jpg.*Version 3 of 4/).waitFor();
    await button('Accept').click();
    await expect.poll(() => filterCount(page, 'Accepted')).toBe(1);
    const numbers = row(/photo-00\.jpg/).locator('.version.accepted');
    expect(await numbers.allTextContents()).toEqual(['3']);
    expect(await numbers.getAttribute('title')).toMatch(/ · Accepted$/);
    // It has gone on to the next photo.
    await row(/photo-00\.jpg/).click();
    await page.keyboard.press('v');
    await row(/photo-00\.jpg.*Version 4 of 4 \(Accepted: 3\)/).waitFor();
    // The row has the mark by which the photo is counted, whichever version is shown.
    await button('Reject').click();
    await row(/photo-00\.jpg/).click();
    await button('Reject').and(page.locator('[aria-pressed=true]')).waitFor();
    expect(
      await row(/photo-00\.jpg/)
        .getByTitle('Accepted', { exact: true })
        .count(),
    ).toBe(1);
    expect(
      await row(/photo-00\.jpg/)
        .getByTitle('Rejected')
        .count(),
    ).toBe(0);
    expect(await filterCount(page, 'Accepted')).toBe(1);
    const download = page.waitForEvent('download');
    await button('Save').click();
    await download;
    const notSaved = 'photo-00.jpg: version 3, which you accepted, is not saved yet.';
    await page.getByText(`1 photo downloaded. ${notSaved}`, { exact: true }).waitFor();
    await page.reload();
    await row(/photo-00\.jpg.*Version 3 of 4/).waitFor();
    // A view may be asked of a task that is taken back in the same moment.
    expect(
      open.complaints.filter((said) => !/^404 .*\/(tiles\/|source-thumb\.)/.test(said)),
    ).toEqual([]);
  });

  it('keeps its row under the pointer while photos end, until the pointer leaves', async () => {
    await pauseQueue(page);
    await dropFiles(page, (await mixedFiles(7)).slice(4));
    await setting('Enlarge').click();
    await button('Start 3 photos').click();
    await listOnly(page, /^To do ?3$/);
    const list = page.getByRole('listbox', { name: 'Queue' });
    const names = await listed();
    expect(names).toHaveLength(3);
    const { x, y } = (await list.boundingBox())!;
    let moves = 0;
    const ended = async () => {
      moves += 1;
      await page.mouse.move(x + 40 + (moves % 2), y + 90);
      return list.getByRole('option', { name: / \d+ × \d+, \d/ }).count();
    };
    expect(await ended()).toBe(0);
    await page.keyboard.press('p');
    await expect.poll(ended, { timeout: journeyWaitMs() }).toBe(3);
    expect(await listed()).toEqual(names);
    // The open photo stays.
    await page.mouse.move(x + 600, y + 90);
    await expect.poll(rows, soon).toBe(1);
  });

  it('is the one that is pressed just after rows moved under a resting pointer', async () => {
    await pauseQueue(page);
    await dropFiles(page, (await mixedFiles(10)).slice(7));
    await button('Start 3 photos').click();
    await listOnly(page, /^To do ?3$/);
    const [first, , last] = await listed();
    await row(new RegExp(last!)).click();
    await page.mouse.move(700, 300);
    await page.evaluate(`{
      const list = document.querySelector('[role=listbox]');
      const rows = () => [...list.querySelectorAll('[role=option]')];
      const { length } = rows();
      const { x, y } = rows()[0].getBoundingClientRect();
      new MutationObserver((_, observer) => {
        if (rows().length === length) return;
        observer.disconnect();
        const place = { clientX: x + 40, clientY: y + 20 };
        const rowAt = () =>
          document.elementFromPoint(place.clientX, place.clientY).closest('[role=option]');
        const pressed = rowAt();
        pressed.dispatchEvent(new MouseEvent('mousedown', { ...place, bubbles: true }));
        // Which photo ends first is not said. Over another row than the pressed one a release makes no click.
        if (rowAt() === pressed)
          pressed.dispatchEvent(new MouseEvent('click', { ...place, bubbles: true }));
      }).observe(list, { childList: true, subtree: true });
    }`);
    await page.keyboard.press('p');
    const chosen = page.getByRole('listbox').getByRole('option', { selected: true });
    const wait = { timeout: journeyWaitMs() };
    await expect.poll(() => chosen.textContent(), wait).toContain(first);
  });
});

/** The photos that the service keeps, each with its scale. */
async function keptOf(page: Page): Promise<string[]> {
  return (await keptPhotos(page)).map(({ name, choices }) => `${name} ${choices.scale}`).sort();
}

/** Whether the service keeps the source of a photo for further versions. */
async function isKept(page: Page, name: string): Promise<boolean> {
  return (await keptPhotos(page)).some((photo) => photo.name === name);
}

async function keptPhotos(page: Page): Promise<AddedPhotos['photos']> {
  return (await askAsPage<AddedPhotos>(page, '/api/photos')).photos;
}
