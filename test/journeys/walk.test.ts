/**
 * A photographer's day: two dozen photos from the drop to the accepted results beside their originals, in real
 * Chromium over the real service. Prints its time, clicks and keys.
 */
import { readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TaskList, TaskRecord } from '../../packages/contract/src/task.ts';
import { actAsApplication } from '../support/application.ts';
import { chromiumPath } from '../support/browser.ts';
import { photo } from '../support/images.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { brokenFile, dropFiles, type PageFile } from '../support/page-files.ts';
import { openPage, type OpenPage } from '../support/page.ts';
import { plainSubject } from '../support/subjects.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { patient } from '../support/machine-pace.ts';
import { listOnly } from '../support/page-menus.ts';

const soon = { timeout: patient(30_000) };
const readable = 22;
/** Their numbers. */
const rejected = [7, 8, 13];
const accepted = readable - rejected.length;
const box = { x: 60, y: 40, width: 250, height: 190 };
const cutoutName = 'walk-21.png';

async function walkFile(index: number): Promise<PageFile> {
  const width = 60 + 2 * index;
  const isCutout = index === readable - 1;
  const { data, ...raw } = isCutout ? plainSubject(400, 300, box) : photo(width, 60);
  const isJpeg = index % 2 === 0;
  const picture = sharp(data, { raw });
  const buffer = await (isJpeg ? picture.jpeg({ quality: 88 }) : picture.png()).toBuffer();
  const name = `walk-${String(index).padStart(2, '0')}.${isJpeg ? 'jpg' : 'png'}`;
  return { name, mimeType: `image/${isJpeg ? 'jpeg' : 'png'}`, buffer };
}

