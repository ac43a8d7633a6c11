/** Connecting other programs, in real Chromium over the real service. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { de } from '../../renderer/text/languages/de/de.ts';
import { en } from '../../renderer/text/languages/en/en.ts';
import { findBarriersInBoth } from '../support/axe.ts';
import { chromiumPath } from '../support/browser.ts';
import { openFromMenu } from '../support/page-menus.ts';
import type { OpenPage } from '../support/page.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { withPage } from '../support/with-page.ts';

describe.skipIf(chromiumPath === undefined)('connecting programs (needs Chromium)', () => {
  let open: OpenPage;
  let page: Page;
  const folder = temporaryFolder();
  let key: string;
  withPage((opened) => ({ page } = open = opened), { networks: 'quick' });

  const dialog = () => page.getByRole('dialog', { name: 'Connect programs' });
  const button = (name: string) => dialog().getByRole('button', { name, exact: true });
  const part = (name: string) => dialog().getByRole('tab', { name }).click();
  const call = (origin?: string) =>
    fetch(`${open.line.url}/api/tasks`, {
      headers: { authorization: `KEY ${key}`, ...(origin !== undefined && { origin }) },
    });
  const withoutBarriers = async () => expect(await findBarriersInBoth(page)).toEqual([]);

  it('stands last in the menu, behind what photographers need', async () => {
    await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click();
    const entries = page.getByRole('menu').locator('[role=menuitem], [role=separator]');
    const names = (await entries.allTextContents()).map((name) => name.trim());
    expect(names.slice(-4)).toEqual([
      expect.stringContaining('Keyboard'),
      '',
      'Share work with other computers',
      'Connect programs',
    ]);
    await page.keyboard.press('Escape');
  });

  it('makes a key that is shown once and opens the API', async () => {
    await openFromMenu(page, 'Connect programs');
    await dialog().getByText('No keys yet.').waitFor();
    await dialog().getByLabel('Name of the program').fill('Plug-in');
    await button('Create key').click();
    await dialog().getByText('Copy this key now.').waitFor();
    key = (await dialog().getByRole('region', { name: 'New key' }).textContent())!;
    expect((await call()).status).toBe(200);
    await withoutBarriers();
  });

  it('puts that key into examples in three languages', async () => {
    await part('Examples');
    for (const language of ['curl', 'JavaScript', 'Python']) {
      await dialog().getByText(language, { exact: true }).first().click();
      const example = dialog().getByRole('region', { name: language });
      expect(await example.textContent()).toContain(
        `KEY ${key}`.slice(language === 'Python' ? 4 : 0),
      );
    }
    await withoutBarriers();
  });

  it('goes through its parts by keys, in a circle', async () => {
    const selected = () => dialog().getByRole('tab', { selected: true });
    await selected().focus();
    const steps = { Home: en.keys, ArrowLeft: en.requests, ArrowRight: en.keys, End: en.requests };
    for (const [key, name] of Object.entries(steps)) {
      await page.keyboard.press(key);
      await dialog().getByRole('tabpanel', { name, exact: true }).waitFor();
      expect(await dialog().getByRole('tabpanel').count()).toBe(1);
      expect(await selected().and(dialog().locator(':focus')).textContent()).toBe(name);
    }
    await page.keyboard.press('Tab');
    expect(await dialog().locator('[role=tabpanel]:focus').count()).toBe(1);
  });

  it('lets a web page in by its origin and says what is none', async () => {
    await part('Access');
    const origin = dialog().getByLabel('Origin of a web page');
    await origin.fill('two words');
    await origin.press('Enter');
    await dialog().getByText('An origin is a scheme, a host').waitFor();
    await origin.fill('https://example.org/editor');
    await origin.press('Enter');
    await button('Remove https://example.org').waitFor();
    expect((await call('https://example.org')).status).toBe(200);
    await button('Remove https://example.org').click();
    await dialog().getByText('No web page has access.').waitFor();
    expect((await call('https://example.org')).status).toBe(403);
  });

  it('opens a port for programs of other services, and closes it', async () => {
    await part('Other services');
    const compat = dialog().getByLabel('Accept programs made for other services');
    await compat.waitFor();
    expect(await compat.isChecked()).toBe(false);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, 'close');
    await compat.click();
    await dialog().getByLabel('Port', { exact: true }).fill(String(port));
    await dialog().getByLabel('Port', { exact: true }).press('Tab');
    await dialog().getByText(`http://127.0.0.1:${port}`).waitFor();
    const account = (headers = {}) =>
      fetch(`http://127.0.0.1:${port}/v1.0/account`, { headers }).then(({ status }) => status);
    expect(await account({ 'x-api-key': key })).toBe(200);
    expect(await account()).toBe(403);
    await dialog().getByLabel('Without a key').click();
    await dialog().getByText('Any program on this computer may use this port').waitFor();
    expect(await account()).toBe(200);
    await withoutBarriers();
    await part('Requests');
    const line = (response: string, name: string) =>
      dialog()
        .getByRole('row')
        .filter({ hasText: 'GET /v1.0/account' })
        .filter({ has: page.getByRole('cell', { name: response, exact: true }) })
        .filter({ has: page.getByRole('cell', { name, exact: true }) })
        .waitFor();
    await line('200', 'Plug-in');
    await line('403 (failed)', '');
    await line('200', 'Without a key');
    await part('Other services');
    const link = dialog().getByRole('link', { name: 'What each can do' });
    expect(await link.getAttribute('href')).toBe('/api/compatibility');
    await dialog().getByLabel('Without a key').click();
    await compat.click();
    await dialog().getByLabel('Port', { exact: true }).waitFor({ state: 'detached' });
    await expect.poll(() => account().catch(() => 'nobody')).toBe('nobody');
    await part('Access');
  });

  it('shows the secret of callbacks when it is asked for, and renews it only when asked twice', async () => {
    await part('Access');
    await button('Show the secret').click();
    const secret = dialog().getByRole('region', { name: 'Secret of callbacks' });
    const first = (await secret.textContent())!;
    expect(first.length).toBeGreaterThanOrEqual(32);
    await withoutBarriers();
    await button('Make a new secret').click();
    await dialog().getByText('Programs with the old secret reject callbacks').waitFor();
    await button('Keep this one').click();
    await expect.poll(() => secret.textContent()).toBe(first);
    await button('Make a new secret').click();
    await button('Make a new secret').click();
    await expect.poll(() => secret.textContent()).not.toBe(first);
    const asProgram = await fetch(`${open.line.url}/api/callbacks/secret`, {
      headers: { authorization: `KEY ${key}` },
    });
    // A program's key does not read it.
    expect(asProgram.status).toBe(403);
  });

  it('names the command for each photo editor; only the application installs by itself', async () => {
    await part('Photo editors');
    const command = (name: string) => dialog().getByRole('region', { name: `Command for ${name}` });
    expect(await command('Lightroom Classic').textContent()).toBe('enlarger lightroom --scale 2');
    expect(await command('darktable').textContent()).toBe('enlarger darktable');
    expect(
      await dialog()
        .getByRole('button', { name: /^Install/ })
        .count(),
    ).toBe(0);
    await withoutBarriers();
    await part('Access');
  });

  it('grants a folder and says why one cannot be', async () => {
    const field = dialog().getByLabel('Path of a folder');
    await field.fill(path.join(folder, 'absent'));
    await field.press('Enter');
    await dialog().getByText('This folder does not exist').waitFor();
    open.complaints.length = 0;
    await field.fill(folder);
    await field.press('Enter');
    await button(`Remove ${folder}`).waitFor();
    await withoutBarriers();
  });

  it('says it in the language of the reader alone, with the figures as a tooltip', async () => {
    const sessionKey = await page.evaluate<string>("sessionStorage.getItem('enlarger.key')");
    const german = await page.context().browser()!.newContext({ locale: 'de-DE' });
    try {
      const other = await german.newPage();
      await other.addInitScript(`sessionStorage.setItem('enlarger.key', '${sessionKey}')`);
      await other.goto(open.line.url);
      await openFromMenu(other, de.connect, de);
      const shown = other.getByRole('dialog', { name: de.connect });
      await shown.getByRole('tab', { name: de.access }).click();
      const field = shown.getByLabel(de.folderLabel);
      await field.fill(path.join(folder, 'absent'));
      await field.press('Enter');
      const refusal = shown.getByText(de.failures.NO_FOLDER);
      await refusal.waitFor();
      expect(await refusal.textContent()).not.toContain('Expected');
      expect(await refusal.getByText('Den Pfad prüfen').getAttribute('title')).toContain('absent');
    } finally {
      await german.close();
    }
  });

  it('takes one grant back and leaves what was granted elsewhere meanwhile', async () => {
    const other = temporaryFolder();
    await page.evaluate(async (granted) => {
      const key = sessionStorage.getItem('enlarger.key');
      await fetch('/api/grants', {
        method: 'POST',
        headers: { authorization: `KEY ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ folders: [granted] }),
      });
    }, other);
    await button(`Remove ${folder}`).click();
    await button(`Remove ${folder}`).waitFor({ state: 'detached' });
    await button(`Remove ${other}`).waitFor();
  });

  it('shows what programs asked while it is looked at', async () => {
    await part('Requests');
    await call();
    await dialog().getByRole('cell', { name: 'Plug-in' }).first().waitFor();
    await dialog().getByRole('cell', { name: 'GET /api/tasks' }).first().waitFor();
    const own = (await readFile(open.line.keyFile, 'utf8')).trim();
    await fetch(`${open.line.url}/api/tasks`, { headers: { authorization: `KEY ${own}` } });
    await dialog().getByRole('cell', { name: 'Command line (cli.key)' }).first().waitFor();
    await withoutBarriers();
  });

  it('revokes the key only when asked twice', async () => {
    await part('Keys');
    await button('Revoke Plug-in').click();
    expect((await call()).status).toBe(200);
    await button('Revoke permanently').click();
    await dialog().getByText('No keys yet.').waitFor();
    expect((await call()).status).toBe(401);
  });

  it('had nothing to complain of', () => {
    expect(open.complaints).toEqual([]);
  });
});
