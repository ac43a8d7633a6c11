/** Touching up a cut-out with a brush, in real Chromium over the real service and networks. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Stroke } from '../../packages/contract/src/options/strokes.ts';
import type { TaskList, TaskRecord } from '../../packages/contract/src/task.ts';
import { findBarriersInBoth } from '../support/axe.ts';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { chooseFiles, type PageFile } from '../support/page-files.ts';
import { chooseMode, listOnly, showMoreOptions } from '../support/page-menus.ts';
import type { OpenPage } from '../support/page.ts';
import { plainSubject } from '../support/subjects.ts';
import { withPage } from '../support/with-page.ts';
import { patient } from '../support/machine-pace.ts';

const soon = { timeout: patient(30_000) };
const size = { width: 400, height: 300 };
/** The layout follows the window's size within two frames. */
const twoFrames =
  'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';
/** The subject. */
const box = { x: 110, y: 70, width: 180, height: 160 };

describe.skipIf(chromiumPath === undefined)('touching up a cut-out (needs Chromium)', () => {
  let open: OpenPage;
  let page: Page;
  withPage((opened) => ({ page } = open = opened), { networks: 'quick' });

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const rows = (name: RegExp) => page.getByRole('option', { name });
  const panel = () => page.getByRole('region', { name: 'Touch up' });
  /** The mask as it is being painted: photo pixels that are covered by the ground are gone. */
  const isGone = async (name: string, x: number, y: number): Promise<boolean> =>
    (await layerAt(name, x, y))[3]! > 110;

  /** Red, green, blue and opacity of what lies over the photo. */
  async function layerAt(name: string, x: number, y: number): Promise<number[]> {
    const at = await onScreen(name, x, y);
    const layer = page.locator('main canvas[aria-hidden=true]');
    await layer.waitFor();
    const box = (await layer.boundingBox())!;
    const place = JSON.stringify([(at.x - box.x) / box.width, (at.y - box.y) / box.height]);
    return page.evaluate<number[]>(`{
      const canvas = document.querySelector('main canvas[aria-hidden=true]');
      const [x, y] = ${place};
      const context = canvas.getContext('2d');
      [...context.getImageData(Math.floor(x * canvas.width), Math.floor(y * canvas.height), 1, 1).data];
    }`);
  }
  const frame = (name: string) => page.getByRole('group', { name, exact: true });
  const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const choose = (...files: PageFile[]) =>
    chooseFiles(page, () => button('Add photos').click(), files);

  /** On the screen, of a place in pixels of the photo: while it is touched up all of it is seen. */
  async function onScreen(name: string, x: number, y: number) {
    const before = page.getByRole('img', { name: `Before: ${name}` });
    const shown = (await before.boundingBox())!;
    return {
      x: shown.x + (x / size.width) * shown.width,
      y: shown.y + (y / size.height) * shown.height,
    };
  }

  /** On the screen, of a place in pixels of a photo that is shown at 100 %, by tiles or by its file. */
  async function inMiddle(name: string, x: number, y: number) {
    const shown = (await frame(name).boundingBox())!;
    return {
      x: shown.x + shown.width / 2 + x - size.width / 2,
      y: shown.y + shown.height / 2 + y - size.height / 2,
    };
  }

  async function drag(
    name: string,
    from: [number, number],
    to: [number, number],
    placeOf = onScreen,
  ) {
    const [start, end] = [await placeOf(name, ...from), await placeOf(name, ...to)];
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(end.x, end.y, { steps: 12 });
    await page.mouse.up();
  }

  async function call(route: string): Promise<Response> {
    const key = (await readFile(open.line.keyFile, 'utf8')).trim();
    return fetch(new URL(route, open.line.url), { headers: { authorization: `KEY ${key}` } });
  }

  /** The latest of that name, once it has ended. */
  async function latest(name: string, count: number): Promise<TaskRecord> {
    const read = async () => {
      const { tasks } = (await (await call('/api/tasks')).json()) as TaskList;
      const own = tasks
        .filter(({ source }) => source.name === name)
        .sort((a, b) => a.createdAt.localeCompare(b.createdAt));
      const last = own.at(-1);
      const isEnded = last?.status === 'FINISHED' || last?.status === 'FAILED';
      return own.length === count && isEnded ? last : undefined;
    };
    await expect.poll(read, { timeout: journeyWaitMs(), interval: 500 }).toBeDefined();
    return (await read())!;
  }

  /** What became of the versions of a photo, the first one first. */
  async function marks(name: string) {
    const { tasks } = (await (await call('/api/tasks')).json()) as TaskList;
    return tasks
      .filter(({ source }) => source.name === name)
      .sort((a, b) => a.createdAt.localeCompare(b.createdAt))
      .map(({ mark }) => mark);
  }

  async function alphaAt(record: TaskRecord, x: number, y: number): Promise<number> {
    const bytes = await (await call(record.imageUrl!)).arrayBuffer();
    const { data, info } = await sharp(Buffer.from(bytes))
      .raw()
      .toBuffer({ resolveWithObject: true });
    return data[(y * info.width + x) * info.channels + 3]!;
  }

  it('is for cut-outs that are done, and left away before', async () => {
    const { data, ...raw } = plainSubject(size.width, size.height, box);
    const buffer = await sharp(data, { raw }).png().toBuffer();
    await choose({ name: 'box.png', mimeType: 'image/png', buffer });
    await rows(/box\.png/).click();
    const settings = page.getByRole('group', { name: 'Settings' });
    await settings.getByText('Cut out', { exact: true }).click();
    await button('Try here').waitFor();
    await press('u');
    // There is nothing to touch up or to compare yet.
    const before = page.getByRole('button', { name: 'Before', exact: true });
    expect(await panel().count()).toBe(0);
    for (const tool of [before, button('Compare'), button('Touch up')])
      expect(await tool.count()).toBe(0);
    await button(/^Start 1 photo/).click();
    await rows(/box\.png 400 × 300, \d/).click({ timeout: journeyWaitMs() });
    await before.and(page.locator(':enabled')).waitFor();
    await button('Touch up').and(page.locator(':enabled')).waitFor();
    const { options, ...record } = await latest('box.png', 1);
    expect(options.strokes).toBeUndefined();
    expect(await alphaAt({ options, ...record }, 140, 150)).toBeGreaterThan(200);
  });

  it('lies on a checker in the grid that ends with the picture', async () => {
    await press('g');
    await page.locator('.grid [role=option] img').first().waitFor();
    const [ratio, behind] = await page.evaluate<[number, string[]]>(`(() => {
      const picture = document.querySelector('.grid [role=option] img');
      const box = picture.getBoundingClientRect();
      const elements = [picture, picture.parentElement];
      return [box.width / box.height, elements.map((one) => getComputedStyle(one).backgroundImage)];
    })()`);
    expect(ratio).toBeCloseTo(size.width / size.height, 1);
    expect(behind.map((image) => image !== 'none')).toEqual([true, false]);
    await press('g');
  });

  it('is at hand beside all other tools in a window of 1024 x 700', async () => {
    const wide = page.viewportSize()!;
    await page.setViewportSize({ width: 1024, height: 700 });
    const endOf = async (place: Locator) => {
      const { x, width } = (await place.boundingBox())!;
      return x + width;
    };
    const stage = page.getByRole('main');
    const tool = (name: string) => page.getByRole('button', { name, exact: true });
    try {
      for (const name of ['Try here', 'Touch up'])
        await expect
          .poll(async () => (await endOf(tool(name))) <= (await endOf(stage)), { message: name })
          .toBe(true);
    } finally {
      await page.setViewportSize(wide);
    }
  });

  /** Whether all of the photo that is touched up lies in its frame. */
  async function isWhole(name: string): Promise<boolean> {
    const seen = (await frame(name).boundingBox())!;
    const [from, to] = [await onScreen(name, 0, 0), await onScreen(name, size.width, size.height)];
    const isIn = ({ x, y }: { x: number; y: number }) =>
      x >= seen.x && y >= seen.y && x <= seen.x + seen.width && y <= seen.y + seen.height;
    return isIn(from) && isIn(to);
  }

  it('shows from the first moment what is removed', async () => {
    await button('Touch up').click();
    expect(await focused()).toBe('box.png');
    await frame('box.png').getByText('Checkerboard: removed', { exact: true }).waitFor();
    expect([await isGone('box.png', 20, 20), await isGone('box.png', 200, 150)]).toEqual([
      true,
      false,
    ]);
    expect(await isWhole('box.png')).toBe(true);
  });

  it('selects an object by a click, and takes back one that finds none', async () => {
    await panel()
      .getByText(/Click an object to select it/)
      .waitFor();
    await panel().getByText('Remove', { exact: true }).click();
    const middle = await onScreen('box.png', 200, 150);
    const isMask = '**/api/task/*/mask';
    await page.route(isMask, async (route) => {
      const asked = route.request();
      if (asked.method() !== 'POST') return route.continue();
      // The network finds nothing: the mask stays as it was.
      const mask = await call(new URL(asked.url()).pathname);
      return route.fulfill({
        contentType: 'image/png',
        body: Buffer.from(await mask.arrayBuffer()),
      });
    });
    const before = await onScreen('box.png', 0, 0);
    await page.mouse.click(middle.x, middle.y);
    await panel()
      .getByText('No object to remove was found there. Paint over it instead.')
      .waitFor();
    expect(await isGone('box.png', 200, 150)).toBe(false);
    expect(await button('Apply').isDisabled()).toBe(true);
    // What is said moves nothing under the pointer.
    expect(await onScreen('box.png', 0, 0)).toEqual(before);
    await page.unroute(isMask);
    const answer = Promise.withResolvers<undefined>();
    await page.route(isMask, async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.mouse.click(middle.x, middle.y);
    await panel().getByText('Working on this spot.').waitFor();
    const cursor = `getComputedStyle(document.querySelector('#stage-frame')).cursor`;
    expect(await page.evaluate(cursor)).toBe('progress');
    answer.resolve(undefined);
    await panel().getByText('1 new stroke.').waitFor();
    expect(await page.evaluate(cursor)).toBe('crosshair');
    await page.unroute(isMask);
    // The subject is found as a whole, far beyond the brush.
    const corners = () => Promise.all([isGone('box.png', 130, 90), isGone('box.png', 270, 210)]);
    await expect.poll(corners, soon).toEqual([true, true]);
    await press('Control+z');
    await expect.poll(corners, soon).toEqual([false, false]);
    await panel().getByText('Keep', { exact: true }).click();
  });

  it('paints with the pointer in step with the picture, and takes strokes back', async () => {
    await panel().getByText('Remove', { exact: true }).click();
    await drag('box.png', [140, 100], [140, 200]);
    await panel().getByText('1 new stroke.').waitFor();
    const gone = () =>
      Promise.all([
        isGone('box.png', 140, 110),
        isGone('box.png', 140, 190),
        isGone('box.png', 165, 150),
        isGone('box.png', 20, 20),
      ]);
    await expect.poll(gone, soon).toEqual([true, true, false, true]);
    await press('1', '+', '+');
    await expect.poll(gone, soon).toEqual([true, true, false, true]);
    await press('0');
    await drag('box.png', [220, 100], [220, 200]);
    await panel().getByText('2 new strokes.').waitFor();
    await expect.poll(() => isGone('box.png', 220, 150), soon).toBe(true);
    await press('Control+z');
    await panel().getByText('1 new stroke.').waitFor();
    await expect.poll(() => isGone('box.png', 220, 150), soon).toBe(false);
    await press('Control+Shift+z');
    await panel().getByText('2 new strokes.').waitFor();
    await expect.poll(() => isGone('box.png', 220, 150), soon).toBe(true);
    await button('Undo').first().click();
    await panel().getByText('1 new stroke.').waitFor();
  });

  /** The colour on the screen at a place of box.png in its own pixels. */
  async function colourAt(x: number, y: number, placeOf = onScreen): Promise<number[]> {
    const at = await placeOf('box.png', x, y);
    const clip = { x: Math.round(at.x), y: Math.round(at.y), width: 1, height: 1 };
    const shot = sharp(await page.screenshot({ clip }));
    return [...(await shot.raw().toBuffer())].slice(0, 3);
  }

  /** Whether the photo is seen through the ground at a place where all was removed. */
  async function shines(x: number, y: number, placeOf = onScreen): Promise<boolean> {
    // The squares of the ground are grey, and the photo there is not.
    const [red = 0, green = 0, blue = 0] = await colourAt(x, y, placeOf);
    return Math.max(red, green, blue) - Math.min(red, green, blue) > 5;
  }

  it('shows what can be brought back around the pointer alone, and nothing of it to remove', async () => {
    await panel().getByText('Keep', { exact: true }).click();
    const near = () => shines(20, 190);
    await expect.poll(near, soon).toBe(false);
    const { x, y } = await onScreen('box.png', 30, 150);
    await page.mouse.move(x, y);
    await expect.poll(near, soon).toBe(true);
    expect(await shines(380, 150)).toBe(false);
    await press('x');
    await expect.poll(near, soon).toBe(false);
    await press('x');
    const start = await onScreen('box.png', 10, 40);
    await panel().getByRole('button', { name: 'Box', exact: true }).click();
    await page.mouse.move(start.x, start.y);
    await page.mouse.down();
    await page.mouse.move(x, y, { steps: 4 });
    await expect.poll(() => shines(20, 100), soon).toBe(true);
    expect([await shines(50, 150), await shines(20, 170)]).toEqual([false, false]);
    await page.mouse.up();
    await press('Control+z', 'x');
    await panel().getByRole('button', { name: 'Box', exact: true }).click();
    await panel().getByText('1 new stroke.').waitFor();
  });

  it('shows the mask alone, and what goes under stripes of a colour that can be changed', async () => {
    await press('m');
    await expect.poll(() => colourAt(140, 150), soon).toEqual([0, 0, 0]);
    expect(await colourAt(200, 150)).toEqual([255, 255, 255]);
    await panel().getByText('Overlay', { exact: true }).click();
    // What it does is said beside what the stripes mean.
    const key = frame('box.png').getByRole('button', { name: 'Striped: removed Another colour' });
    await key.waitFor();
    const strongest = async () => {
      const [red = 0, green = 0, blue = 0] = await layerAt('box.png', 20, 20);
      return [red, green, blue].indexOf(Math.max(red, green, blue));
    };
    // The subject is red, so the stripes are green.
    await expect.poll(strongest, soon).toBe(1);
    await key.click();
    await expect.poll(strongest, soon).toBe(2);
    await panel().getByText('1 new stroke.').waitFor();
    await press('m');
    await expect.poll(() => panel().getByRole('radio', { name: 'Cut-out' }).isChecked()).toBe(true);
  });

  it('moves the picture with the space key or the middle button, and zooms, without painting', async () => {
    await press('1', '+', '+', '+', '+', '+');
    const left = async () => (await onScreen('box.png', 0, 0)).x;
    const from = await left();
    const middle = (await frame('box.png').boundingBox())!;
    const [x, y] = [middle.x + middle.width / 2, middle.y + middle.height / 2];
    await page.mouse.move(x, y);
    await page.keyboard.down('Space');
    await page.mouse.down();
    await page.mouse.move(x - 50, y, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Space');
    await expect.poll(left, soon).toBeCloseTo(from - 50, 0);
    await page.mouse.down({ button: 'middle' });
    await page.mouse.move(x, y, { steps: 4 });
    await page.mouse.up({ button: 'middle' });
    await expect.poll(left, soon).toBeCloseTo(from, 0);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, 4000);
    await page.keyboard.up('Control');
    await button('Fit').and(page.locator('[aria-pressed=true]')).waitFor();
    await panel().getByText('1 new stroke.').waitFor();
  });

  it('makes the brush larger and harder by the wheel', async () => {
    const brush = panel().getByRole('slider', { name: 'Brush' });
    const before = await brush.inputValue();
    await page.mouse.wheel(0, -100);
    await expect.poll(() => brush.inputValue(), soon).toBe(String(Number(before) + 2));
    await page.mouse.wheel(0, 100);
    await expect.poll(() => brush.inputValue(), soon).toBe(before);
    await page.keyboard.down('Shift');
    await page.mouse.wheel(0, 100);
    await page.keyboard.up('Shift');
    const hardness = panel().getByRole('slider', { name: 'Hardness' });
    await expect.poll(() => hardness.inputValue(), soon).toBe('80');
    await press('h');
    await expect.poll(() => hardness.count(), soon).toBe(0);
  });

  it('leaves the picture where it is when a switch brings a dial or takes it away', async () => {
    const usual = page.viewportSize()!;
    for (const window of [
      { width: 1440, height: 900 },
      { width: 1024, height: 700 },
    ]) {
      await page.setViewportSize(window);
      const place = async () => JSON.stringify(await frame('box.png').boundingBox());
      await page.evaluate(twoFrames);
      const before = await place();
      for (const name of ['Stops at edges', 'Stops at edges', 'Box', 'Box']) {
        await panel().getByRole('button', { name, exact: true }).click();
        await page.evaluate(twoFrames);
        expect(await place(), `${name}, ${window.width} px`).toBe(before);
      }
    }
    await page.setViewportSize(usual);
  });

  it('has no barrier that axe finds', async () => {
    expect(await findBarriersInBoth(page)).toEqual([]);
  });

  it('keeps what was painted while another photo is looked at, and ends', async () => {
    const create = { ...size, channels: 3, background: '#7a8ca0' } as const;
    const buffer = await sharp({ create }).png().toBuffer();
    await choose({ name: 'sky.png', mimeType: 'image/png', buffer });
    await expect.poll(() => panel().count(), soon).toBe(0);
    await rows(/box\.png/).click();
    await expect.poll(() => panel().count()).toBe(0);
    const left = page.getByText('1 stroke is not applied yet. Touch up goes on with it.');
    await left.waitFor();
    await press('u');
    await panel().getByText('1 new stroke.').waitFor();
    const zoom = page.getByRole('toolbar', { name: 'The photo' }).locator('output');
    const usual = await zoom.textContent();
    await press('+', '+');
    await expect.poll(() => zoom.textContent(), soon).not.toBe(usual);
    await press('Escape');
    await left.waitFor();
    expect(await panel().count()).toBe(0);
    // The view is that of before, which the next photo keeps.
    await expect.poll(() => zoom.textContent(), soon).toBe(usual);
    await press('u');
    await panel().waitFor();
    expect(await left.count()).toBe(0);
    await press('t');
    await expect.poll(() => panel().count(), soon).toBe(0);
    await press('u');
    await panel().waitFor();
    await expect.poll(() => button('Try here').getAttribute('aria-pressed')).toBe('false');
  });

  it('applies in place by Enter: a version of the same photo, which the filter does not hide', async () => {
    const filter = (name: string | RegExp) =>
      page.getByRole('group', { name: 'Which photos are listed' }).getByText(name);
    const settings = page.getByText('For a new version of the selected photo.');
    await listOnly(page, /^Done/);
    await button(/^Accept$/).click();
    await expect.poll(() => marks('box.png'), soon).toEqual(['accepted']);
    await frame('box.png').focus();
    // While the queue is paused, the version waits.
    await press('p');
    await button('Resume queue').waitFor();
    await press('Enter');
    await filter(/^Done\s*none left$/).waitFor();
    expect(await rows(/box\.png/).count()).toBe(1);
    await settings.waitFor();
    const waits = 'Waits until the queue goes on.';
    await panel().getByText(`${waits} You can leave`).waitFor();
    // A person may leave at once, and still reads what becomes of the strokes.
    await press('Escape');
    await expect.poll(() => panel().count(), soon).toBe(0);
    await frame('box.png').getByText(waits, { exact: true }).waitFor();
    await press('p');
    const record = await latest('box.png', 2);
    await page.getByText('Applied as a new version.').waitFor();
    await expect.poll(() => panel().count(), soon).toBe(0);
    expect(await focused()).toBe('box.png');
    await rows(/box\.png.*Version 2 of 2/).waitFor();
    // What a person made of an accepted version is accepted in its place.
    await expect.poll(() => marks('box.png'), soon).toEqual([undefined, 'accepted']);
    const words = 'box.png: the touched-up version replaces the accepted one.';
    const message = page.getByRole('status').filter({ hasText: words });
    await message.getByRole('button', { name: 'Undo' }).waitFor();
    await press('Control+z');
    await expect.poll(() => marks('box.png'), soon).toEqual(['accepted', undefined]);
    await expect.poll(() => message.count(), soon).toBe(0);
    // The page hears of the marks a moment after the service has them.
    await button('Accept').and(page.locator('[aria-pressed=false]')).waitFor();
    await press('y');
    await expect.poll(() => marks('box.png'), soon).toEqual([undefined, 'accepted']);
    await settings.waitFor();
    await filter('All').click();
    expect(record.status).toBe('FINISHED');
    const [stroke, ...others] = record.options.strokes ?? [];
    expect(others).toEqual([]);
    expect(stroke?.kind).toBe('remove');
    const [first, last] = [stroke!.points[0]!, stroke!.points.at(-1)!];
    for (const [x] of stroke!.points) expect(x).toBeCloseTo(140 / size.width, 2);
    expect([first[1], last[1]].map((y) => Math.round(y * size.height))).toEqual([100, 200]);
    await page.getByText('Info', { exact: true }).click();
    const details = page.getByRole('region', { name: 'Details' });
    await details.getByText('1 stroke', { exact: true }).waitFor();
  });

  it('took what was painted out of the subject', async () => {
    expect(await alphaAt(await latest('box.png', 2), 140, 150)).toBe(0);
  });

  it('goes on from there by keys alone, after the strokes that were applied', async () => {
    await frame('box.png').focus();
    await press('u');
    await panel().waitFor();
    const kind = () => panel().getByRole('radio', { name: 'Keep' }).isChecked();
    // It was Remove when the tool was left.
    expect(await kind()).toBe(true);
    await press('x');
    expect(await kind()).toBe(false);
    await press('x');
    expect(await kind()).toBe(true);
    const brush = panel().getByRole('slider', { name: 'Brush' });
    const width = async () =>
      Number.parseInt((await brush.getAttribute('aria-valuetext')) ?? '', 10);
    const usual = await width();
    await press(']', ']', ']', ']');
    expect(Math.abs((await width()) - 2 * usual)).toBeLessThan(2);
    await press('[');
    await press('ArrowRight', 'ArrowDown', 'Shift+ArrowDown', 'Enter', 'ArrowLeft', 'Enter');
    await panel().getByText('2 new strokes.').waitFor();
    await press('Control+z');
    await panel().getByText('1 new stroke.').waitFor();
    for (let step = 0; step < 30 && (await label(page)) !== 'Apply'; step += 1) await press('Tab');
    await press('Enter');
    await expect.poll(focused, soon).toBe('box.png');
    const { options } = await latest('box.png', 3);
    await expect.poll(() => panel().count(), soon).toBe(0);
    expect(options.strokes?.map(({ kind }) => kind)).toEqual(['remove', 'keep']);
    const [, dab] = options.strokes as [Stroke, Stroke];
    expect(dab.points).toHaveLength(1);
    const [[x, y]] = dab.points as [[number, number]];
    expect(x).toBeCloseTo(0.5 + 24 / size.width, 2);
    expect(y).toBeCloseTo(0.5 + 28 / size.height, 2);
  });

  it('takes back what was applied, to the version before, and does it again', async () => {
    await press('u');
    await panel().waitFor();
    const undo = panel().getByRole('button', { name: 'Undo' });
    // What is still being refined is not taken back.
    await expect.poll(() => undo.isEnabled(), soon).toBe(true);
    await press('Control+z');
    await rows(/box\.png.*Version 2 of 3/).waitFor();
    await expect.poll(() => marks('box.png'), soon).toEqual([undefined, 'accepted', undefined]);
    await expect.poll(() => undo.isEnabled(), soon).toBe(true);
    await press('Control+y');
    await panel().getByText('1 new stroke.').waitFor();
    await panel().getByRole('button', { name: 'Clear' }).click();
    await press('v');
    await rows(/box\.png.*Version 3 of 3/).waitFor();
  });

  it('ends with Escape, and clears what was painted', async () => {
    await frame('box.png').focus();
    await press('ArrowRight', 'Enter');
    await panel().getByText('1 new stroke.').waitFor();
    await panel().getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => panel().getByText('1 new stroke.').count(), soon).toBe(0);
    await expect.poll(() => button('Apply').isDisabled()).toBe(true);
    await press('Escape');
    await expect.poll(() => panel().count(), soon).toBe(0);
  });

  it('takes no more strokes than a task does, those that it was given among them', async () => {
    await press('u', 'ArrowRight');
    for (let dab = 0; dab < 205; dab += 1) await press('Enter');
    await panel().getByText('No more fit: a photo takes 200 strokes.').waitFor();
    await panel().getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => button('Apply').isDisabled(), soon).toBe(true);
  });

  it('paints with a hard brush exactly what it covers, softens the edge, and keeps both', async () => {
    await press('h');
    const brush = panel().getByRole('slider', { name: 'Brush' });
    await brush.fill('9');
    await expect.poll(() => brush.getAttribute('aria-valuetext')).toBe('7 pixels');
    await panel().getByRole('slider', { name: 'Hardness' }).fill('100');
    await panel().getByText('Remove', { exact: true }).click();
    await drag('box.png', [200, 120], [200, 180]);
    await panel().getByRole('button', { name: 'Edge', exact: true }).click();
    await panel().getByRole('slider', { name: 'Feather' }).fill('2');
    await panel().getByRole('slider', { name: 'Defringe' }).fill('50');
    await button('Apply').click();
    const record = await latest('box.png', 4);
    expect((await marks('box.png')).slice(2)).toEqual([undefined, undefined]);
    expect(record.options).toMatchObject({ feather: 2, decontaminate: 50 });
    expect(record.options.strokes?.at(-1)).toMatchObject({ kind: 'remove', hardness: 100 });
    for (const x of [198, 199, 200, 201]) expect(await alphaAt(record, x, 150)).toBe(0);
    for (const x of [194, 195, 205, 206]) expect(await alphaAt(record, x, 150)).toBe(255);
    await expect.poll(() => panel().count(), soon).toBe(0);
    await press('u');
    // What was changed at the edge is not hidden.
    await expect
      .poll(() => panel().getByRole('slider', { name: 'Feather' }).inputValue())
      .toBe('2');
    await press('h', 'u');
    await expect.poll(() => panel().count(), soon).toBe(0);
  });

  it('opens by itself where no subject was found, and paints what to keep', async () => {
    await rows(/sky\.png/).click();
    await button(/^Start 1 photo/).click();
    await rows(/sky\.png No subject found/).click({ timeout: journeyWaitMs() });
    await panel().waitFor();
    await expect.poll(() => panel().getByRole('radio', { name: 'Keep' }).isChecked()).toBe(true);
    expect(await panel().getByRole('radio', { name: 'Overlay' }).isChecked()).toBe(true);
    await panel().getByText('Cut-out', { exact: true }).click();
    await rows(/sky\.png/).click();
    // A photo took the tool, not a person: the keys still walk through the list.
    expect(await focused()).toBe('Queue');
    await drag('sky.png', [100, 150], [300, 150]);
    await expect.poll(() => isGone('sky.png', 200, 150), soon).toBe(false);
    expect(await isGone('sky.png', 200, 20)).toBe(true);
    await button('Apply').click();
    await rows(/box\.png/).click();
    const { options } = await latest('sky.png', 2);
    expect(options.strokes?.map(({ kind }) => kind)).toEqual(['keep']);
    // Its row has the new version, whichever photo is looked at by then.
    await rows(/sky\.png.*Version 2 of 2/).waitFor({ timeout: journeyWaitMs() });
  });

  it('is painted over the whole photo where the result is cropped', async () => {
    const { data, ...raw } = plainSubject(size.width, size.height, box);
    const buffer = await sharp(data, { raw }).png().toBuffer();
    await choose({ name: 'part.png', mimeType: 'image/png', buffer });
    await showMoreOptions(page);
    await page.getByLabel('Crop to the subject').check();
    await button(/^Start 1 photo/).click();
    expect((await latest('part.png', 1)).status).toBe('FINISHED');
    await page.getByRole('slider', { name: 'Divider between before and after' }).waitFor();
    await button('Touch up').click();
    expect(await isGone('part.png', 40, 150)).toBe(true);
    expect(await isWhole('part.png')).toBe(true);
    await drag('part.png', [40, 150], [80, 150]);
    await button('Apply').click();
    const { options, priority } = await latest('part.png', 2);
    expect(options.crop).toBe(5);
    expect(options.strokes?.[0]?.points[0]?.[0]).toBeCloseTo(40 / size.width, 2);
    expect(priority).toBe(10);
  });

  it('stands beside its other versions, each where its part of the photo lies, by its number', async () => {
    await expect.poll(() => panel().count(), soon).toBe(0);
    await page.getByText('Settings', { exact: true }).first().click();
    await showMoreOptions(page);
    await page.getByLabel('Crop to the subject').uncheck();
    await button('Run 1 selected again').click();
    const plain = await latest('part.png', 3);
    await rows(/part\.png.*Version 3 of 3/).waitFor();
    await chooseMode(page, 'All versions beside each other');
    const shown = async (number: number) => {
      const picture = page.getByRole('img', { name: new RegExp(`^${number}: .*part\\.png`) });
      return (await picture.boundingBox())!.width / size.width;
    };
    await expect.poll(() => page.locator('main figure').count(), soon).toBe(4);
    expect([plain.crop, plain.output?.width]).toEqual([undefined, size.width]);
    const { tasks } = (await (await call('/api/tasks')).json()) as TaskList;
    const widths = tasks
      .filter(({ source }) => source.name === 'part.png')
      .sort((a, b) => a.createdAt.localeCompare(b.createdAt))
      .map(({ crop }) => (crop?.width ?? size.width) / size.width);
    expect(widths.map((width) => width < 1)).toEqual([true, true, false]);
    const scale = await shown(3);
    for (const [at, width] of widths.entries())
      expect(await shown(at + 1)).toBeCloseTo(scale * width, 1);
    const choice = page.getByRole('group', { name: 'Versions that are compared' });
    expect(await choice.getByRole('button').allTextContents()).toEqual(['1', '2', '3']);
    await chooseMode(page, 'Before and after under a divider');
  });

  it('shows the whole photo where the canvas of the result is larger, in small windows too', async () => {
    const { data, ...raw } = plainSubject(size.width, size.height, box);
    const buffer = await sharp(data, { raw }).png().toBuffer();
    await choose({ name: 'shop.png', mimeType: 'image/png', buffer });
    await button('Shop picture').click();
    await button(/^Start 1 photo/).click();
    await latest('shop.png', 1);
    await page.getByRole('slider', { name: 'Divider between before and after' }).waitFor();
    await press('u');
    await panel().waitFor();
    expect(await isGone('shop.png', 20, 20)).toBe(true);
    expect(await isWhole('shop.png')).toBe(true);
    expect(await page.getByRole('img', { name: 'After: shop.png' }).count()).toBe(0);
    // It stands on the background of its settings, which no backdrop covers.
    expect(await layerAt('shop.png', 20, 20)).toEqual([255, 255, 255, 255]);
    expect(await page.getByRole('group', { name: 'Background of the view' }).count()).toBe(0);
    await press('m', 'm');
    await frame('shop.png').getByRole('button', { name: 'Striped: removed' }).waitFor();
    await press('m', '1');
    // A pixel of the result, and not of the photo, takes one of the screen.
    const { output, crop } = await latest('shop.png', 1);
    const grown = Math.round((size.width * output!.width) / crop!.width);
    const before = page.getByRole('img', { name: 'Before: shop.png' });
    const shown = async () => Math.round((await before.boundingBox())!.width);
    expect(grown).toBeGreaterThan(4 * size.width);
    await expect.poll(shown, soon).toBe(grown);
    await press('0');
    const wide = page.viewportSize()!;
    await page.setViewportSize({ width: 1024, height: 700 });
    try {
      await expect.poll(() => isWhole('shop.png'), soon).toBe(true);
      const { width = 0, height = 0 } = (await frame('shop.png').boundingBox()) ?? {};
      const tools = (await panel().boundingBox())!;
      expect(tools.height).toBeLessThan(height / 2);
      // The settings give way.
      expect([width > 700, height > 350]).toEqual([true, true]);
    } finally {
      await page.setViewportSize(wide);
    }
    // With nothing to apply, Enter leaves.
    await press('Enter');
    await expect.poll(() => panel().count(), soon).toBe(0);
  });

  it('leaves the size that was chosen before a canvas decided how far a photo grows', async () => {
    const { options } = await latest('shop.png', 1);
    expect(options.enlarge?.scale).toBe(8);
    const settings = page.getByRole('group', { name: 'Settings' });
    await settings.getByText('Enlarge', { exact: true }).click();
    const scale = settings.getByRole('radio', { name: '2×', exact: true });
    await expect.poll(() => scale.isChecked(), soon).toBe(true);
    await settings.getByText('Cut out', { exact: true }).click();
    await rows(/shop\.png.*8×/).waitFor();
  });

  it('takes a box around the subject, which the network looks into at once', async () => {
    if ((await panel().count()) > 0) await press('u');
    await rows(/box\.png/).click();
    await press('u');
    await panel().waitFor();
    const tool = panel().getByRole('button', { name: 'Box', exact: true });
    await tool.click();
    await panel().getByText('Drag a box around the subject').waitFor();
    expect(await panel().getByRole('slider', { name: 'Brush' }).count()).toBe(0);
    await panel().getByText('Keep', { exact: true }).click();
    await panel().getByText('Mask', { exact: true }).click();
    await expect.poll(() => colourAt(260, 150, inMiddle), soon).toEqual([255, 255, 255]);
    await drag('box.png', [100, 60], [190, 240], inMiddle);
    await panel().getByText('1 new stroke.').waitFor();
    await expect.poll(() => colourAt(260, 150, inMiddle), soon).toEqual([0, 0, 0]);
    await press('Control+z');
    await expect.poll(() => colourAt(260, 150, inMiddle), soon).toEqual([255, 255, 255]);
    // A click draws no box, and one that lies beside the photo holds nothing.
    await drag('box.png', [150, 150], [150, 150], inMiddle);
    await drag('box.png', [-60, 20], [-20, 200], inMiddle);
    await expect.poll(() => panel().getByText('1 new stroke.').count(), soon).toBe(0);
    expect(await button('Apply').isDisabled()).toBe(true);
  });

  it('takes a box by keys, from corner to corner', async () => {
    await panel().getByText('Remove', { exact: true }).click();
    await panel().getByText('Drag a box around what to remove.').waitFor();
    await panel().getByText('Keep', { exact: true }).click();
    await frame('box.png').focus();
    // Without a pointer keys begin in the middle.
    await page.mouse.move(2, 2);
    const press5 = (key: string) => press(key, key, key, key, key);
    await press5('ArrowLeft');
    await press('ArrowUp', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'Enter');
    await press5('ArrowRight');
    await press5('ArrowDown');
    await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter');
    await panel().getByText('1 new stroke.').waitFor();
    await expect.poll(() => colourAt(260, 150, inMiddle), soon).toEqual([0, 0, 0]);
    await panel().getByRole('button', { name: 'Box', exact: true }).click();
    await panel().getByText('Cut-out', { exact: true }).click();
    await button('Apply').click();
    const { options } = await latest('box.png', 5);
    const { points = [], ...stroke } = options.strokes?.at(-1) ?? {};
    expect(stroke).toMatchObject({ kind: 'keep', selects: 'box' });
    expect(points.map(([x, y]) => [x * size.width, y * size.height].map(Math.round))).toEqual([
      [80, 54],
      [200, 246],
    ]);
    await expect.poll(() => panel().count(), soon).toBe(0);
  });

  it('says of a rejected cut-out what helps first, with the way there', async () => {
    await rows(/box\.png/).click();
    await press('n');
    await rows(/box\.png/).click();
    await page.getByText('Info', { exact: true }).click();
    const details = page.getByRole('region', { name: 'Details' });
    await details.getByText('Touch up first: a click or a box is often enough.').waitFor();
    await details.getByRole('button', { name: 'Touch up' }).click();
    await panel().waitFor();
    await press('Escape');
    await expect.poll(() => panel().count(), soon).toBe(0);
  });

  it('had nothing to complain of', () => {
    expect(open.complaints).toEqual([]);
  });
});

/** The words of what has the focus. */
function label(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.textContent.trim()');
}
