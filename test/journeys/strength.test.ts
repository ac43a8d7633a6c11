/** The strength of a finished enlargement's model, previewed without a run, in real Chromium over the real service. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { TaskList } from '../../packages/contract/src/task.ts';
import { chromiumPath } from '../support/browser.ts';
import { patient } from '../support/machine-pace.ts';
import { chooseFiles, noisyFile } from '../support/page-files.ts';
import { askAsPage } from '../support/page.ts';
import { chooseMode } from '../support/page-menus.ts';
import { withPage } from '../support/with-page.ts';

const soon = { timeout: patient(30_000) };
const name = 'noise.png';

describe.skipIf(chromiumPath === undefined)('the strength of a finished enlargement', () => {
  let page: Page;
  withPage((opened) => ({ page } = opened), { networks: 'quick' });

  const button = (words: string | RegExp) => page.getByRole('button', { name: words, exact: true });
  const row = (words: string) => page.getByRole('option', { name: new RegExp(words) });
  const strength = () =>
    page.getByRole('group', { name: 'Settings' }).getByLabel('Strength of the model');
  const preview = () => page.getByRole('img', { name: `Preview of ${name}` });
  const taskCount = async () => (await askAsPage<TaskList>(page, '/api/tasks')).tasks.length;

  /** What is seen of the middle of the result, in levels. */
  async function seen(): Promise<number[]> {
    const box = (await page.getByRole('img', { name: `After: ${name}` }).boundingBox())!;
    const clip = {
      x: Math.round(box.x + box.width / 2 - 100),
      y: Math.round(box.y + box.height / 2 - 80),
      width: 200,
      height: 160,
    };
    return [
      ...(await sharp(await page.screenshot({ clip }))
        .removeAlpha()
        .raw()
        .toBuffer()),
    ];
  }

  function differenceOf(one: number[], other: number[]) {
    const differences = one.map((level, at) => Math.abs(level - (other[at] ?? NaN)));
    const mean = differences.reduce((sum, level) => sum + level, 0) / one.length;
    return { mean, most: Math.max(...differences) };
  }

  /** What is seen once the dial was moved, and the plain enlargement has been drawn. */
  async function seenAt(percent: number): Promise<number[]> {
    await strength().fill(String(percent));
    await preview().locator('canvas').waitFor();
    await page.getByText('Preview: run it again to apply.').waitFor();
    return seen();
  }

  /** Runs it, and compares what was previewed with what is seen then. */
  async function differenceFromRun(previewed: number[], version: number) {
    await button('Run 1 selected again').click();
    await row(`${name}.*Version ${version} of ${version}`).waitFor(soon);
    await expect.poll(() => preview().count(), soon).toBe(0);
    const mean = async () => differenceOf(previewed, await seen()).mean;
    // Until the new result is shown.
    await expect.poll(mean, soon).toBeLessThan(1.5);
    return differenceOf(previewed, await seen());
  }

  it('is seen at once, beyond what was made, as running it gives', async () => {
    await chooseFiles(page, () => button('Add photos').click(), [await noisyFile(name, 30)]);
    await page.getByRole('group', { name: 'Settings' }).getByText('More options').click();
    await strength().fill('60');
    await button('Start 1 photo').click();
    await row(`${name} 480 × 360, \\d`).click(soon);
    await chooseMode(page, 'Result only');
    await page.keyboard.press('1');
    const made = await seen();
    const previewed = await seenAt(100);
    expect(differenceOf(previewed, made).mean).toBeGreaterThan(2);
    expect(await taskCount()).toBe(1);
    const { most } = await differenceFromRun(previewed, 2);
    expect(most).toBeLessThanOrEqual(6);
  });

  it('is seen at once below what was made, as running it gives', async () => {
    const made = await seen();
    const previewed = await seenAt(30);
    expect(differenceOf(previewed, made).mean).toBeGreaterThan(2);
    expect(await taskCount()).toBe(2);
    const { mean, most } = await differenceFromRun(previewed, 3);
    expect(mean).toBeLessThan(0.8);
    expect(most).toBeLessThanOrEqual(3);
  });

  it('is left to the run where a later step follows, and the page says so', async () => {
    await strength().fill('80');
    await preview().waitFor();
    await page.getByRole('group', { name: 'Settings' }).getByLabel('Sharpen').fill('20');
    await page.getByText('Strength of the model: shown once it is run again.').waitFor();
    expect(await preview().count()).toBe(0);
  });
});
