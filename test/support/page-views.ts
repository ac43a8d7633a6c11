/** Every view of the page, one after the other: for axe, and for pictures of them. */
import type { Page } from 'playwright-core';
import { chooseFiles, type PageFile } from './page-files.ts';

export interface View {
  name: string;
  open(page: Page): Promise<void>;
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const close = (page: Page) => page.keyboard.press('Escape');

async function openDialog(page: Page, name: string): Promise<void> {
  await button(page, name).click();
  await page.getByRole('dialog').waitFor();
}

/** `photos`: at least four that can be read and one that cannot. Each view begins where the last one ended. */
export function viewsOf(photos: readonly PageFile[]): View[] {
  const chooseAll = (page: Page) =>
    chooseFiles(page, () => button(page, 'Add photos').click(), photos);
  return [
    {
      name: 'empty',
      open: (page) => page.getByRole('heading', { name: 'Drop photos here' }).waitFor(),
    },
    {
      name: 'added',
      open: async (page) => {
        await chooseAll(page);
        await page.getByText('cannot be started').waitFor();
        await page.getByText('of results').waitFor();
      },
    },
    {
      name: 'cutout-settings',
      open: async (page) => {
        await page.getByRole('listbox').press('Home');
        await page.getByText('Cut out', { exact: true }).first().click();
        await page.getByLabel('Crop to the subject').check();
        await page.getByLabel('Path of a folder').or(page.getByLabel('Save to')).first().waitFor();
      },
    },
    {
      name: 'row-menu',
      open: async (page) => {
        await page.getByText('Enlarge', { exact: true }).first().click();
        await button(page, 'More for the selected photos').click();
        await page.getByRole('menu').waitFor();
      },
    },
    {
      name: 'presets',
      open: async (page) => {
        await close(page);
        await button(page, 'Presets').click();
        await page.getByRole('menuitem', { name: 'Save as preset' }).click();
        await page.getByLabel('Name of the preset').fill('Web, 2 times');
        await button(page, 'Save as preset').click();
        await page.getByText('Preset Web, 2 times saved.').waitFor();
      },
    },
    {
      name: 'watched',
      open: async (page) => {
        await close(page);
        await openDialog(page, 'Watched folders');
        await page.getByLabel('Folder to watch').waitFor();
      },
    },
    {
      name: 'shortcuts',
      open: async (page) => {
        await close(page);
        await openDialog(page, 'Keyboard shortcuts');
      },
    },
    {
      name: 'connect',
      open: async (page) => {
        await close(page);
        await openDialog(page, 'Connect programs');
      },
    },
    {
      name: 'running',
      open: async (page) => {
        await close(page);
        await button(page, /^Start \d/).click();
        await page.getByRole('progressbar', { name: 'Progress of all photos' }).waitFor();
      },
    },
    {
      name: 'finished',
      open: async (page) => {
        await page.getByText('All photos are done.').waitFor({ timeout: 240_000 });
        await page.getByRole('listbox').press('Home');
        await page.getByRole('listbox').press('ArrowDown');
        await page.getByRole('heading', { name: 'Details' }).waitFor();
        await page.waitForTimeout(1500);
      },
    },
    {
      name: 'removed',
      open: async (page) => {
        await page.getByRole('listbox').press('Delete');
        await button(page, 'Undo').waitFor();
      },
    },
  ];
}
