/**
 * Takes the pictures of docs/window.md in the Electron of test:shell:
 * `node test/shell/photograph-docs.ts FOLDER PHOTO...` writes them into the folder, 1200 pixels wide. The first photo
 * shows an animal, which is cut out. The tour takes some minutes.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { en } from '../../renderer/text/languages/en/en.ts';
import { chooseForAll, openFromMenu, toggleView } from '../support/page-menus.ts';
import { findDisplay } from './display.ts';
import { findElectron } from './prepare-electron.ts';
import { killAll, openFolder, Shell } from './shell.ts';

const patientMs = 240_000;
const minPhotos = 6;
const widthPx = 1200;
/** As many are installed from the start. */
const shippedModels = 4;

const [target, ...given] = process.argv.slice(2);
if (target === undefined || given.length < minPhotos)
  throw new Error(`Expected a folder, and at least ${minPhotos} photos.`);
const electron = await findElectron();
if (typeof electron === 'string') throw new Error(electron);
const display = await findDisplay();
if (typeof display === 'string') throw new Error(display);
const screenName = display.name;
const dir = openFolder();
const photos = path.join(dir, 'photos');
for (const file of given) {
  const copy = path.join(photos, path.basename(file));
  copyFileSync(file, copy);
  chmodSync(copy, 0o644);
}
const torn = 'notes.jpg';
writeFileSync(path.join(photos, torn), 'not a picture');
const names = [...given.map((file) => path.basename(file)), torn];
const shell = new Shell({ electron, display: display.name }, { dir, args: names });

async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(2, 2);
  // Pictures and their tiles are loaded one after the other.
  await page.waitForTimeout(1500);
  const { DISPLAY = '' } = process.env;
  const screen = path.join(dir, 'screen.png');
  execFileSync('import', ['-display', screenName ?? DISPLAY, '-window', 'root', screen]);
  const file = path.join(target ?? '.', `${name}.webp`);
  await sharp(screen).resize(widthPx).webp({ quality: 84, effort: 6 }).toFile(file);
  console.log(file);
}

async function tour(page: Page): Promise<void> {
  page.setDefaultTimeout(patientMs);
  await page.emulateMedia({ colorScheme: 'dark' });
  const rows = page.getByRole('listbox', { name: en.queue }).getByRole('option');
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const settings = page.getByRole('group', { name: en.settings });
  const stage = page.locator('#stage-frame');
  const close = async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  const dialog = async (
    name: string,
    shot: string,
    look: () => Promise<unknown> = () => Promise.resolve(),
  ) => {
    await openFromMenu(page, name);
    await page.getByRole('dialog').waitFor();
    await look();
    await take(page, shot);
    await close();
  };

  await rows.nth(names.length - 1).waitFor();
  await page.getByText(/of results/).waitFor();
  await rows.first().click();
  await page.getByRole('listbox', { name: en.queue }).press('Control+a');
  await take(page, 'queue');

  // The animal is cut out, the others are enlarged.
  await rows.first().click();
  await settings.getByText(en.cutOut, { exact: true }).click();
  await page.getByRole('listbox', { name: en.queue }).press('Escape');
  await button(new RegExp(`^Start ${given.length}`)).click();
  await rows
    .filter({ hasText: /photos/ })
    .first()
    .waitFor();
  await rows.nth(1).click();
  await take(page, 'running');
  await page.getByText(/^(Nothing is running|All photos are done)/).waitFor();
  const card = page.getByRole('region', { name: en.batchCard });
  await card.getByRole('button', { name: en.dismiss }).click();

  await rows.nth(1).click();
  await button(en.tryHere).click();
  await stage.click();
  await page.getByText(/^Shown at 100%/).waitFor();
  await page.getByRole('region', { name: en.tryHere }).getByRole('img').nth(2).waitFor();
  await take(page, 'try');
  await page.keyboard.press('Escape');

  await rows.first().click();
  await page.getByRole('img', { name: /^After/ }).waitFor();
  await button(en.touchUp).click();
  const { x, y, width, height } = (await stage.boundingBox())!;
  await page.mouse.move(x + width * 0.46, y + height * 0.35);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.45, y + height * 0.6, { steps: 8 });
  await page.mouse.up();
  await page.getByText('1 new stroke.').waitFor();
  await take(page, 'touch-up');
  await button(en.strokesClear).click();
  await page.keyboard.press('Escape');

  await rows.nth(2).click();
  await toggleView(page, en.layoutStrip);
  await page.getByText(en.info, { exact: true }).click();
  await page.getByRole('heading', { name: en.details }).waitFor();
  await take(page, 'review');
  await button(en.metadataShow).click();
  await page.getByRole('dialog').getByRole('row').nth(2).waitFor();
  await take(page, 'metadata');
  await close();
  await page.getByText(en.settings, { exact: true }).first().click();
  await toggleView(page, en.layoutStrip);
  await chooseForAll(page, en.saveAs);
  await page.getByRole('dialog').waitFor();
  await take(page, 'save-as');
  await close();

  await stage.click();
  await page.keyboard.press('g');
  await page.getByRole('listbox', { name: en.layoutGrid }).waitFor();
  await page.keyboard.press('Home');
  for (const key of ['y', 'y', 'n', 'y']) await page.keyboard.press(key);
  await take(page, 'grid');
  await page.keyboard.press('g');

  await dialog(en.watched, 'watch');
  await dialog(en.pool, 'pool');
  // Each model runs on a small picture first.
  const samples = page.getByRole('dialog').locator('img');
  await dialog(en.models, 'models', () => samples.nth(shippedModels - 1).waitFor());
  await dialog(en.connect, 'connect', () =>
    page.getByRole('dialog').getByRole('tab', { name: en.examples }).click(),
  );
  await button(new RegExp(en.presets)).first().click();
  await page.getByRole('menuitem', { name: en.presetManage }).click();
  await page.getByRole('dialog').waitFor();
  await take(page, 'presets');
}

try {
  await tour(await shell.page());
} finally {
  killAll(dir);
  display.close();
}
