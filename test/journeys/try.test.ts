/** Trying what beside the model decides: cleaning, sharpening and grain, in real Chromium. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../support/browser.ts';
import { photo } from '../support/images.ts';
import { chooseFiles } from '../support/page-files.ts';
import { openPage, type OpenPage } from '../support/page.ts';

const patient = { timeout: 240_000 };
const size = { width: 400, height: 300 };

describe.skipIf(chromiumPath === undefined)('trying settings (needs Chromium)', () => {
  let open: OpenPage;
  let page: Page;
  beforeAll(async () => {
    open = await openPage();
    page = open.page;
  });
  afterAll(() => open.close());

  const trial = () => page.getByRole('region', { name: 'Try here' });
  const dial = (name: string) => trial().getByRole('slider', { name });
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });

  async function add(name: string, buffer: Buffer): Promise<void> {
    const files = [{ name, mimeType: 'image/jpeg', buffer }];
    await chooseFiles(page, () => button('Add photos').click(), files);
    await page.getByRole('img', { name: `Before: ${name}` }).waitFor();
  }

  /** How far neighbours differ in what Natural makes; 0 before it is there. */
  async function roughness(): Promise<number> {
    const shown = trial().getByRole('img', { name: 'Natural', exact: true });
    return (await shown.count()) === 0 ? 0 : page.evaluate<number>(`(${roughnessScript})()`);
  }

  it('shows what sharpening, grain and cleaning make of the place', async () => {
    const { data, ...raw } = photo(size.width, size.height);
    await add('hill.jpg', await sharp(data, { raw }).jpeg({ quality: 40 }).toBuffer());
    await page.keyboard.press('t');
    await page.getByRole('group', { name: 'hill.jpg' }).press('Enter');
    await expect.poll(roughness, patient).toBeGreaterThan(0);
    await trial()
      .getByText(/quality 40/)
      .waitFor();
    const measured = await roughness();
    await dial('Sharpen').fill('100');
    await expect.poll(roughness, patient).toBeGreaterThan(measured * 1.08);
    await dial('Sharpen').fill('0');
    await expect.poll(roughness, patient).toBeCloseTo(measured, 2);
    await dial('Grain').fill('80');
    await expect.poll(roughness, patient).toBeGreaterThan(measured * 1.08);
    await dial('Grain').fill('0');
    await expect.poll(roughness, patient).toBeCloseTo(measured, 2);
    await dial('Clean up JPEG and noise').fill('0');
    await expect.poll(roughness, patient).toBeGreaterThan(measured * 1.01);
    await button('Clean up JPEG and noise: As measured').click();
    await expect.poll(roughness, patient).toBeCloseTo(measured, 2);
  }, 600_000);
});

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