describe.skipIf(chromiumPath === undefined)('a day with two dozen photos (needs Chromium)', () => {
  let open: OpenPage;
  let page: Page;
  let folder: string;
  let files: PageFile[];
  let begunMs = 0;
  beforeAll(async () => {
    folder = await realpath(temporaryFolder());
    files = await Promise.all(Array.from({ length: readable }, (_, index) => walkFile(index)));
    files.push(brokenFile('broken.jpg'), { ...brokenFile('empty.jpg'), buffer: Buffer.alloc(0) });
    for (const { name, buffer } of files) await writeFile(path.join(folder, name), buffer);
    open = await openPage({ more: ['--allow-folder', folder], networks: 'quick' });
    page = open.page;
    await page.addInitScript(countScript);
    await actAsApplication(page, folder);
  });
  afterAll(async () => {
    await open.close();
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const list = (name: string) => page.getByRole('listbox', { name });
  const row = (name: RegExp) => list('Queue').getByRole('option', { name });
  const setting = (name: string) =>
    page.getByRole('group', { name: 'Settings' }).getByText(name, { exact: true });
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  /** Rows out of view are not there: it is found by its name, and then stands among all again. */
  async function find(name: string): Promise<void> {
    await press('/');
    await page.keyboard.insertText(name);
    await row(new RegExp(name)).click();
    await page.getByRole('searchbox').fill('');
    await list('Queue').focus();
    await row(new RegExp(name)).and(page.locator('[aria-selected=true]')).waitFor();
  }

  async function call(route: string): Promise<Response> {
    const key = (await readFile(open.line.keyFile, 'utf8')).trim();
    return fetch(new URL(route, open.line.url), { headers: { authorization: `KEY ${key}` } });
  }

  async function tasks(): Promise<TaskRecord[]> {
    return ((await (await call('/api/tasks?limit=200')).json()) as TaskList).tasks;
  }

  const countOf = async (status: string) =>
    (await tasks()).filter((task) => task.status === status).length;

  it('takes them in and says what cannot be started', async () => {
    await page.getByRole('heading', { name: 'Drop photos here' }).waitFor();
    begunMs = performance.now();
    await dropFiles(page, [...files.slice(readable), ...files.slice(0, readable)]);
    await button(`Start ${readable} photos`).waitFor();
    await page.getByText('2 photos cannot be started').waitFor();
    await expect.poll(() => page.getByText(/^Reading \d/).count(), soon).toBe(0);
    await page.getByRole('img', { name: `Before: ${files[0]!.name}` }).waitFor();
    await list('Queue').press('Home');
    await row(/broken\.jpg Not a picture that can be read/).waitFor();
    await row(/empty\.jpg The file is empty/).waitFor();
    // The machine's speed may be measured after the photos were added.
    await page.getByText(/^About .+ of results$/).waitFor({ timeout: journeyWaitMs() });
    await expect.poll(() => page.getByText('These settings do not go together').count()).toBe(0);
  });

  it('starts all with what is recommended, one of them as a cut-out', async () => {
    await list('Queue').press('Control+a');
    await page.getByLabel('Results go to').selectOption('Save later, within 24 hours');
    await find(cutoutName);
    await setting('Cut out').click();
    await list('Queue').press('Escape');
    await button(`Start ${readable} photos`).click();
    const patience = { timeout: 2 * journeyWaitMs(), interval: 500 };
    await expect.poll(() => countOf('FINISHED'), patience).toBe(readable);
    await page
      .getByText(`Nothing is running: ${readable} done and 2 photos cannot be started.`)
      .waitFor();
  });

  it('is looked through at 100 % with the arrow keys, three are rejected', async () => {
    await listOnly(page, /^Done/);
    await press('f', '1');
    const strip = list('Filmstrip');
    await strip.press('Home');
    for (let index = 0; index < readable; index += 1) {
      const [name] = [files[index]!.name];
      await page.getByRole('img', { name: `After: ${name}` }).waitFor();
      await expect
        .poll(() =>
          page.getByRole('toolbar', { name: 'The photo' }).locator('output').textContent(),
        )
        .toBe('100%');
      await press(rejected.includes(index) ? 'n' : 'y');
    }
    await button(`Save ${accepted} accepted`).waitFor();
    const marks = (await tasks()).map(({ mark }) => mark);
    expect(marks.filter((mark) => mark === 'accepted')).toHaveLength(accepted);
    expect(marks.filter((mark) => mark === 'rejected')).toHaveLength(rejected.length);
  });

  it('runs two again with another setting', async () => {
    await find('walk-07');
    await press('Shift+ArrowDown');
    await setting('4×').click();
    await button('Run 2 selected again').click();
    await row(/walk-07.* 296 × 240.*Version 2 of 2/).waitFor({ timeout: journeyWaitMs() });
    await row(/walk-08.* 304 × 240.*Version 2 of 2/).waitFor({ timeout: journeyWaitMs() });
    for (const name of ['walk-07', 'walk-08']) {
      await find(name);
      await press('y');
      // It has gone on to the next photo.
      await find(name);
      await button('Accept').and(page.locator('[aria-pressed=true]')).waitFor();
    }
    await button(`Save ${accepted + 2} accepted`).waitFor();
  });

  it('touches up the cut-out', async () => {
    await find(cutoutName);
    await press('0', 'u');
    const panel = page.getByRole('region', { name: 'Touch up' });
    await panel.getByText('Remove', { exact: true }).click();
    const shown = (await page.getByRole('img', { name: `Before: ${cutoutName}` }).boundingBox())!;
    const at = (x: number, y: number) =>
      [shown.x + (x / 400) * shown.width, shown.y + (y / 300) * shown.height] as const;
    await page.mouse.move(...at(80, 60));
    await page.mouse.down();
    await page.mouse.move(...at(80, 200), { steps: 10 });
    await page.mouse.up();
    await panel.getByText('1 new stroke.').waitFor();
    await panel.getByRole('button', { name: 'Apply' }).click();
    await row(/walk-21.*Version 2 of 2/).waitFor({ timeout: journeyWaitMs() });
    await expect.poll(() => panel.count(), soon).toBe(0);
    const acceptedStrokes = async () =>
      (await tasks())
        .filter(({ mark }) => mark === 'accepted')
        .map(({ options }) => options.strokes);
    // What was made of an accepted version is accepted in its place.
    await expect
      .poll(async () => (await acceptedStrokes()).filter((strokes) => strokes !== undefined), soon)
      .toHaveLength(1);
    expect(await acceptedStrokes()).toHaveLength(accepted + 2);
    await button(`Save ${accepted + 2} accepted`).waitFor();
  });

  it('saves what was accepted beside the originals', async () => {
    await list('Queue').press('Control+a');
    await page.getByLabel('Results go to').selectOption('Beside the original');
    await button(`Save ${accepted + 2} accepted`).click();
    await expect
      .poll(async () => (await readdir(folder)).length, { timeout: patient(30_000) })
      .toBe(files.length + accepted + 2);
    const counted = await page.evaluate<{ clicks: number; keys: number }>('window.counted');
    const seconds = ((performance.now() - begunMs) / 1000).toFixed(0);
    console.log(`The walk: ${seconds} s, ${counted.clicks} clicks, ${counted.keys} keys.`);
    const saved = (await tasks()).filter(({ savedTo }) => savedTo !== undefined);
    expect(saved.every(({ mark }) => mark === 'accepted')).toBe(true);
    expect(open.complaints).toEqual([]);
  });
});

/** Runs in the page, before anything of it. */
const countScript = `
  window.counted = { clicks: 0, keys: 0 };
  addEventListener('pointerdown', () => (window.counted.clicks += 1), true);
  addEventListener('keydown', () => (window.counted.keys += 1), true);
`;
