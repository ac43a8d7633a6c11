/** Reaches what the page keeps in menus and under "More options". */
import type { Page } from 'playwright-core';
import type { Catalogue } from '../../renderer/text/catalogue.ts';
import { en } from '../../renderer/text/languages/en/en.ts';

/** Opens a dialog by the page's menu. */
export async function openFromMenu(page: Page, name: string, words: Catalogue = en): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: words.menu, exact: true }).click();
  await page.getByRole('menuitem', { name }).click();
}

/** Opens the settings that are folded. */
export async function showMoreOptions(page: Page): Promise<void> {
  const more = page.locator('details.more');
  if ((await more.getAttribute('open')) === null) await more.locator('> summary').click();
}

/** Chooses how the photo and its result are compared. */
export async function chooseMode(page: Page, name: string, words: Catalogue = en): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: words.compare, exact: true }).click();
  await page.getByRole('menuitemradio', { name, exact: true }).click();
}

/** Chooses which photos are listed, by what the menu beside the list says, as 'Failed 1'. */
export async function listOnly(page: Page, name: string | RegExp): Promise<void> {
  await filterMenu(page).click();
  await page.getByRole('menuitemradio', { name }).click();
}

/** Number of photos that a filter lists. */
export async function filterCount(page: Page, name: string): Promise<number> {
  await filterMenu(page).click();
  const item = page.getByRole('menuitemradio', { name: new RegExp(`^${name} ?\\d`) });
  const words = await item.textContent();
  // Where the menu did not have the focus yet, Escape would leave it open for the next click to close.
  await item.press('Escape');
  await item.waitFor({ state: 'detached' });
  return Number(/\d+/.exec(words ?? '')?.[0]);
}

const filterMenu = (page: Page) =>
  page.getByRole('group', { name: en.filters }).getByRole('button').first();

/** Chooses what can be done with all photos that have ended. */
export async function chooseForAll(
  page: Page,
  name: string | RegExp,
  words: Catalogue = en,
): Promise<void> {
  const usual = page.getByRole('region', { name: words.queue }).getByRole('button', { name });
  if ((await usual.count()) > 0) return usual.click();
  await page.getByRole('button', { name: words.moreForAll }).click();
  await page.getByRole('menuitem', { name }).click();
}

/** Turns a view of the toolbar's menu on or off. */
export async function toggleView(page: Page, name: string, words: Catalogue = en): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: words.moreViews }).click();
  await page.getByRole('menuitemcheckbox', { name }).click();
}
