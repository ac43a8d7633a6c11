/** Models in the page: brought, corrected, compared, made the default, fetched and removed, in real Chromium. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findBarriersInBoth } from '../support/axe.ts';
import { chromiumPath } from '../support/browser.ts';
import { journeyWaitMs } from '../support/journey-limits.ts';
import { nearestNetwork } from '../support/networks-made.ts';
import { promptPair } from '../support/networks-prompts.ts';
import { chooseFiles, dropFiles, type PageFile } from '../support/page-files.ts';
import { openFromMenu, showMoreOptions } from '../support/page-menus.ts';
import type { OpenPage } from '../support/page.ts';
import { smallJpeg } from '../support/pictures.ts';
import { widthOf } from '../support/stage.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { withPage } from '../support/with-page.ts';

const patience = { timeout: journeyWaitMs() };

/** A server that sends a megabyte of each file, and then nothing while the connection stays open. */
async function slowMirror(): Promise<{ server: Server; url: string }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': 29_627_920 });
    response.write(Buffer.alloc(1_000_000));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe.skipIf(chromiumPath === undefined)('the models view (needs Chromium)', () => {
  let open: OpenPage;
  let page: Page;
  const folder = temporaryFolder();
  let key: string;
  withPage(
    async (opened) => {
      ({ page } = open = opened);
      key = (await readFile(open.line.keyFile, 'utf8')).trim();
    },
    { networks: 'quick' },
  );

  const dialog = () => page.getByRole('dialog', { name: 'Models' });
  const button = (name: string | RegExp) => dialog().getByRole('button', { name, exact: true });
  const part = (name: string) => dialog().getByRole('tab', { name }).click();
  const openModels = () => openFromMenu(page, 'Models');
  const call = async (method: string, route: string, body?: object) => {
    const headers = { authorization: `KEY ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${open.line.url}${route}`, {
      method,
      headers: body ? headers : { authorization: headers.authorization },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json().catch(() => undefined)) as Record<string, unknown> | undefined;
  };
  const withoutBarriers = async () => expect(await findBarriersInBoth(page)).toEqual([]);
  const networkFile = async (name: string, scale: number): Promise<PageFile> => {
    const made = nearestNetwork(folder, scale);
    const buffer = await readFile(made.variants[0]?.path ?? '');
    return { name, mimeType: 'application/octet-stream', buffer };
  };
  const shows = async (name: string, minWidth: number) => {
    const after = dialog().getByRole('img', { name: `After ${name}` });
    await after.waitFor();
    await expect.poll(() => widthOf(after), patience).toBeGreaterThanOrEqual(minWidth);
  };

  /** Holds the samples back until `letOn` answers the first one with a failure and sends the others on. */
  async function holdPreviews() {
    const { promise: failure, resolve: letOn } = Promise.withResolvers<string>();
    let isFirst = true;
    await page.route('**/api/previews', async (route) => {
      const code = isFirst && (await failure);
      isFirst = false;
      if (code === false) return route.continue();
      const source = { imageUrl: '', x: 0, y: 0, width: 1, height: 1 };
      await route.fulfill({ json: { previews: [], problems: [{ code, message: '' }], source } });
    });
    return { letOn };
  }

  const offer = () => page.getByRole('region', { name: 'Recommended for this computer' });

  it('offers the recommended set at the first start, with what and how large, until it is declined', async () => {
    await offer()
      .getByText(/^Optional, .*B: larger models .* Enlarger works without them\.$/)
      .waitFor();
    expect(await offer().getByText('damaged photos, 4x, quickly').isVisible()).toBe(false);
    await offer().getByText('Which?').click();
    await offer().getByText('damaged photos, 4x, quickly').waitFor();
    await offer().getByText('Models for 4x make 2x, too').waitFor();
    await offer()
      .getByRole('button', { name: /^Download, .*B: Recommended for this computer$/ })
      .waitFor();
    await withoutBarriers();
    const { downloads } = (await call('GET', '/api/models/downloads')) as { downloads: object[] };
    expect(downloads).toEqual([]);
    await offer().getByRole('button', { name: 'Not now' }).click();
    await offer().waitFor({ state: 'detached' });
    await expect
      .poll(() => call('GET', '/api/settings'))
      .toMatchObject({ page: { offersModels: false } });
    await showMoreOptions(page);
    await page.getByRole('button', { name: 'More models' }).click();
    await dialog().getByRole('region', { name: 'Recommended for this computer' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  it('lists what is installed with a picture of each, and shows before and after', async () => {
    // Waiting photos count as running ones.
    await call('POST', '/api/queue/pause');
    const imageUrl = `data:image/jpeg;base64,${(await smallJpeg(16, 12)).toString('base64')}`;
    await call('POST', '/api/image-upscaler', { imageUrl });
    await page.getByText('Waiting, no. 1').waitFor();
    const { letOn } = await holdPreviews();
    await openModels();
    // The picture that samples are made of stands there dimmed, and is as large.
    const pictures = dialog().locator('li .picture');
    const made = dialog().locator('li .picture.made img');
    await expect.poll(() => pictures.locator('img').count(), patience).toBe(5);
    await expect.poll(() => widthOf(pictures.locator('img').first()), patience).toBe(264);
    const tops = async () => {
      const boxes = (await pictures.all()).map((one) => one.boundingBox());
      return (await Promise.all(boxes)).map((box) => Math.round(box!.y));
    };
    const before = await tops();
    expect(await made.count()).toBe(0);
    letOn('OUT_OF_MEMORY');
    // One after the other, without being asked, also while photos run. What fails says why.
    await expect.poll(() => made.count(), patience).toBe(4);
    await expect.poll(() => widthOf(made.last()), patience).toBeGreaterThan(0);
    const failed = dialog()
      .getByRole('listitem')
      .filter({ has: page.getByRole('alert') });
    await failed.getByText('Not enough memory').waitFor();
    await failed.getByRole('button', { name: 'Before and after:' }).click();
    await expect.poll(() => made.count(), patience).toBe(5);
    await dialog().getByRole('button', { name: 'Before and after:', expanded: true }).click();
    await expect.poll(tops).toEqual(before);
    await call('POST', '/api/queue/resume');
    await button('Before and after: Faithful').click();
    await shows('Faithful', 500);
    await button('Before and after: Cutout').click();
    await shows('Cutout', 200);
    await withoutBarriers();
  });

  it('makes another model the default for its kind of work', async () => {
    await button('Use by default: Faithful').click();
    await button('Use by default: Natural').waitFor();
    expect(await call('GET', '/api/settings')).toMatchObject({ defaultUpscaler: 'faithful' });
    await button('Use by default: Natural').click();
    await button('Use by default: Faithful').waitFor();
    await page.keyboard.press('Escape');
  });

  it('takes a network that is dropped on the page, and shows how it is used', async () => {
    await dropFiles(page, [await networkFile('My net.onnx', 4)]);
    await dialog().getByText('My net is installed.').waitFor();
    await dialog().getByText('4 times', { exact: true }).waitFor();
    await dialog().getByText('0 … 1').waitFor();
    await shows('My net', 1000);
    await withoutBarriers();
  });

  it('lets what was found be corrected, and shows the result anew', async () => {
    await button('Correct My net').click();
    await dialog().getByLabel('Margin of tiles').fill('12');
    await dialog().getByLabel('Licence').fill('CC0');
    await withoutBarriers();
    await button('Save correction').click();
    await dialog().getByText('12 pixels.').waitFor();
    await shows('My net', 1000);
    const { models } = (await call('GET', '/api/models')) as { models: object[] };
    expect(models.at(-1)).toMatchObject({ licence: 'CC0', contract: { marginPx: 12 } });
  });

  it('says why a file cannot be used', async () => {
    const buffer = Buffer.from('no weights at all');
    const file = { name: 'broken.pth', mimeType: 'application/octet-stream', buffer };
    await chooseFiles(page, () => button('Add a model').click(), [file]);
    const alert = dialog().getByRole('alert').filter({ hasText: 'This model cannot be used' });
    await alert.waitFor();
    open.complaints.splice(0, open.complaints.length);
  });

  it('takes of several what it can, and goes on saying why another one cannot be used', async () => {
    const buffer = Buffer.from('no weights at all');
    const broken = { name: 'torn.pth', mimeType: 'application/octet-stream', buffer };
    await dropFiles(page, [broken, await networkFile('Second net.onnx', 2)]);
    await dialog().getByText('Second net is installed.').waitFor();
    await dialog().getByRole('alert').getByText('torn.pth').waitFor();
    await withoutBarriers();
    await button('Remove Second net').click();
    await dialog().getByText('Second net', { exact: true }).waitFor({ state: 'detached' });
    open.complaints.splice(0, open.complaints.length);
  });

  it('tries all of them on a place of a photo, also those that are reduced to its scale', async () => {
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await dropFiles(page, [
      { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await smallJpeg(320, 240) },
    ]);
    await page.getByRole('button', { name: 'Try here', exact: true }).click();
    await page.getByRole('group', { name: 'photo.jpg' }).press('Enter');
    const results = page.getByRole('group', { name: 'Results of the models' });
    const own = results.getByRole('img', { name: 'My net' });
    await own.waitFor();
    await expect.poll(() => widthOf(own), patience).toBe(512);
  });

  it('asks before it removes what a waiting task needs', async () => {
    await call('POST', '/api/queue/pause');
    const jpeg = await smallJpeg(16, 12);
    const imageUrl = `data:image/jpeg;base64,${jpeg.toString('base64')}`;
    await call('POST', '/api/image-upscaler', { imageUrl, model: 'my-net', scale: 4 });
    await openModels();
    await button('Remove My net').click();
    await dialog().getByText('1 task waits for it').waitFor();
    await button('Keep').click();
    await expect
      .poll(() => dialog().getByText('My net', { exact: true }).count())
      .toBeGreaterThan(0);
    await button('Remove My net').click();
    await button('Remove anyway').click();
    await dialog().getByText('My net', { exact: true }).waitFor({ state: 'detached' });
    open.complaints.splice(0, open.complaints.length);
  });

  it('shows host, size, hash and licence before it fetches, progress then, and stops', async () => {
    const { server, url } = await slowMirror();
    await part('Available');
    const first = dialog().getByRole('listitem').filter({ hasText: 'RealPLKSR MSSIM 2x' });
    await first.getByText('Best for clean photos').waitFor();
    expect(await first.getByText('d7abb65092f3808d3aa255ffdab42b1d').isVisible()).toBe(false);
    await first.getByText('Details', { exact: true }).click();
    await first.getByText('huggingface.co, 29.6 MB').waitFor();
    await first.getByText('d7abb65092f3808d3aa255ffdab42b1d').waitFor();
    await first.getByText('MIT (darktable)').waitFor();
    await withoutBarriers();
    await dialog().getByLabel('Mirror').fill(url);
    await button('Save').click();
    await expect.poll(() => call('GET', '/api/settings')).toMatchObject({ modelMirror: url });
    await button('Download, 29.6 MB: RealPLKSR MSSIM 2x').click();
    await first.getByText('1 MB of 29.6 MB').waitFor();
    await withoutBarriers();
    await button('Cancel RealPLKSR MSSIM 2x').click();
    await first.getByText('Stopped. What was downloaded so far is kept.').waitFor();
    await offer()
      .getByRole('button', { name: /: Recommended for this computer$/ })
      .click();
    const general = offer().getByRole('listitem').filter({ hasText: 'Real-ESRGAN general' });
    await general.getByRole('progressbar').waitFor();
    await withoutBarriers();
    const { models } = (await call('GET', '/api/models/recommended')) as {
      models: { id: string }[];
    };
    for (const { id } of models) await call('DELETE', `/api/models/${id}/download`);
    await general.getByRole('progressbar').waitFor({ state: 'detached' });
    server.closeAllConnections();
    server.close();
  });

  it.skipIf(process.platform !== 'linux' || process.arch !== 'x64')(
    'shows what graphics cards need besides, from the menu of devices (Linux)',
    async () => {
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      await showMoreOptions(page);
      await page.getByRole('button', { name: /^Device:/ }).click();
      await page.getByRole('menuitem', { name: 'Files for graphics cards' }).click();
      const files = dialog().getByRole('listitem').filter({ hasText: 'CUDA 12' });
      await files.getByText('Details', { exact: true }).click();
      await files.getByText('github.com, size not published').waitFor();
      await files.getByText('f9886932ee7bb0b4d3fcab736a392d4f').waitFor();
      await files.getByText('MIT (Microsoft)').waitFor();
      await files.getByText("NVIDIA's driver, CUDA 12 and cuDNN 9").waitFor();
      await withoutBarriers();
      const server = createServer((_request, response) => response.end('other bytes'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      await dialog().getByLabel('Mirror').fill(url);
      await dialog().getByLabel('Proxy').fill(url);
      await button('Save').click();
      await expect.poll(() => call('GET', '/api/settings')).toMatchObject({ downloadProxy: url });
      await button(/^Download, .*: CUDA 12$/).click();
      await files.getByRole('alert').getByText('other bytes came').waitFor();
      await withoutBarriers();
      server.close();
    },
    120_000,
  );

  it('takes an encoder with its decoder, and uses it for clicks until it is stopped', async () => {
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    const files = promptPair(folder, 'sam').map(async (file) => ({
      name: path.basename(file),
      mimeType: 'application/octet-stream',
      buffer: await readFile(file),
    }));
    await dropFiles(page, await Promise.all(files));
    await dialog().getByText('sam is installed.').waitFor();
    await part('Installed');
    await dialog().getByRole('heading', { name: 'Selecting objects' }).waitFor();
    await withoutBarriers();
    await button('Use by default: sam').click();
    await button('Stop using: sam').waitFor();
    expect(await call('GET', '/api/settings')).toMatchObject({ defaultSelector: 'sam' });
    await button('Stop using: sam').click();
    await button('Use by default: sam').waitFor();
    expect(await call('GET', '/api/settings')).toMatchObject({ defaultSelector: '' });
  });

  it('had nothing to complain of', () => {
    expect(open.complaints).toEqual([]);
  });
});
