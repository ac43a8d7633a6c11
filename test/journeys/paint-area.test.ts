/** Painting where an enlargement uses the model, in real Chromium over the real service and networks. */
import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { TaskList } from '../../packages/contract/src/task.ts';
import { findBarriersInBoth } from '../support/axe.ts';
import { chromiumPath } from '../support/browser.ts';
import { patient } from '../support/machine-pace.ts';
import { chooseFiles, noisyFile, noisySize } from '../support/page-files.ts';
import { askAsPage } from '../support/page.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { withPage } from '../support/with-page.ts';

const soon = { timeout: patient(30_000) };
const name = 'noise.png';
const { width, height } = noisySize;

describe.skipIf(chromiumPath === undefined)('painting where the model is used', () => {
  let page: Page;
  withPage((opened) => ({ page } = opened), { networks: 'quick' });

  const button = (words: string | RegExp) => page.getByRole('button', { name: words, exact: true });
  const row = (words: string) => page.getByRole('option', { name: new RegExp(words) });
  const panel = () => page.getByRole('region', { name: 'Touch up' });
  const area = () => panel().getByLabel('Apply the model to');
  const tasks = async () => (await askAsPage<TaskList>(page, '/api/tasks')).tasks;

  /** Place of a pixel of the source on the screen. */
  async function onScreen(x: number, y: number): Promise<{ x: number; y: number }> {
    const shown = (await page.getByRole('img', { name: `Before: ${name}` }).boundingBox())!;
    return {
      x: shown.x + (x / width) * shown.width,
      y: shown.y + (y / height) * shown.height,
    };
  }

  async function drag(from: [number, number], to: [number, number]): Promise<void> {
    const [start, end] = [await onScreen(...from), await onScreen(...to)];
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(end.x, end.y, { steps: 12 });
    await page.mouse.up();
    await page.mouse.move(2, 2);
  }

  /** A square of 40 CSS pixels around a pixel of the source, in grey levels. */
  async function seenAt(x: number, y: number): Promise<number[]> {
    const at = await onScreen(x, y);
    const clip = { x: at.x - 20, y: at.y - 20, width: 40, height: 40 };
    const png = await page.screenshot({ clip });
    return [...(await sharp(png).greyscale().raw().toBuffer())];
  }

  const differenceOf = (one: number[], other: number[]) =>
    one.reduce((sum, level, at) => sum + Math.abs(level - (other[at] ?? 0)), 0) / one.length;

  it('begins over an enlargement that is done', async () => {
    await chooseFiles(page, () => button('Add photos').click(), [await noisyFile(name, 40)]);
    await button('Start 1 photo').click();
    await row(`${name} 480 × 360, \\d`).click(soon);
    await expect
      .poll(() => button('Touch up').getAttribute('title'))
      .toBe('Paint where the model is used (U)');
    await page.keyboard.press('u');
    await panel().getByRole('radio', { name: 'Plain' }).waitFor();
    expect(await panel().getByRole('radio', { name: 'Plain' }).isChecked()).toBe(true);
    expect(await area().inputValue()).toBe('everywhere');
    expect(await panel().getByText('Feather').count()).toBe(0);
    await expect.poll(() => button('Apply').isDisabled()).toBe(true);
    expect(await findBarriersInBoth(page)).toEqual([]);
  });

  it('shows at once what the brush changes', async () => {
    const painted = [80, 90] as const;
    const other = [190, 40] as const;
    await page.locator('#stage-frame').focus();
    // Its full part, half of the radius, covers what is looked at.
    for (let step = 0; step < 8; step += 1) await page.keyboard.press(']');
    await drag([60, 90], [100, 90]);
    await panel().getByText('1 new stroke.').waitFor();
    const preview = [await seenAt(...painted), await seenAt(...other)] as const;
    const strength = panel().getByLabel('Strength of the model');
    await strength.fill('0');
    const plain = [await seenAt(...painted), await seenAt(...other)] as const;
    await strength.fill('80');
    const mixed = await seenAt(...other);
    expect(differenceOf(preview[0], plain[0])).toBeLessThan(1);
    expect(differenceOf(preview[1], plain[1])).toBeGreaterThan(4);
    expect(differenceOf(preview[1], mixed)).toBeGreaterThan(0.5);
    await page.locator('#stage-frame').focus();
    await page.keyboard.press('m');
    const [inside, outside] = [await seenAt(...other), await seenAt(...painted)];
    expect(Math.min(...inside)).toBeGreaterThan(250);
    expect(Math.max(...outside)).toBeLessThan(5);
    await page.keyboard.press('m');
    await page.keyboard.press('m');
  });

  it('makes a version with the strokes, and goes back to the one before', async () => {
    await button('Apply').click();
    await row(`${name}.*Version 2 of 2`).waitFor(soon);
    const [made] = (await tasks()).filter(({ options }) => options.strokes !== undefined);
    expect(made?.options).toMatchObject({ amount: 80, amountMask: 'everywhere' });
    expect(made?.options.strokes).toMatchObject([{ kind: 'remove', hardness: 50 }]);
    await expect.poll(() => panel().count()).toBe(0);
    await page.keyboard.press('u');
    await panel().waitFor();
    // The painted version is previewed over the one that is the model alone.
    await page.keyboard.press('m');
    expect(Math.max(...(await seenAt(80, 90)))).toBeLessThan(5);
    await page.keyboard.press('m');
    await page.keyboard.press('m');
    await page.getByRole('group', { name: 'Settings' }).getByText('More options').click();
    await page.getByText('1 stroke', { exact: true }).waitFor();
    await page.locator('#stage-frame').focus();
    await page.keyboard.press('Control+z');
    await row(`${name}.*Version 1 of 2`).waitFor();
    expect(await page.getByText('1 new stroke.').count()).toBe(0);
  });

  it('paints where the model is used alone, once there is a stroke', async () => {
    await area().selectOption('Only where painted');
    expect(await panel().getByRole('radio', { name: 'Model' }).isChecked()).toBe(true);
    await expect.poll(() => button('Apply').isDisabled()).toBe(true);
    await drag([60, 90], [100, 90]);
    await page.locator('#stage-frame').focus();
    await page.keyboard.press('m');
    expect(Math.min(...(await seenAt(80, 90)))).toBeGreaterThan(250);
    expect(Math.max(...(await seenAt(190, 40)))).toBeLessThan(5);
    await page.keyboard.press('m');
    await page.keyboard.press('m');
    // Its result goes where the panel says, though the task before was only kept.
    const folder = await realpath(temporaryFolder());
    await page.getByLabel('Results go to').selectOption('One folder');
    await page.getByLabel('Save to').fill(folder);
    const granted = page.waitForResponse('**/api/grants');
    await page.getByLabel('Save to').press('Tab');
    await granted;
    await button('Apply').click();
    await row(`${name}.*Version 3 of 3.*${path.basename(folder)}`).waitFor(soon);
    expect(await readdir(folder)).toHaveLength(1);
    const kinds = (await tasks()).map(({ options }) => options.amountMask);
    expect(kinds.filter((kind) => kind !== undefined).sort()).toEqual(['everywhere', 'painted']);
  });
});
