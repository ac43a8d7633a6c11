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

/** Turns a view of the toolbar's menu on or off. */
export async function toggleView(page: Page, name: string, words: Catalogue = en): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: words.moreViews }).click();
  await page.getByRole('menuitemcheckbox', { name }).click();
}
