/**
 * Takes the picture of the window that README and docs/install.md show, in the Electron of test:shell:
 * `node test/shell/photograph-window.ts FILE.png PHOTO...` enlarges the photos 4 times and photographs the display when
 * the first ones are done. The first one is compared at 100 %.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync } from 'node:fs';
import path from 'node:path';
import { en } from '../../renderer/text/languages/en/en.ts';
import { findDisplay } from './display.ts';
import { findElectron } from './prepare-electron.ts';
import { killAll, openFolder, Shell } from './shell.ts';

/** Results that are finished when the picture is taken, while others run. */
const finishedCount = 3;
const patientMs = 600_000;

const [target, ...given] = process.argv.slice(2);
if (target === undefined || given.length <= finishedCount)
  throw new Error(`Expected the file to write, and more than ${finishedCount} photos.`);
const electron = await findElectron();
if (typeof electron === 'string') throw new Error(electron);
const display = await findDisplay();
if (typeof display === 'string') throw new Error(display);
const dir = openFolder();
const photos = path.join(dir, 'photos');
for (const file of given) {
  const copy = path.join(photos, path.basename(file));
  copyFileSync(file, copy);
  chmodSync(copy, 0o644);
}
const shell = new Shell(
  { electron, display: display.name },
  { dir, args: given.map((file) => path.basename(file)) },
);
try {
  const page = await shell.page();
  const rows = page.getByRole('option');
  await rows.nth(given.length - 1).waitFor();
  await page.getByText('4×', { exact: true }).first().click();
  await page.getByRole('button', { name: new RegExp(`^Start ${given.length}`) }).click();
  const landed = rows.filter({ hasText: /photos/ });
  await landed.nth(finishedCount - 1).waitFor({ timeout: patientMs });
  await rows.first().click();
  await page.keyboard.press('1');
  await page.getByText(en.after, { exact: true }).first().waitFor();
  await page.mouse.move(2, 2);
  // The picture's tiles are loaded one after the other.
  await page.waitForTimeout(3000);
  const { DISPLAY = '' } = process.env;
  execFileSync('import', ['-display', display.name ?? DISPLAY, '-window', 'root', target]);
} finally {
  killAll(dir);
  display.close();
}
