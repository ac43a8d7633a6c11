/** Trying a place of a photo: what beside the model decides, cut-outs, and taking what is liked; in real Chromium. */
import { readdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Page, Request } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { TaskList, TaskRecord } from '../../packages/contract/src/task.ts';
import { chromiumPath } from '../support/browser.ts';
import { photo } from '../support/images.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { chooseFiles } from '../support/page-files.ts';
import { showMoreOptions } from '../support/page-menus.ts';
import type { OpenPage } from '../support/page.ts';
import { plainSubject } from '../support/subjects.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { withPage } from '../support/with-page.ts';

const patient = { timeout: journeyWaitMs() };
const small = { width: 160, height: 120 };
const size = { width: 400, height: 300 };

describe.skipIf(chromiumPath === undefined)('trying settings (needs Chromium)', () => {
  let open: OpenPage;
  let page: Page;
  withPage((opened) => ({ page } = open = opened));

  const trial = () => page.getByRole('region', { name: 'Try here' });
  const dial = (name: string) => trial().getByRole('slider', { name });
  const cleaned = () => trial().getByText(/measured: quality 40/);
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

  const row = (name: RegExp) => page.getByRole('option', { name });

  /** The newest first. */
  async function tasksOf(name: string): Promise<TaskRecord[]> {
    const key = (await readFile(open.line.keyFile, 'utf8')).trim();
    const url = new URL('/api/tasks', open.line.url);
    const response = await fetch(url, { headers: { authorization: `KEY ${key}` } });
    const { tasks } = (await response.json()) as TaskList;
    return tasks
      .filter(({ source }) => source.name === name)
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  }

  /** How much of the picture is clear. */
  const clearShare = (name: string) =>
    page.evaluate<number>(`(${clearScript})(${JSON.stringify(name)})`);

  async function add(name: string, buffer: Buffer): Promise<void> {
    const files = [{ name, mimeType: 'image/jpeg', buffer }];
    await chooseFiles(page, () => button('Add photos').click(), files);
    await page.getByRole('img', { name: `Before: ${name}` }).waitFor();
    await button('Try here').and(page.locator(':enabled')).waitFor();
  }

  /** How far neighbours differ in what Natural makes; 0 before it is there. */
  async function roughness(): Promise<number> {
    const shown = trial().getByRole('img', { name: 'Natural', exact: true });
    return (await shown.count()) === 0 ? 0 : page.evaluate<number>(`(${roughnessScript})()`);
  }

  it('shows what sharpening, grain and cleaning make of the place', async () => {
    const { data, ...raw } = photo(small.width, small.height);
    await add('hill.jpg', await sharp(data, { raw }).jpeg({ quality: 40 }).toBuffer());
    await page.keyboard.press('t');
    const stage = (await page.getByRole('group', { name: 'hill.jpg' }).boundingBox())!;
    await page.mouse.click(stage.x + stage.width / 2, stage.y + stage.height / 2 - 20);
    await cleaned().waitFor(patient);
    // The pictures of the models took room, and the pointer's frame would stand where the pointer is not.
    expect(await page.locator('.pointed').count()).toBe(0);
    await trial()
      .getByText(/^Shown at 100%/)
      .waitFor(patient);
    // Models after it clean up nothing.
    expect(await cleaned().isVisible()).toBe(true);
    let measured = 0;
    await expect.poll(async () => (measured = await roughness()), patient).toBeGreaterThan(0);
    await dial('Sharpen').fill('100');
    await expect.poll(roughness, patient).toBeGreaterThan(measured * 1.08);
    await dial('Sharpen').fill('0');
    await expect.poll(roughness, patient).toBeCloseTo(measured, 2);
    await dial('Grain').fill('80');
    await expect.poll(roughness, patient).toBeGreaterThan(measured * 1.08);
    await dial('Grain').fill('0');
    await expect.poll(roughness, patient).toBeCloseTo(measured, 2);
    await dial('Clean up').fill('0');
    await expect.poll(roughness, patient).toBeGreaterThan(measured * 1.01);
    await button('Clean up: Automatic').click();
    await expect.poll(roughness, patient).toBeCloseTo(measured, 2);
  });

  it('mixes another strength of the model at once, without asking for it', async () => {
    let requests = 0;
    const count = (request: Request) => {
      if (request.url().endsWith('/api/previews')) requests += 1;
    };
    page.on('request', count);
    const opacity = () => page.evaluate<string>(opacityScript);
    const made = await roughness();
    await expect.poll(opacity).toBe('1');
    await dial('Strength of the model').fill('40');
    await expect.poll(opacity).toBe('0.4');
    expect(await roughness()).toBeCloseTo(made, 4);
    // A dial that is done after mixing leaves that to the service.
    await dial('Sharpen').fill('50');
    await expect.poll(opacity).toBe('1');
    await expect.poll(() => requests, patient).toBeGreaterThan(0);
    await dial('Sharpen').fill('0');
    await expect.poll(opacity).toBe('0.4');
    await expect.poll(roughness, patient).toBeCloseTo(made, 2);
    await trial()
      .getByText(/^Shown at 100%/)
      .waitFor(patient);
    const before = requests;
    for (const amount of ['0', '60', '100']) await dial('Strength of the model').fill(amount);
    await expect.poll(opacity).toBe('1');
    expect(requests).toBe(before);
    page.off('request', count);
  });

  it('has a dial of the model Detail in its picture, which makes that one alone anew', async () => {
    const asked: unknown[] = [];
    const note = (request: Request) => {
      if (!request.url().endsWith('/api/previews')) return;
      const { models, detail } = request.postDataJSON() as { models: string[]; detail: number };
      asked.push([models, detail]);
    };
    page.on('request', note);
    const picture = trial().getByRole('figure').filter({ hasText: 'Detail' });
    const own = picture.getByRole('slider');
    expect(await trial().getByRole('slider', { name: 'Natural to Detail' }).count()).toBe(1);
    const link = () =>
      picture.getByRole('img', { name: 'Detail', exact: true }).getAttribute('src');
    const before = await link();
    // The arrow keys are the dial's.
    await own.press('ArrowLeft');
    expect(await own.inputValue()).toBe('95');
    await expect.poll(link, patient).not.toBe(before);
    expect(asked).toEqual([[['detail'], 95]]);
    expect(await cleaned().isVisible()).toBe(true);
    await own.fill('100');
    await expect.poll(() => asked.length, patient).toBe(2);
    await trial()
      .getByText(/^Shown at 100%/)
      .waitFor(patient);
    page.off('request', note);
  });

  it('shows another strength of a finished photo at once, before it is run again', async () => {
    await page.keyboard.press('Escape');
    await button('Start 1 photo').click();
    await row(/hill\.jpg 320 × 240/).click(patient);
    const after = page.getByRole('img', { name: 'After: hill.jpg' });
    await after.waitFor(patient);
    await showMoreOptions(page);
    const settings = page.getByRole('group', { name: 'Settings' });
    const strength = settings.getByRole('slider', { name: 'Strength of the model' });
    const preview = page.getByRole('img', { name: 'Preview of hill.jpg' });
    await strength.fill('30');
    await preview.waitFor();
    await page.getByText('Preview: run it again to apply.').waitFor();
    await strength.fill('100');
    await preview.waitFor({ state: 'detached' });
    const model = settings.getByRole('combobox', { name: 'Model', exact: true });
    const detail = settings.getByRole('slider', { name: 'Natural to Detail' });
    expect(await detail.count()).toBe(0);
    await model.selectOption('Detail');
    await detail.waitFor();
    await model.selectOption('Natural');
    await detail.waitFor({ state: 'detached' });
  });

  it('makes one more version of a finished photo of what is liked, where the panel says', async () => {
    const folder = await realpath(temporaryFolder());
    await page.getByLabel('Results go to').selectOption('One folder');
    await page.getByText('Not saved · New results are saved here').waitFor();
    await page.getByLabel('Save to').fill(folder);
    await page.getByLabel('Save to').press('Tab');
    await page.keyboard.press('t');
    await page.getByRole('group', { name: 'hill.jpg' }).press('Enter');
    await dial('Grain').fill('40');
    await expect.poll(roughness, patient).toBeGreaterThan(0);
    await trial().getByText('4×', { exact: true }).click();
    const run = trial().getByRole('button', { name: 'Run: Natural' });
    expect(await run.textContent()).toBe('Run');
    await expect.poll(() => run.getAttribute('title')).toMatch(/version/i);
    await run.click(patient);
    await row(/hill\.jpg.*Version 2 of 2/).waitFor(patient);
    // Another model of the place may be liked, too.
    expect(await trial().count()).toBe(1);
    const [version] = await tasksOf('hill.jpg');
    expect(version?.options).toMatchObject({ scale: 4, grain: 40, model: 'natural' });
    // A person waits for it, as for what is touched up, so it goes before all that wait.
    expect(version?.priority).toBe(10);
    await row(new RegExp(`hill\\.jpg 640 × 480.* ${path.basename(folder)}`)).waitFor(patient);
    expect(await readdir(folder)).toEqual(['hill-4x.jpg']);
    // Each is called by what differs, and by no setting that its model says already.
    const names = row(/hill\.jpg/).locator('.version');
    expect(await names.first().getAttribute('title')).toBe('2×, natural');
    expect(await names.last().getAttribute('title')).toBe('4×, natural, Grain: 40');
    await page.keyboard.press('Escape');
    await trial().waitFor({ state: 'detached' });
  });

  it('shows what a cut-out makes of the place, and takes its model', async () => {
    const box = { x: 110, y: 70, width: 180, height: 160 };
    const { data, ...raw } = plainSubject(size.width, size.height, box);
    await add('box.jpg', await sharp(data, { raw }).jpeg().toBuffer());
    const settings = page.getByRole('group', { name: 'Settings' });
    await settings.getByText('Cut out', { exact: true }).click();
    await page.keyboard.press('t');
    await page.getByRole('group', { name: 'box.jpg' }).press('Enter');
    const shown = trial().getByRole('img', { name: 'Cutout', exact: true });
    await shown.waitFor(patient);
    // Nothing of enlarging is asked for a cut-out.
    await expect.poll(() => dial('Sharpen').count()).toBe(0);
    let share = 0;
    await expect
      .poll(async () => (share = await clearShare('Cutout')), patient)
      .toBeGreaterThan(0.1);
    expect(share).toBeLessThan(0.9);
    await trial().getByRole('button', { name: 'Use: Cutout' }).click();
    await showMoreOptions(page);
    const model = settings.getByRole('combobox', { name: 'Model', exact: true });
    await expect.poll(() => model.inputValue()).not.toBe('');
    await page.keyboard.press('Escape');
    await button('Start 1 photo').click();
    await row(/box\.jpg 400 × 300, \d/).waitFor(patient);
    const [task] = await tasksOf('box.jpg');
    expect(task?.operation).toBe('remove-bg');
    expect(open.complaints).toEqual([]);
  });
});

/** Run in the page: how opaque the results of a try lie over what is below. */
const opacityScript = `getComputedStyle(document.querySelector('section .result')).opacity`;

/** Runs in the page, too. */
const clearScript = `(name) => {
  const image = [...document.querySelectorAll('section img')].find(({ alt }) => alt === name);
  const { naturalWidth: width, naturalHeight: height } = image;
  if (width === 0) return 0;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  let clear = 0;
  for (let at = 3; at < data.length; at += 4) if (data[at] < 128) clear += 1;
  return clear / (width * height);
}`;

/** Runs in the page, whose types the tests do not have. */
const roughnessScript = `() => {
  const image = [...document.querySelectorAll('section img')].find(({ alt }) => alt === 'Natural');
  const { naturalWidth: width, naturalHeight: height } = image;
  if (width === 0) return 0;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  let sum = 0;
  for (let at = 4; at < data.length; at += 4) sum += Math.abs(data[at + 1] - data[at - 3]);
  return sum / (width * height);
}`;
