/** The whole way of a photo without a mouse, in real Chromium over the real service. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../packages/contract/src/settings/settings.ts';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { chooseFiles, mixedFiles } from '../support/page-files.ts';
import { openFromMenu } from '../support/page-menus.ts';
import { askAsPage, type OpenPage } from '../support/page.ts';
import { withPage } from '../support/with-page.ts';

describe.skipIf(chromiumPath === undefined)('the keyboard alone (needs Chromium)', () => {
  let open: OpenPage;
  let page: Page;
  withPage(
    async (opened) => {
      ({ page } = open = opened);
      await page.emulateMedia({ colorScheme: 'light' });
    },
    { networks: 'quick' },
  );

  const row = (name: RegExp) => page.getByRole('option', { name });
  const chosen = () => page.getByRole('listbox').getByRole('option', { selected: true }).count();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  it('adds photos', async () => {
    await page.getByRole('heading', { name: 'Drop photos here' }).waitFor();
    await chooseFiles(page, () => page.keyboard.press('Control+o'), await mixedFiles(4));
    await row(/photo-03\.tif 86 × 60/).waitFor();
  });

  it('goes to the queue and chooses rows', async () => {
    await press('q', 'Home');
    await expect.poll(chosen).toBe(1);
    await press('Shift+ArrowDown');
    await expect.poll(chosen).toBe(2);
    await press('Control+ArrowDown', 'Space');
    await expect.poll(chosen).toBe(3);
    await press('Control+a');
    await expect.poll(chosen).toBe(4);
    // All of the list, where a person selects it.
    await page.getByRole('button', { name: 'Remove 4' }).click();
    await page.getByRole('heading', { name: 'Drop photos here' }).waitFor();
    await press('Control+z');
    await expect.poll(() => page.getByRole('listbox').getByRole('option').count()).toBe(4);
    await press('q', 'Home', 'Escape');
    await expect.poll(chosen).toBe(1);
    await press('Space');
    await expect.poll(chosen).toBe(0);
    await page.getByText('For the next photos you add.').waitFor();
  });

  it('changes the settings of the chosen one', async () => {
    await press('Home', 's');
    await expect.poll(() => focused(page)).toBe('Settings');
    await tabTo(page, 'Enlarge');
    await tabTo(page, '2×');
    await press('ArrowRight');
    await row(/photo-00\.jpg 160 × 120/).waitFor();
    await row(/photo-01\.png 82 × 60/).waitFor();
  });

  it('takes another order', async () => {
    await press('q', 'Home', 'Alt+ArrowDown');
    await expect.poll(() => row(/photo-00/).getAttribute('aria-posinset')).toBe('2');
    await press('Alt+ArrowUp');
    await expect.poll(() => row(/photo-00/).getAttribute('aria-posinset')).toBe('1');
  });

  it('removes and brings back', async () => {
    await press('End', 'Delete');
    await expect.poll(() => row(/photo-03/).count()).toBe(0);
    await press('Control+z');
    await row(/photo-03/).waitFor();
  });

  it('opens the sheet of shortcuts, gives the focus back, and opens a menu of the row', async () => {
    await press('q', '?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await press('Escape');
    await expect.poll(() => focused(page)).toBe('Queue');
    await press('Home', 'Shift+F10');
    await page.getByRole('menuitem', { name: 'Move down' }).waitFor();
    await press('Escape');
  });

  it('starts, and goes through what came out', async () => {
    await press('Control+a', 'Control+Enter');
    for (const name of [
      /0\.jpg 160 × 120, \d/,
      /1\.png 82 × 60, \d/,
      /2\.webp 84 × 60, \d/,
      /3\.tif 86 × 60, \d/,
    ])
      await row(name).waitFor({ timeout: journeyWaitMs() });
    await press('q', 'Home');
    await page.getByRole('slider', { name: 'Divider between before and after' }).waitFor();
    await tabTo(page, 'Divider between before and after');
    await press('Home');
    // The actions of the photo are one tab stop; arrow keys move among them.
    await tabTo(page, 'Fit');
    await press('End', 'ArrowLeft');
    await expect.poll(() => focused(page)).toBe('Save');
    const [saved] = await Promise.all([page.waitForEvent('download'), press('Control+s')]);
    // Rows stay where they were dropped.
    expect(saved.suggestedFilename()).toBe('photo-00-4x.jpg');
  });

  it('chooses light or dark, which stays after a reload', async () => {
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await expect.poll(ground).toBe('rgb(236, 236, 236)');
    await openFromMenu(page, 'Appearance and language');
    await page.getByRole('radio', { name: 'As the system' }).focus();
    await press('ArrowRight');
    await expect.poll(ground).toBe('rgb(30, 30, 30)');
    // What leaves with the page is what the service was told.
    const kept = () => askAsPage<Settings>(page, '/api/settings');
    await expect.poll(async () => (await kept()).page.theme).toBe('dark');
    await page.reload();
    await row(/photo-00\.jpg 160 × 120/).waitFor();
    await expect.poll(ground).toBe('rgb(30, 30, 30)');
  });

  it('finds a photo by its name', async () => {
    await press('q', '/');
    await page.keyboard.type('-02');
    await expect.poll(() => page.getByRole('listbox').getByRole('option').count()).toBe(1);
  });

  it('had nothing to complain of', () => {
    expect(open.complaints).toEqual([]);
  });
});

/** The name of what has the focus: its label or its words. */
function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    const label = element?.labels?.[0]?.textContent;
    return (element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? '').trim();
  })()`);
}

async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Sixty times Tab did not reach ${name}.`);
}
