/** What a person does on the page, in real Chromium over the real service and networks. */
import { readFile } from 'node:fs/promises';
import type { Page, Request } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { TaskRecord } from '../../packages/contract/src/task.ts';
import type { SessionKey, Settings } from '../../packages/contract/src/settings/settings.ts';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { chooseForAll, filterCount, openFromMenu, showMoreOptions } from '../support/page-menus.ts';
import { askAsPage, pauseQueue, type OpenPage } from '../support/page.ts';
import { eventsIn, openStream } from '../support/sse.ts';
import { smallJpeg } from '../support/pictures.ts';
import { withPage } from '../support/with-page.ts';
import { patient } from '../support/machine-pace.ts';

const soon = { timeout: patient(30_000) };

/** Counts the events that tell of devices or models. */
const news = (body: string) =>
  eventsIn(body).filter(({ data }) => /"(devices|models)"/.test(JSON.stringify(data.changed)))
    .length;

describe.skipIf(chromiumPath === undefined)('the page (needs Chromium)', () => {
  let open: OpenPage;
  let page: Page;
  withPage((opened) => ({ page } = open = opened), { networks: 'quick' });

  const row = (name: RegExp) => page.getByRole('option', { name });
  const choose = async (...files: { name: string; mimeType: string; buffer: Buffer }[]) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Add photos' }).click(),
    ]);
    await chooser.setFiles(files);
  };
  const jpeg = async (name: string, width = 60, height = 40) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: await smallJpeg(width, height),
  });

  it('opens by its one-time link and keeps no token in the address', async () => {
    await page.getByRole('heading', { name: 'Drop photos here' }).waitFor();
    await page.getByText('Nothing leaves this machine.').waitFor();
    expect(page.url()).toBe(`${open.line.url}/`);
  });

  it('says so when the link was used before', async () => {
    const other = await page.context().browser()!.newPage({ locale: 'en-GB' });
    await other.goto(open.line.pageUrl);
    await other.getByRole('heading', { name: 'This page needs a new link' }).waitFor();
    await other.getByText('“enlarger page”').waitFor();
    await other.close();
    open.complaints.length = 0;
  });

  it('says on which device it runs and how fast, before any photo', async () => {
    const measured = page.getByText(
      /Runs on .+ About .+ per photo of 12 megapixels on this computer \(2×\)\./,
    );
    await measured.waitFor({ timeout: journeyWaitMs() });
  });

  it('greys out cleaning for a model that cannot be told how much', async () => {
    await showMoreOptions(page);
    const model = page.getByRole('combobox', { name: 'Model', exact: true });
    const cleaning = page.getByRole('combobox', { name: 'Clean up' });
    await expect.poll(() => cleaning.isEnabled(), soon).toBe(true);
    await page.getByText('For every photo: measures compression').waitFor();
    await model.selectOption('Faithful');
    await page.getByText('Enlarges clean photos and invents nothing').waitFor();
    await page.getByText('How much this model cleans up cannot be set.').waitFor();
    expect(await cleaning.isDisabled()).toBe(true);
    await model.selectOption('Natural');
    await expect.poll(() => cleaning.isEnabled(), soon).toBe(true);
  });

  it('lets another device be chosen, which the service keeps', async () => {
    const menu = page.getByRole('button', { name: /^Device:/ });
    const devices = page.getByRole('group', { name: 'Device', exact: true });
    const chosen = devices.getByRole('menuitemradio', { checked: true });
    const pick = async (name: RegExp) => {
      await menu.click();
      await devices.getByRole('menuitemradio', { name }).click();
    };
    // It looks like the settings that open a list.
    const looks = await page.evaluate<string[]>(`
      [...document.querySelectorAll('aside select:enabled, aside .select')].map((field) => {
        const { backgroundImage, borderColor, textAlign, height } = getComputedStyle(field);
        return [backgroundImage, borderColor, textAlign, height].join();
      })`);
    expect(await menu.and(page.locator('.select')).count()).toBe(1);
    expect([looks.length > 2, new Set(looks).size]).toEqual([true, 1]);
    await pick(/\d threads/);
    await expect.poll(async () => (await settingsOf(open)).device, soon).toBe('cpu');
    await page.reload();
    await menu.click();
    await expect.poll(() => chosen.textContent(), soon).toMatch(/\d threads/);
    await page.keyboard.press('Escape');
    await pick(/Automatic/);
    await expect.poll(async () => (await settingsOf(open)).device, soon).toBe('auto');
    await menu.click();
    await expect.poll(() => chosen.textContent(), soon).toContain('Automatic');
    await page.keyboard.press('Escape');
  });

  it('enlarges photos that are chosen, and says why one cannot be', async () => {
    await choose(await jpeg('sea.jpg'), await jpeg('hill.jpg'), {
      name: 'notes.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.from('not a picture'),
    });
    await row(/sea\.jpg 120 × 80/).waitFor();
    // The third cannot be started, so no setting is of it.
    await page.getByText('For the 2 selected photos and the next ones you add.').waitFor();
    await page.getByText('4×', { exact: true }).first().click();
    await row(/hill\.jpg 240 × 160, ~/).waitFor();
    await row(/notes\.jpg Not a picture that can be read/).waitFor();
    await page.getByText('1 photo cannot be started').click();
    const { asked, stop } = noteRequests(page);
    await page.getByRole('button', { name: 'Start 2 photos' }).click();
    await row(/sea\.jpg 240 × 160, \d/).waitFor({ timeout: journeyWaitMs() });
    await row(/hill\.jpg 240 × 160, \d/).waitFor({ timeout: journeyWaitMs() });
    stop();
    // Events bring the records.
    expect(asked.filter((one) => /^GET .api.tasks.(?!sse$)/.test(one))).toEqual([]);
    await page.getByRole('button', { name: 'Remove them' }).click();
    await expect.poll(() => row(/notes\.jpg/).count()).toBe(0);
  });

  it('shows before and after under a divider that keys move', async () => {
    await row(/sea\.jpg/).click();
    const after = page.getByRole('img', { name: 'After: sea.jpg' });
    const before = page.getByRole('img', { name: 'Before: sea.jpg' });
    await expect.poll(() => widthOf(page, 'After: sea.jpg'), soon).toBe(240);
    const shift = async () => {
      const [one, other] = [(await before.boundingBox())!, (await after.boundingBox())!];
      return [other.x - one.x, other.y - one.y, other.width - one.width];
    };
    await expect.poll(shift, soon).toEqual([0, 0, 0]);
    const divider = page.getByRole('slider', { name: 'Divider between before and after' });
    await divider.focus();
    await page.keyboard.press('End');
    await expect.poll(() => divider.getAttribute('aria-valuenow')).toBe('100');
  });

  it('saves the result that the service made', async () => {
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save', exact: true }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('sea-4x.jpg');
    const { width, height } = await sharp(await readFile(await saved.path())).metadata();
    expect([width, height]).toEqual([240, 160]);
  });

  it('pauses, reorders, cancels and resumes by keyboard and buttons', async () => {
    const key = (await readFile(open.line.keyFile, 'utf8')).trim();
    const stream = openStream(open.line.url, '/api/tasks/sse', key);
    await stream.until('event: queue');
    await pauseQueue(page);
    await choose(await jpeg('one.jpg'), await jpeg('two.jpg'), await jpeg('zebra.jpg'));
    await page.getByText('For the 3 selected photos and the next ones you add.').waitFor();
    const { asked, stop } = noteRequests(page);
    const readings = () => asked.filter((one) => one === 'GET /api/models').length;
    // What is started later runs later, wherever it stands in the list.
    await row(/two\.jpg/).click();
    await page.keyboard.press('Control+Enter');
    await row(/two\.jpg Waiting, no\. 1/).waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+Enter');
    await row(/two\.jpg Waiting, no\. 1/).waitFor();
    await row(/zebra\.jpg Waiting, no\. 3/).click();
    await page.getByRole('button', { name: 'More actions for the selected photos' }).click();
    await page.getByRole('menuitem', { name: 'Run next' }).click();
    await row(/zebra\.jpg Waiting, no\. 1/).waitFor();
    await row(/two\.jpg Waiting, no\. 2/).waitFor();
    expect(await placesInQueue(open)).toMatchObject({ 'zebra.jpg': 1, 'two.jpg': 2, 'one.jpg': 3 });
    await row(/one\.jpg/).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await row(/one\.jpg 240 × 160, ~/).waitFor();
    // Beside the end of a batch, only what the service measured makes speeds truer.
    await expect.poll(() => readings() <= news(stream.body())).toBe(true);
    await page.getByRole('button', { name: 'Resume queue' }).click();
    await row(/zebra\.jpg 240 × 160, \d/).waitFor({ timeout: journeyWaitMs() });
    await row(/two\.jpg 240 × 160, \d/).waitFor({ timeout: journeyWaitMs() });
    // As added they are listed whatever ran first.
    const placeOf = async (name: RegExp) => Number(await row(name).getAttribute('aria-posinset'));
    expect(await placeOf(/zebra\.jpg/)).toBeGreaterThan(await placeOf(/two\.jpg/));
    await expect.poll(readings, soon).toBeGreaterThan(0);
    stop();
  });

  it('starts a cancelled one again and removes with the Delete key', async () => {
    await row(/one\.jpg/).click();
    await page.getByRole('button', { name: 'Start 1 photo' }).click();
    await row(/one\.jpg 240 × 160, \d/).waitFor({ timeout: journeyWaitMs() });
    await page.getByRole('listbox').focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => row(/one\.jpg/).count()).toBe(0);
  });

  it('knows its photos after a reload', async () => {
    await page.reload();
    await row(/sea\.jpg 240 × 160/).click();
    await expect.poll(() => widthOf(page, 'After: sea.jpg'), soon).toBe(240);
  });

  /** As another program does. */
  const send = async (name: string) => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array((await jpeg(name)).buffer)]), name);
    const url = new URL('/api/image-upscaler', open.line.url);
    const headers = { authorization: await keyOf(open) };
    await fetch(url, { method: 'POST', body: form, headers });
  };

  it('says why a photo that another program sent cannot be added once more', async () => {
    await send('sent.jpg');
    await row(/sent\.jpg/).click();
    await page.getByRole('button', { name: 'More actions for the selected photos' }).click();
    const again = page.getByRole('menuitem', { name: 'Add once more' });
    await again.and(page.locator('[data-disabled]')).waitFor();
    expect(await again.getAttribute('title')).toBe('The original is no longer here: add it again.');
    await page.keyboard.press('Escape');
    await row(/sent\.jpg \d+ × \d+, \d/).waitFor({ timeout: journeyWaitMs() });
  });

  it('counts what was cancelled apart from what failed, and runs it again', async () => {
    const names = ['taken-1.jpg', 'taken-2.jpg'];
    await pauseQueue(page);
    for (const name of names) await send(name);
    await row(/taken-1\.jpg/).click();
    await row(/taken-2\.jpg/).click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Cancel 2' }).click();
    for (const name of names) await row(new RegExp(`${name} Cancelled`)).waitFor();
    expect(await row(/taken/).locator('.failure').count()).toBe(0);
    expect(await page.getByRole('main').getByRole('alert').count()).toBe(0);
    expect(await filterCount(page, 'Failed')).toBe(0);
    expect(await filterCount(page, 'Cancelled')).toBe(2);
    await page.getByRole('button', { name: 'Resume queue' }).click();
    await page.getByText(/^Nothing is running: \d done and 2 cancelled\.$/).waitFor();
    await chooseForAll(page, 'Run 2 cancelled again');
    const wait = { timeout: journeyWaitMs() };
    for (const name of names) await row(new RegExp(`${name} \\d+ × \\d+, \\d`)).waitFor(wait);
    await row(/sent\.jpg/).click();
  });

  it('opens by its address in another tab of the browser that opened its link', async () => {
    const other = await page.context().newPage();
    await other.goto(open.line.url);
    await other.getByRole('option', { name: /sea\.jpg 240 × 160/ }).waitFor();
    await other.close();
  });

  it('shows the same settings in another tab, and follows what is changed there', async () => {
    const other = await openTab(open, page);
    await expect.poll(() => other.getByRole('radio', { name: '4×' }).isChecked(), soon).toBe(true);
    await other.getByText('8×', { exact: true }).first().click();
    await other.keyboard.press('?');
    await other.getByText('Single-key shortcuts').click();
    await expect.poll(async () => (await settingsOf(open)).page.singleKeys, soon).toBe(false);
    await other.close();
    await page.getByRole('listbox').press('Space');
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await expect.poll(() => page.getByRole('radio', { name: '8×' }).isChecked(), soon).toBe(true);
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await openFromMenu(page, 'Keyboard shortcuts');
    const singleKeys = sheet.getByLabel('Single-key shortcuts');
    await expect.poll(() => singleKeys.isChecked(), soon).toBe(false);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    expect(await sheet.count()).toBe(0);
    await page.getByRole('group', { name: 'Settings' }).getByText('4×').click();
    await openFromMenu(page, 'Keyboard shortcuts');
    await singleKeys.click();
    await expect.poll(() => singleKeys.isChecked()).toBe(true);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  });

  it('makes a key that opens the API to another program', async () => {
    await openFromMenu(page, 'Connect programs');
    await page.getByLabel('Name of the program').fill('Plug-in');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Copy this key now.').waitFor();
    const example = await page.locator('pre', { hasText: 'KEY ' }).first().textContent();
    const key = /KEY (\S+)'/.exec(example ?? '')?.[1];
    const response = await fetch(`${open.line.url}/api/tasks`, {
      headers: { authorization: `KEY ${key}` },
    });
    expect(response.status).toBe(200);
    await page.keyboard.press('Escape');
  });

  it('had nothing to complain of', () => {
    expect(open.complaints).toEqual([]);
  });

  it('asks for the new link when the service was started anew, and goes on with it', async () => {
    await choose(await jpeg('kept.jpg'));
    await row(/kept\.jpg 240 × 160/).waitFor();
    const kept = async () =>
      (await askAsPage<{ photos: { name: string }[] }>(page, '/api/photos')).photos;
    await expect
      .poll(async () => (await kept()).map(({ name }) => name), soon)
      .toContain('kept.jpg');
    const pageUrl = await open.restart();
    await page.getByRole('heading', { name: 'Enlarger was restarted' }).waitFor();
    await page.goto(pageUrl);
    await page.getByRole('button', { name: 'Start 1 photo' }).click();
    await row(/kept\.jpg 240 × 160, \d/).waitFor({ timeout: journeyWaitMs() });
  });

  it('still has its link when it is loaded anew before it has its key', async () => {
    const pageUrl = await open.restart();
    const other = await page.context().browser()!.newPage({ locale: 'en-GB' });
    // The first question for a key gets no answer.
    await other.route('**/api/session', () => undefined, { times: 1 });
    const asked = other.waitForRequest('**/api/session');
    await other.goto(pageUrl);
    await asked;
    await other.reload();
    await other.getByRole('button', { name: 'Add photos' }).waitFor();
    expect(other.url()).toBe(`${open.line.url}/`);
    await other.close();
  });
});

