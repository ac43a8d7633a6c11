/** Looking at results, in real Chromium over the real service and networks. */
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBarriers } from '../support/axe.ts';
import { chromiumPath } from '../support/browser.ts';
import { chooseFiles, type PageFile } from '../support/page-files.ts';
import { openPage, type OpenPage } from '../support/page.ts';
import { smallJpeg } from '../support/pictures.ts';
import { subjectPhoto } from '../support/subjects.ts';
import { groundOf, inkOf, isShown, isSmooth } from '../support/stage.ts';

const patientMs = 240_000;
const soon = { timeout: 30_000 };

describe.skipIf(chromiumPath === undefined)('looking at a photo (needs Chromium)', () => {
  let open: OpenPage;
  let page: Page;
  beforeAll(async () => {
    open = await openPage();
    page = open.page;
  });
  afterAll(() => open.close());

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const row = (name: RegExp) => page.getByRole('option', { name });
  const before = (name: string): Locator =>
    page.getByRole('img', { name: `Before: ${name}`, includeHidden: true });
  const after = (name: string): Locator =>
    page.getByRole('img', { name: `After: ${name}`, includeHidden: true });
  const choose = (...files: PageFile[]) =>
    chooseFiles(page, () => button('Add photos').click(), files);

  it('lays before and after on each other, beside each other, and shows one at a time', async () => {
    await choose({ name: 'sea.jpg', mimeType: 'image/jpeg', buffer: await smallJpeg(700, 500) });
    await button(/^Start 1 photo/).click();
    await row(/sea\.jpg 1400 × 1000/).click({ timeout: patientMs });
    await after('sea.jpg').waitFor();
    expect(await before('sea.jpg').boundingBox()).toEqual(await after('sea.jpg').boundingBox());
    await button('Side by side').click();
    const [left, right] = [
      await before('sea.jpg').boundingBox(),
      await after('sea.jpg').boundingBox(),
    ];
    expect(right!.x).toBeGreaterThanOrEqual(left!.x + left!.width);
    expect([right!.y, right!.width]).toEqual([left!.y, left!.width]);
    await page.keyboard.press('c');
    await expect.poll(() => isShown(before('sea.jpg')), soon).toBe(false);
    await page.keyboard.down('b');
    await expect.poll(() => isShown(before('sea.jpg')), soon).toBe(true);
    expect(await isShown(after('sea.jpg'))).toBe(false);
    await page.keyboard.up('b');
    await expect.poll(() => isShown(after('sea.jpg')), soon).toBe(true);
  });

  it('zooms to 400 % and pans with both in step and smoothed alike, and shows the way', async () => {
    await button('Before and after under a divider').click();
    await page.keyboard.press('1');
    await page.getByText('100%', { exact: true }).last().waitFor();
    const way = page.locator('main .navigator');
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('+');
    await page.getByText('400%', { exact: true }).waitFor();
    expect([await isSmooth(before('sea.jpg')), await isSmooth(after('sea.jpg'))]).toEqual([
      true,
      true,
    ]);
    const { x, width } = (await after('sea.jpg').boundingBox())!;
    expect(width).toBe(5600);
    await page.getByRole('group', { name: 'sea.jpg' }).press('ArrowRight');
    await expect.poll(async () => (await after('sea.jpg').boundingBox())!.x, soon).toBe(x - 60);
    expect(await before('sea.jpg').boundingBox()).toEqual(await after('sea.jpg').boundingBox());
    const map = (await way.boundingBox())!;
    await page.mouse.click(map.x + 1, map.y + 1);
    const corner = (await page.getByRole('group', { name: 'sea.jpg' }).boundingBox())!;
    await expect
      .poll(async () => (await after('sea.jpg').boundingBox())!.x, soon)
      .toBeCloseTo(corner.x, 0);
    await page.keyboard.press('0');
    await expect.poll(() => way.count(), soon).toBe(0);
    await button('Fit').and(page.locator('[aria-pressed=true]')).waitFor();
  });

  it('tries a place of a finished photo by keys alone, without a line through it', async () => {
    await page.getByRole('listbox').press('t');
    const divider = page.getByRole('slider', { name: 'Divider between before and after' });
    await expect.poll(() => divider.count(), soon).toBe(0);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('region', { name: 'Try here' });
    await panel.getByText('Faithful').waitFor();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await divider.waitFor();
  });

  it('says what is known of it: levels, sizes, times, and what changed in the metadata', async () => {
    await page.getByText('Info', { exact: true }).click();
    await page.getByRole('img', { name: /^Histogram. Black/ }).waitFor();
    await page.getByText('1400 × 1000 (1.4 MP)').waitFor();
    await button('Compare metadata').click();
    const dialog = page.getByRole('dialog', { name: 'Metadata of sea.jpg' });
    await dialog
      .getByRole('row', { name: /Width.* changed$/ })
      .first()
      .waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('compares with the original after a reload too, out of tiles', async () => {
    await page.reload();
    await row(/sea\.jpg 1400 × 1000/).click();
    await expect.poll(() => inkOf(before('sea.jpg')), soon).toBeGreaterThan(0.5);
    await after('sea.jpg').waitFor();
    await page.getByRole('slider', { name: 'Divider between before and after' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findBarriers(page), colorScheme).toEqual([]);
    }
  });

  it('opens a result of over 40 megapixels at once, without loading the whole of it', async () => {
    const loaded: string[] = [];
    page.on('response', (response) => loaded.push(new URL(response.url()).pathname));
    const create = { width: 1620, height: 1600, channels: 3, background: '#7a5c3e' } as const;
    const buffer = await sharp({ create }).jpeg().toBuffer();
    await page.getByRole('listbox').press('Escape');
    await page.getByText('4×', { exact: true }).first().click();
    await choose({ name: 'wall.jpg', mimeType: 'image/jpeg', buffer });
    await button(/^Start 1 photo/).click();
    await row(/wall\.jpg 6480 × 6400/).click({ timeout: patientMs });
    await expect.poll(() => inkOf(after('wall.jpg')), soon).toBeGreaterThan(0.5);
    await page.keyboard.press('1');
    await button('Side by side').click();
    await expect.poll(() => inkOf(after('wall.jpg')), soon).toBe(1);
    const whole = loaded.filter((path) => path.startsWith('/api/results/') && !/thumb/.test(path));
    expect(whole.filter((path) => !path.includes('/tiles/'))).toEqual([]);
    await page.keyboard.press('0');
    await button('Before and after under a divider').click();
  }, 300_000);

  it('shows a cut-out over a pattern, white, black and any colour', async () => {
    const box = { x: 110, y: 70, width: 180, height: 160 };
    const { data, ...size } = subjectPhoto(400, 300, box);
    const buffer = await sharp(data, { raw: size }).png().toBuffer();
    await choose({ name: 'box.png', mimeType: 'image/png', buffer });
    await row(/box\.png/).click();
    await page.getByText('Cut out', { exact: true }).first().click();
    await button(/^Start 1 photo/).click();
    await row(/box\.png 400 × 300/).click({ timeout: patientMs });
    const ground = () => groundOf(after('box.png'));
    await after('box.png').waitFor();
    await expect.poll(ground, soon).toContain('repeating-conic-gradient');
    await button('White').click();
    await expect.poll(ground, soon).toBe('rgb(255, 255, 255) none');
    await button('Black').click();
    await expect.poll(ground, soon).toBe('rgb(0, 0, 0) none');
    await page.getByLabel('Any colour').fill('#208040');
    await expect.poll(ground, soon).toBe('rgb(32, 128, 64) none');
  }, 300_000);

  it('compares a cropped cut-out at its own place of the source', async () => {
    const box = { x: 60, y: 90, width: 120, height: 140 };
    const { data, ...size } = subjectPhoto(400, 300, box);
    const buffer = await sharp(data, { raw: size }).png().toBuffer();
    await choose({ name: 'part.png', mimeType: 'image/png', buffer });
    await row(/part\.png/).click();
    const settings = page.getByRole('group', { name: 'Settings' });
    await settings.getByText('Cut out', { exact: true }).click();
    await page.getByLabel('Crop to the subject').check();
    await button(/^Start 1 photo/).click();
    await row(/part\.png/)
      .and(page.locator(':has-text("kB")'))
      .waitFor({ timeout: patientMs });
    await page.getByRole('slider', { name: 'Divider between before and after' }).waitFor();
    const [whole, part] = [
      await before('part.png').boundingBox(),
      await after('part.png').boundingBox(),
    ];
    const zoom = whole!.width / size.width;
    expect(part!.width).toBeLessThan(whole!.width * 0.75);
    expect(Math.abs((part!.x - whole!.x) / zoom - box.x)).toBeLessThan(20);
    expect(Math.abs((part!.y - whole!.y) / zoom - box.y)).toBeLessThan(20);
  }, 300_000);

  it('had nothing to complain of', () => {
    expect(open.complaints).toEqual([]);
  });
});
