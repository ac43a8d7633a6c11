/**
 * Screenshots of every view of the page: `node test/bench/screens.ts [folder of photographs] [view or size ...]`,
 * into test-results/screens: dark and light at 1440 x 900, 1024 x 700 and 2560 x 1440, from right to left, and in
 * German. Views and sizes are named as the files are ("finished", "1440-dark"). Without a folder small generated
 * pictures stand for photos.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { de } from '../../renderer/text/languages/de/de.ts';
import { en } from '../../renderer/text/languages/en/en.ts';
import { brokenFile, mixedFiles, type PageFile } from '../support/page-files.ts';
import { viewsOf } from '../support/page-views.ts';
import { openPage } from '../support/page.ts';
import { root } from '../support/program.ts';

interface Shot {
  name: string;
  width: number;
  height: number;
  colorScheme: 'dark' | 'light';
  direction?: 'rtl';
}

const maxPhotos = 12;
const large = { width: 1440, height: 900 };
const small = { width: 1024, height: 700 };
const wide = { width: 2560, height: 1440 };
const english: Shot[] = [
  { name: '1440-dark', ...large, colorScheme: 'dark' },
  { name: '1440-light', ...large, colorScheme: 'light' },
  { name: '1024-light', ...small, colorScheme: 'light' },
  { name: '1024-dark', ...small, colorScheme: 'dark' },
  { name: '1024-rtl', ...small, colorScheme: 'dark', direction: 'rtl' },
  { name: '2560-dark', ...wide, colorScheme: 'dark' },
  { name: '2560-light', ...wide, colorScheme: 'light' },
];
const german: Shot[] = [{ name: '1024-de', ...small, colorScheme: 'dark' }];

async function photosOf(folder: string | undefined): Promise<PageFile[]> {
  if (folder === undefined) return mixedFiles(maxPhotos);
  const names = (await readdir(folder)).filter((name) => /\.jpe?g$/i.test(name)).sort();
  return Promise.all(
    names.slice(0, maxPhotos).map(async (name) => ({
      name,
      mimeType: 'image/jpeg',
      buffer: await readFile(path.join(folder, name)),
    })),
  );
}

async function capture(page: Page, view: string, shot: Shot): Promise<void> {
  const { width, height, colorScheme, direction = 'ltr' } = shot;
  const browser = await page.context().newCDPSession(page);
  const metrics = { width, height, deviceScaleFactor: 1, mobile: false };
  await browser.send('Emulation.setDeviceMetricsOverride', metrics);
  await page.emulateMedia({ colorScheme });
  await page.evaluate(`document.documentElement.dir = '${direction}'`);
  await page.waitForTimeout(400);
  const { data } = await browser.send('Page.captureScreenshot', { format: 'png' });
  await writeFile(path.join(folder, `${view}-${shot.name}.png`), Buffer.from(data, 'base64'));
  await browser.detach();
}

const [photosFolder, ...names] = process.argv.slice(2);
const isShot = (name: string) => [...english, ...german].some((shot) => shot.name === name);
const shotNames = names.filter(isShot);
const viewNames = names.filter((name) => !isShot(name));
const isSelected = (selected: readonly string[], name: string) =>
  selected.length === 0 || selected.includes(name);
const folder = path.join(root, 'test-results/screens');
await mkdir(folder, { recursive: true });
const photos = [...(await photosOf(photosFolder)), brokenFile('notes.jpg')];
for (const [locale, words, shots] of [
  ['en-GB', en, english],
  ['de-DE', de, german],
] as const) {
  const selectedShots = shots.filter(({ name }) => isSelected(shotNames, name));
  if (selectedShots.length === 0) continue;
  const open = await openPage({ locale });
  try {
    for (const view of viewsOf(photos, words)) {
      await view.open(open.page);
      if (isSelected(viewNames, view.name))
        for (const shot of selectedShots) await capture(open.page, view.name, shot);
      console.log(locale, view.name);
    }
  } finally {
    await open.close();
  }
}