const keyOf = async ({ line }: OpenPage) => `KEY ${(await readFile(line.keyFile, 'utf8')).trim()}`;

async function settingsOf(open: OpenPage): Promise<Settings> {
  const headers = { authorization: await keyOf(open) };
  const response = await fetch(`${open.line.url}/api/settings`, { headers });
  return (await response.json()) as Settings;
}

/** Places of waiting tasks, by their photos' names. */
async function placesInQueue(open: OpenPage): Promise<Record<string, number | undefined>> {
  const headers = { authorization: await keyOf(open) };
  const response = await fetch(`${open.line.url}/api/tasks`, { headers });
  const { tasks } = (await response.json()) as { tasks: TaskRecord[] };
  return Object.fromEntries(tasks.map(({ source, place }) => [source.name, place]));
}

/** Another browser's tab over the same service. */
async function openTab(open: OpenPage, page: Page): Promise<Page> {
  const { line } = open;
  const authorization = await keyOf(open);
  const response = await fetch(`${line.url}/api/sessions`, {
    method: 'POST',
    headers: { authorization },
  });
  const { key } = (await response.json()) as SessionKey;
  const other = await page.context().browser()!.newPage({ locale: 'en-GB' });
  await other.addInitScript(`sessionStorage.setItem('enlarger.key', '${key}')`);
  await other.goto(line.url);
  return other;
}

/** Method and path of each request that the page makes from now on, until the stop. */
function noteRequests(page: Page): { asked: string[]; stop: () => void } {
  const asked: string[] = [];
  const note = (request: Request) =>
    asked.push(`${request.method()} ${new URL(request.url()).pathname}`);
  page.on('request', note);
  return { asked, stop: () => page.off('request', note) };
}

/** Of the picture that was loaded; 0 before. */
function widthOf(page: Page, name: string): Promise<number> {
  return page
    .getByRole('img', { name })
    .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
}
