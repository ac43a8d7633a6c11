/** Cutting out and enlarging in one run, in real Chromium over the real service and networks, over a kill. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { TaskList } from '../../packages/contract/src/task.ts';
import { findBarriers } from '../support/axe.ts';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { chooseFiles } from '../support/page-files.ts';
import { chooseMode, showMoreOptions } from '../support/page-menus.ts';
import type { OpenPage } from '../support/page.ts';
import { plainSubject } from '../support/subjects.ts';
import { withPage } from '../support/with-page.ts';
import { patient as patientFor } from '../support/machine-pace.ts';

const patient = { timeout: journeyWaitMs() };
const soon = { timeout: patientFor(30_000) };

describe.skipIf(chromiumPath === undefined)('enlarging and cutting out (needs Chromium)', () => {
  let open: OpenPage;
  let page: Page;
  withPage((opened) => ({ page } = open = opened), { networks: 'quick' });

  const settings = () => page.getByRole('group', { name: 'Settings' });
  const button = (name: string) => page.getByRole('button', { name });
  const row = (name: RegExp) => page.getByRole('option', { name });

  async function call(route: string): Promise<Response> {
    const key = (await readFile(open.line.keyFile, 'utf8')).trim();
    return fetch(new URL(route, open.line.url), { headers: { authorization: `KEY ${key}` } });
  }

  const tasks = async () => ((await (await call('/api/tasks')).json()) as TaskList).tasks;

  it('is one choice, with the settings of both and what comes first', async () => {
    const { data, ...raw } = plainSubject(400, 300, { x: 110, y: 70, width: 180, height: 160 });
    const buffer = await sharp(data, { raw }).jpeg({ quality: 95 }).toBuffer();
    const file = { name: 'box.jpg', mimeType: 'image/jpeg', buffer };
    await chooseFiles(page, () => page.getByRole('button', { name: 'Add photos' }).click(), [file]);
    await row(/box\.jpg/).click();
    await settings().getByText('Both', { exact: true }).click();
    await showMoreOptions(page);
    await settings().getByRole('combobox', { name: 'Order', exact: true }).waitFor();
    const models = settings().getByRole('combobox', { name: /^Model/ });
    await expect.poll(() => models.count(), soon).toBe(2);
    await settings().getByLabel('Mask only').check();
    await expect
      .poll(() => settings().getByRole('combobox', { name: 'Order', exact: true }).count())
      .toBe(0);
    await settings().getByLabel('Mask only').uncheck();
    await settings().getByLabel('Crop to the subject').check();
    await row(/box\.jpg.*800 × 600/).waitFor(patient);
    await row(/2× cut out/).waitFor();
    expect(await findBarriers(page)).toEqual([]);
  });

  it('tries either half, and uses what is liked of it', async () => {
    const trial = page.getByRole('region', { name: 'Try here' });
    await button('Try here').and(page.locator(':enabled')).waitFor();
    await page.keyboard.press('t');
    await page.getByRole('group', { name: 'box.jpg' }).click();
    await trial.getByRole('button', { name: 'Use: Cutout' }).waitFor(patient);
    await trial.getByText('Enlarge', { exact: true }).click();
    await trial.getByRole('slider', { name: 'Sharpen' }).waitFor();
    await trial.getByRole('button', { name: 'Use: Faithful' }).click(patient);
    expect(await findBarriers(page)).toEqual([]);
    const models = settings().getByRole('combobox', { name: /^Model/ });
    const chosen = () => models.locator('option:checked').allTextContents();
    await expect.poll(chosen, soon).toEqual(['Faithful', 'Cutout']);
    await trial.getByText('Cut out', { exact: true }).click();
    await trial.getByRole('button', { name: 'Use: Cutout' }).waitFor(patient);
    await page.keyboard.press('t');
    await models.first().selectOption('Natural');
    await settings().getByRole('combobox', { name: 'Order', exact: true }).waitFor();
    await settings().getByRole('slider', { name: 'Sharpen' }).fill('30');
  });

  it('runs once, over a kill in its middle, and is compared in place', async () => {
    await page.getByRole('button', { name: /^Start 1 photo/ }).click();
    await expect
      .poll(async () => (await tasks())[0]?.status, patient)
      .toMatch(/PROCESSING|FINISHED/);
    const pageUrl = await open.restart('SIGKILL');
    await page.getByRole('heading', { name: 'Enlarger was restarted' }).waitFor();
    await page.goto(pageUrl);
    await expect.poll(async () => (await tasks())[0]?.status, patient).toBe('FINISHED');
    const [record, ...others] = await tasks();
    expect(others).toEqual([]);
    expect(record).toMatchObject({ model: 'cutout,natural-x2', output: { format: 'png' } });
    const { output, crop } = record!;
    expect([output?.width, output?.height]).toEqual([2 * crop!.width, 2 * crop!.height]);
    await row(/box\.jpg.*\d+ × \d+, \d/).click();
    await page.getByRole('img', { name: 'After: box.jpg' }).waitFor();
    const bytes = Buffer.from(await (await call(record!.imageUrl!)).arrayBuffer());
    const found = await sharp(bytes).metadata();
    expect([found.width, found.hasAlpha]).toEqual([output?.width, true]);
    await expect.poll(() => button('Touch up').isEnabled(), soon).toBe(true);
    await page.getByText('Info', { exact: true }).click();
    const details = page.getByRole('region', { name: 'Details' });
    await details.getByText('Cutout, Natural', { exact: true }).waitFor();
    await details.getByText('Sharpen', { exact: true }).waitFor();
    await details.getByText('30', { exact: true }).waitFor();
    await page.locator('label').filter({ hasText: 'Settings' }).click();
  });

  it('makes shop pictures by one press, and enlarges the small photos alone', async () => {
    const files = await Promise.all(
      [500, 2048].map(async (side) => {
        const box = { x: side * 0.25, y: side * 0.2, width: side * 0.5, height: side * 0.6 };
        const { data, ...raw } = plainSubject(side, side, box);
        const buffer = await sharp(data, { raw }).jpeg({ quality: 95 }).toBuffer();
        return { name: `vase-${side}.jpg`, mimeType: 'image/jpeg', buffer };
      }),
    );
    await chooseFiles(page, () => page.getByRole('button', { name: 'Add photos' }).click(), files);
    await settings().getByText('Cut out', { exact: true }).first().click();
    await button('Shop picture').click();
    const smaller = settings().getByText('1 photo is smaller and is enlarged as well');
    await smaller.waitFor(soon);
    await settings().getByText('The canvas sets the size.').waitFor();
    expect(await settings().getByRole('radio', { name: '2×' }).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await settings().getByRole('button', { name: 'Only cut out' }).click();
    await settings().getByText('1 photo is smaller and becomes soft.').waitFor();
    await settings().getByRole('button', { name: 'Enlarge as well' }).click();
    await row(/vase-500.*4× cut out/).waitFor(soon);
    await row(/vase-2048.*Cut out/).waitFor(soon);
    await page.getByRole('button', { name: /^Start 2/ }).click();
    const made = async () =>
      (await tasks())
        .filter(({ source, status }) => source.name.startsWith('vase') && status === 'FINISHED')
        .map(({ source, options, output }) => [
          source.name,
          options.enlarge?.scale,
          output?.width,
          output?.height,
        ])
        .sort();
    await expect.poll(made, patient).toEqual([
      ['vase-2048.jpg', undefined, 2000, 2000],
      ['vase-500.jpg', 4, 2000, 2000],
    ]);

    await row(/vase-500/).click();
    await showMoreOptions(page);
    await settings()
      .getByRole('combobox', { name: 'Order', exact: true })
      .selectOption({ label: 'Cut out first: faster with a crop' });
    await settings().getByText('The canvas sets the size.').waitFor();
    await page.getByRole('button', { name: /^Run 1 selected again/ }).click();
    const cutFirst = async () =>
      (await tasks())
        .filter(
          ({ options, status }) => options.enlarge?.first === 'cutout' && status === 'FINISHED',
        )
        .filter(({ source }) => source.name === 'vase-500.jpg')
        .map(({ options, output }) => [options.enlarge?.scale, output?.width, output?.height]);
    await expect.poll(cutFirst, patient).toEqual([[4, 2000, 2000]]);
  });

  it('shows versions of one size at one scale, whichever is picked', async () => {
    await settings().getByRole('slider', { name: 'Feather' }).fill('12');
    await page.getByRole('button', { name: /^Run 1 selected again/ }).click();
    await row(/vase-500.*2000 × 2000, \d.*Version 3 of 3/).waitFor(patient);
    await chooseMode(page, 'All versions beside each other');
    const pictures = page.getByRole('main').getByRole('img', { name: /^\d: .*vase-500/ });
    await expect.poll(() => pictures.count(), soon).toBe(3);
    const places = async () => {
      const boxes = await Promise.all((await pictures.all()).map((one) => one.boundingBox()));
      return boxes.map((box) => [box?.width, box?.height]);
    };
    const before = await places();
    expect(new Set(before.map(String)).size).toBe(1);
    for (const number of ['1', '2']) {
      await page
        .locator('figcaption')
        .getByRole('button', { name: new RegExp(`^${number}:`) })
        .click();
      expect(await places()).toEqual(before);
    }
  });
});
