/**
 * The ten jobs of a photographer's day, done in the page as a person does them:
 * `npm run bench:jobs -- FOLDER [photos]`. Prints clicks and keys of each, the tab stops from the queue to Start
 * and the controls on the first screen; screenshots of each go to test-results/jobs, at 1440 x 900 and 1024 x 700,
 * dark and light.
 */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { chooseFiles, type PageFile } from '../support/page-files.ts';
import { toggleView } from '../support/page-menus.ts';
import { openPage } from '../support/page.ts';
import { root } from '../support/program.ts';

const [photosFolder, photoCount = '60'] = process.argv.slice(2);
if (photosFolder === undefined) throw new Error('Expected a folder of photographs.');
const photosIn: string = photosFolder;
const count = Number(photoCount);
const patientMs = 240_000;
const folder = path.join(root, 'test-results/jobs');
const shots = [
  { name: '1440-dark', width: 1440, height: 900, colorScheme: 'dark' },
  { name: '1440-light', width: 1440, height: 900, colorScheme: 'light' },
  { name: '1024-dark', width: 1024, height: 700, colorScheme: 'dark' },
  { name: '1024-light', width: 1024, height: 700, colorScheme: 'light' },
] as const;

/** Runs in the page, before anything of it. */
const countScript = `
  window.counted = { clicks: 0, keys: 0 };
  addEventListener('pointerdown', () => (window.counted.clicks += 1), true);
  addEventListener('change', ({ target }) => {
    if (target.tagName === 'SELECT') window.counted.clicks += 2;
  }, true);
  addEventListener('keydown', () => (window.counted.keys += 1), true);
`;

/** Visible things that a person may set or do; a group of radio buttons is one. */
const controlsScript = `(() => {
  const seen = [...document.querySelectorAll('button, select, input, summary, [role=listbox]')]
    .filter((element) => element.checkVisibility() && !element.disabled)
    .map((element) => element.type === 'radio' ? element.name : element);
  return new Set(seen).size;
})()`;

/** Photographs of the folder, reduced and named anew, so that any number of them takes seconds each. */
async function readPhotos(): Promise<PageFile[]> {
  const names = (await readdir(photosIn)).filter((name) => /\.jpe?g$/i.test(name)).sort();
  return Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const from = path.join(photosIn, names[at % names.length] ?? '');
      // No two are the same.
      const resized = sharp(from)
        .autoOrient()
        .resize(240 + at);
      const name = `IMG_${String(4101 + at)}.jpg`;
      return {
        name,
        mimeType: 'image/jpeg',
        buffer: await resized.jpeg({ quality: 88 }).toBuffer(),
      };
    }),
  );
}

async function capture(page: Page, job: string): Promise<void> {
  for (const { name, width, height, colorScheme } of shots) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(350);
    await page.screenshot({ path: path.join(folder, `${job}-${name}.png`) });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'dark' });
}

interface Counted {
  clicks: number;
  keys: number;
}

