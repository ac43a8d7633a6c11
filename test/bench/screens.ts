/**
 * Pictures of every view of the page: `node test/bench/screens.ts [folder of photographs]`. Dark and light, at
 * 1440 x 900 and 1024 x 700, into test-results/screens. Without a folder small made pictures stand for photos.
 */
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { brokenFile, mixedFiles, type PageFile } from '../support/page-files.ts';
import { viewsOf } from '../support/page-views.ts';
import { openPage } from '../support/page.ts';
import { root } from '../support/program.ts';

const mostPhotos = 12;
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 700 },
];

async function photosOf(folder: string | undefined): Promise<PageFile[]> {
  if (folder === undefined) return mixedFiles(mostPhotos);
  const names = (await readdir(folder)).filter((name) => /\.jpe?g$/i.test(name)).sort();
  return Promise.all(
    names.slice(0, mostPhotos).map(async (name) => ({
      name,
      mimeType: 'image/jpeg',
      buffer: await readFile(path.join(folder, name)),
    })),
  );
}

async function takeAll(page: Page, folder: string, name: string): Promise<void> {
  for (const { width, height } of sizes)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(400);
      await page.screenshot({ path: path.join(folder, `${name}-${width}-${colorScheme}.png`) });
    }
}

const folder = path.join(root, 'test-results/screens');
await mkdir(folder, { recursive: true });
const photos = [...(await photosOf(process.argv[2])), brokenFile('notes.jpg')];
const open = await openPage();
try {
  open.page.setDefaultTimeout(60_000);
  for (const view of viewsOf(photos)) {
    await view.open(open.page);
    await takeAll(open.page, folder, view.name);
    console.log(view.name);
  }
} finally {
  await open.close();
}
