/** Looking at results, in real Chromium over the real service. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { TaskList } from '../../packages/contract/src/task.ts';
import { findBarriers, findBarriersInBoth } from '../support/axe.ts';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { nearestNetwork } from '../support/networks-made.ts';
import { chooseFiles, dropFiles, type PageFile } from '../support/page-files.ts';
import { chooseMode, listOnly, showMoreOptions } from '../support/page-menus.ts';
import { askAsPage, type OpenPage } from '../support/page.ts';
import { smallJpeg } from '../support/pictures.ts';
import { plainSubject } from '../support/subjects.ts';
import { fillOf, groundOf, inkOf, isShown, isSmooth } from '../support/stage.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { withPage } from '../support/with-page.ts';
import { patient } from '../support/machine-pace.ts';

const soon = { timeout: patient(30_000) };

describe.skipIf(chromiumPath === undefined)('looking at a photo (needs Chromium)', () => {
  let open: OpenPage;
  let page: Page;
  withPage((opened) => ({ page } = open = opened), { networks: 'quick' });

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const row = (name: RegExp) => page.getByRole('option', { name });
  const before = (name: string): Locator =>
    page.getByRole('img', { name: `Before: ${name}`, includeHidden: true });
  const after = (name: string): Locator =>
    page.getByRole('img', { name: `After: ${name}`, includeHidden: true });
  const choose = (...files: PageFile[]) =>
    chooseFiles(page, () => button('Add photos').click(), files);
  /** A network that makes a square of each pixel. */
  const addSquares = async () => {
    const [{ path } = { path: '' }] = nearestNetwork(temporaryFolder(), 4).variants;
    const mimeType = 'application/octet-stream';
    await dropFiles(page, [{ name: 'Squares.onnx', mimeType, buffer: await readFile(path) }]);
    await page.getByText('Squares is installed.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Models' }).waitFor({ state: 'detached' });
  };

  it('lays before and after on each other, beside each other, and shows one at a time', async () => {
    await choose({ name: 'sea.jpg', mimeType: 'image/jpeg', buffer: await smallJpeg(700, 500) });
    await button(/^Start 1 photo/).click();
    await row(/sea\.jpg 1400 × 1000, \d/).click({ timeout: journeyWaitMs() });
    await after('sea.jpg').waitFor();
    await page.getByText('Info', { exact: true }).click();
    const details = page.getByRole('region', { name: 'Details' });
    const { measured } = (await askAsPage<TaskList>(page, '/api/tasks')).tasks[0]!;
    await details
      .getByText(`Compression: about JPEG quality ${measured?.jpegQuality}`, { exact: true })
      .waitFor();
    await details.getByText(/^(Noise: (low|moderate|high)|No noise)$/).waitFor();
    await details.getByTitle(/Average difference .* levels, largest .* by more than 2/).waitFor();
    await page.getByText('Settings', { exact: true }).first().click();
    // How far the one lies right of the other, lower, and how much wider it is.
    const apart = async () => {
      const [left, right] = [await boxOf(before('sea.jpg')), await boxOf(after('sea.jpg'))];
      return [right.x - left.x, right.y - left.y, right.width - left.width];
    };
    await expect.poll(apart, soon).toEqual([0, 0, 0]);
    await chooseMode(page, 'Side by side');
    await expect.poll(async () => (await apart()).slice(1), soon).toEqual([0, 0]);
    const { width } = await boxOf(before('sea.jpg'));
    await expect.poll(async () => (await apart())[0], soon).toBeGreaterThanOrEqual(width);
    await page.keyboard.press('c');
    await expect.poll(() => isShown(before('sea.jpg')), soon).toBe(false);
    await page.keyboard.down('b');
    await expect.poll(() => isShown(before('sea.jpg')), soon).toBe(true);
    await expect.poll(() => isShown(after('sea.jpg')), soon).toBe(false);
    await page.keyboard.up('b');
    await expect.poll(() => isShown(after('sea.jpg')), soon).toBe(true);
  });

  it('zooms to 400 % and pans with both in step and smoothed alike, and shows the way', async () => {
    await chooseMode(page, 'Before and after under a divider');
    await page.keyboard.press('1');
    const zoom = page.getByRole('toolbar', { name: 'The photo' }).locator('output');
    await expect.poll(() => zoom.textContent(), soon).toBe('100%');
    const way = page.locator('main .navigator');
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('+');
    await expect.poll(() => zoom.textContent(), soon).toBe('400%');
    for (const picture of [before('sea.jpg'), after('sea.jpg')])
      await expect.poll(() => isSmooth(picture), soon).toBe(true);
    await expect.poll(async () => (await boxOf(after('sea.jpg'))).width, soon).toBe(5600);
    const { x } = await boxOf(after('sea.jpg'));
    await page.getByRole('group', { name: 'sea.jpg' }).press('ArrowRight');
    for (const picture of [after('sea.jpg'), before('sea.jpg')])
      await expect.poll(async () => (await boxOf(picture)).x, soon).toBe(x - 60);
    const map = await boxOf(way);
    await page.mouse.click(map.x + 1, map.y + 1);
    const corner = await boxOf(page.getByRole('group', { name: 'sea.jpg' }));
    await expect.poll(async () => (await boxOf(after('sea.jpg'))).x, soon).toBeCloseTo(corner.x, 0);
    await page.keyboard.press('0');
    await expect.poll(() => way.count(), soon).toBe(0);
    await button('Fit').and(page.locator('[aria-pressed=true]')).waitFor();
  });

  it('shows the original from one click on Before to the next', async () => {
    const switching = page.getByRole('button', { name: 'Before', exact: true });
    const pressed = () => switching.getAttribute('aria-pressed');
    await switching.click();
    await page.getByRole('listbox').hover();
    await expect.poll(pressed, soon).toBe('true');
    await expect.poll(() => after('sea.jpg').isVisible(), soon).toBe(false);
    await switching.click();
    await expect.poll(pressed, soon).toBe('false');
    await expect.poll(() => after('sea.jpg').isVisible(), soon).toBe(true);
  });

  it('tries a place of a finished photo by keys alone, without a line through it', async () => {
    await page.getByRole('listbox').press('t');
    const divider = page.getByRole('slider', { name: 'Divider between before and after' });
    await expect.poll(() => divider.count(), soon).toBe(0);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    const panel = page.getByRole('region', { name: 'Try here' });
    await panel.getByText('Faithful').waitFor({ timeout: journeyWaitMs() });
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

  it('compares with the original after a reload too, out of tiles, in the same list and view', async () => {
    await listOnly(page, /^Done ?1$/);
    await page.keyboard.press('1');
    await page.getByRole('group', { name: 'sea.jpg' }).press('ArrowRight');
    const { x, width } = await boxOf(after('sea.jpg'));
    expect(width).toBe(1400);
    await page.reload();
    await row(/sea\.jpg 1400 × 1000/).waitFor();
    await page
      .getByRole('group', { name: 'Which photos are listed' })
      .getByRole('button', { name: 'Done' })
      .waitFor();
    await expect.poll(async () => (await boxOf(after('sea.jpg'))).x, soon).toBe(x);
    await page.keyboard.press('0');
    await listOnly(page, /^All ?1$/);
    await row(/sea\.jpg 1400 × 1000/).click();
    await expect.poll(() => inkOf(before('sea.jpg')), soon).toBeGreaterThan(0.5);
    await after('sea.jpg').waitFor();
    await page.getByRole('slider', { name: 'Divider between before and after' }).waitFor();
    expect(await findBarriersInBoth(page)).toEqual([]);
  });

  it('opens a result of over 40 megapixels at once, without loading the whole of it', async () => {
    const loaded: string[] = [];
    page.on('response', (response) => loaded.push(new URL(response.url()).pathname));
    const create = { width: 1620, height: 1600, channels: 3, background: '#7a5c3e' } as const;
    const buffer = await sharp({ create }).jpeg().toBuffer();
    await page.getByRole('listbox').press('Space');
    // 2.6 megapixels keep the usual network busy for long.
    await addSquares();
    await showMoreOptions(page);
    await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption('Squares');
    await page.getByText('4×', { exact: true }).first().click();
    await choose({ name: 'wall.jpg', mimeType: 'image/jpeg', buffer });
    await button(/^Start 1 photo/).click();
    await row(/wall\.jpg 6480 × 6400, \d/).click({ timeout: journeyWaitMs() });
    await expect.poll(() => inkOf(after('wall.jpg')), soon).toBeGreaterThan(0.5);
    await page.keyboard.press('1');
    await chooseMode(page, 'Side by side');
    await expect.poll(() => inkOf(after('wall.jpg')), soon).toBe(1);
    const whole = loaded.filter((path) => path.startsWith('/api/results/') && !/thumb/.test(path));
    expect(whole.filter((path) => !path.includes('/tiles/'))).toEqual([]);
    await page.keyboard.press('0');
    await chooseMode(page, 'Before and after under a divider');
  });

  it('shows a cut-out over a pattern, white, black and any colour', async () => {
    const box = { x: 110, y: 70, width: 180, height: 160 };
    const { data, ...size } = plainSubject(400, 300, box);
    const buffer = await sharp(data, { raw: size }).png().toBuffer();
    await choose({ name: 'box.png', mimeType: 'image/png', buffer });
    await row(/box\.png/).click();
    await page.getByText('Cut out', { exact: true }).first().click();
    await button(/^Start 1 photo/).click();
    await row(/box\.png 400 × 300, \d/).click({ timeout: journeyWaitMs() });
    const ground = () => groundOf(after('box.png'));
    await after('box.png').waitFor();
    await expect.poll(ground, soon).toContain('repeating-conic-gradient');
    await button('White').click();
    await expect.poll(ground, soon).toBe('rgb(255, 255, 255) none');
    await button('Black').click();
    await expect.poll(ground, soon).toBe('rgb(0, 0, 0) none');
    await page.getByLabel('Any colour').fill('#208040');
    await expect.poll(ground, soon).toBe('rgb(32, 128, 64) none');
  });

  it('shows what is chosen, and backdrops, in high contrast of the system', async () => {
    await page.emulateMedia({ forcedColors: 'active' });
    const rows = page.getByRole('listbox', { name: 'Queue' });
    expect((await fillOf(rows.getByRole('option', { selected: true }))).outline).toBe('solid');
    const others = rows.getByRole('option', { selected: false });
    expect((await fillOf(others.first())).outline).toBe('none');
    const settings = page.getByRole('group', { name: 'Settings' });
    const choice = async (name: string) =>
      (await fillOf(settings.locator('label', { has: page.getByLabel(name, { exact: true }) })))
        .fill;
    expect(await choice('Cut out')).not.toBe(await choice('Enlarge'));
    expect(await choice('Both')).toBe(await choice('Enlarge'));
    expect((await fillOf(button('White').locator('span'))).fill).toBe('rgb(255, 255, 255)');
    expect((await fillOf(button('Black').locator('span'))).fill).toBe('rgb(0, 0, 0)');
    expect(await groundOf(after('box.png'))).toBe('rgb(32, 128, 64) none');
    await page.emulateMedia({ forcedColors: 'none' });
  });

  it('compares a cropped cut-out at its own place of the source', async () => {
    const box = { x: 60, y: 90, width: 120, height: 140 };
    const { data, ...size } = plainSubject(400, 300, box);
    const buffer = await sharp(data, { raw: size }).png().toBuffer();
    await choose({ name: 'part.png', mimeType: 'image/png', buffer });
    await row(/part\.png/).click();
    const settings = page.getByRole('group', { name: 'Settings' });
    await settings.getByText('Cut out', { exact: true }).click();
    await showMoreOptions(page);
    await page.getByLabel('Crop to the subject').check();
    await button(/^Start 1 photo/).click();
    await row(/part\.png/)
      .and(page.locator(':has-text("kB")'))
      .waitFor({ timeout: journeyWaitMs() });
    await page.getByRole('slider', { name: 'Divider between before and after' }).waitFor();
    /** How wide the part is of the whole, and how far from its place in it, in pixels of the photo. */
    const placed = async () => {
      const [whole, part] = [await boxOf(before('part.png')), await boxOf(after('part.png'))];
      const zoom = whole.width / size.width;
      const away = [(part.x - whole.x) / zoom - box.x, (part.y - whole.y) / zoom - box.y];
      return { share: part.width / whole.width, away: Math.max(...away.map(Math.abs)) };
    };
    await expect.poll(async () => (await placed()).share, soon).toBeLessThan(0.75);
    await expect.poll(async () => (await placed()).away, soon).toBeLessThan(20);
  });

  it('had nothing to complain of', () => {
    expect(open.complaints).toEqual([]);
  });
});

/** Where it is on the screen, once it is there. */
async function boxOf(picture: Locator) {
  await picture.waitFor();
  const box = await picture.boundingBox();
  if (box === null) throw new Error('It is not on the screen any more.');
  return box;
}