await mkdir(folder, { recursive: true });
const photos = await readPhotos();
const table: Record<string, Counted | Record<string, number>> = {};
const open = await openPage();
try {
  const { page } = open;
  await page.addInitScript(countScript);
  // Until then the page may not have noted its key.
  await page.getByRole('button', { name: 'Add photos' }).waitFor();
  await page.reload();
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const list = page.getByRole('listbox', { name: 'Queue' });
  const rows = list.getByRole('option');
  const settings = page.getByRole('group', { name: 'Settings' });
  const setting = (name: string) => settings.getByText(name, { exact: true });
  const done = async () => {
    await page.getByRole('progressbar', { name: 'Progress of all photos' }).waitFor();
    await page
      .getByText(/^(Nothing is running|All photos are done)/)
      .waitFor({ timeout: patientMs });
  };
  const job = async (
    name: string,
    work: () => Promise<unknown>,
    after?: () => Promise<unknown>,
  ) => {
    await page.evaluate('window.counted = { clicks: 0, keys: 0 }');
    await work();
    table[name] = await page.evaluate<Counted>('window.counted');
    await after?.();
    await capture(page, name);
    console.log(name, JSON.stringify(table[name]));
  };

  await button('Add photos').waitFor();
  await page.getByRole('heading', { name: 'Drop photos here' }).waitFor();
  const firstControls = await page.evaluate<number>(controlsScript);
  await job(
    '01-add',
    () => chooseFiles(page, () => button('Add photos').click(), photos),
    async () => {
      await button(`Start ${count} photos`).waitFor();
      await page.getByText(/of results/).waitFor();
    },
  );
  const controls = await page.evaluate<number>(controlsScript);
  await list.focus();
  let stops = 0;
  const focused = () => page.evaluate<string>('document.activeElement.textContent.trim()');
  do {
    await page.keyboard.press('Tab');
    stops += 1;
  } while (!(await focused()).startsWith('Start') && stops < 100);
  table['first screen'] = { firstControls, controls, stops };

  await job('02-enlarge-all', async () => {
    await button(`Start ${count} photos`).click();
    await done();
  });
  await job('03-compare-at-100', async () => {
    await rows.nth(1).click();
    await page.getByRole('img', { name: /^After/ }).waitFor();
    await page.keyboard.press('1');
  });
  await job('04-larger-again', async () => {
    await page.keyboard.press('0');
    await setting('4×').click();
    await button('Run 1 selected again').click();
    await done();
  });
  await job('05-shop', async () => {
    await rows.nth(8).click();
    await rows.nth(10).click({ modifiers: ['Shift'] });
    await setting('Cut out').click();
    await button('Shop picture').click();
    await button('Run 3 selected again').click();
    await done();
  });
  await job('06-touch-up', async () => {
    await rows.nth(10).click();
    const panel = page.getByRole('region', { name: 'Touch up' });
    // A photo without a subject is in it at once.
    await page
      .getByRole('img', { name: /^After/ })
      .or(panel)
      .first()
      .waitFor();
    if (!(await panel.isVisible())) await button('Touch up').click();
    const box = (await page.locator('#stage-frame').boundingBox())!;
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await page.mouse.move(middle.x - 40, middle.y);
    await page.mouse.down();
    await page.mouse.move(middle.x + 40, middle.y + 20, { steps: 8 });
    await page.mouse.up();
    await page.getByText('1 new stroke.').waitFor();
  });
  await page.keyboard.press('Escape');
  await job('07-try', async () => {
    await rows.nth(6).click();
    await button('Try here').click();
    await page.locator('#stage-frame').click();
    await page.getByText(/^Shown at 100%/).waitFor({ timeout: patientMs });
  });
  await page.keyboard.press('Escape');
  await job('08-print', async () => {
    await rows.nth(7).click();
    await settings.getByLabel('Size').first().selectOption('For print');
    await button('Run 1 selected again').click();
    await done();
  });
  await job('09-review', async () => {
    await page.keyboard.press('g');
    const grid = page.getByRole('listbox', { name: 'Grid' });
    await grid.waitFor();
    await page.keyboard.press('Home');
    for (const key of ['y', 'y', 'n', 'y', 'y']) await page.keyboard.press(key);
    await button(/^Save \d+ accepted$/).waitFor();
  });
  await page.keyboard.press('g');
  // Where the list scrolls under the click, it is counted twice.
  await list.press('Home');
  await job('10-strip-info', async () => {
    await toggleView(page, 'Filmstrip');
    await rows.nth(1).click();
    await page.getByText('Info', { exact: true }).click();
    await page.getByRole('heading', { name: 'Details' }).waitFor();
  });
} finally {
  await open.close();
}
console.table(table);
await writeFile(path.join(folder, 'table.json'), JSON.stringify(table, undefined, 2));
