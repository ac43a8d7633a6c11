/** The built application in a real Electron, from its first window to its end (npm run test:shell). */
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { closeByDebugger } from '../support/debugger.ts';
import { dragIn } from '../support/page-files.ts';
import { smallJpeg, writeSmallJpeg } from '../support/pictures.ts';
import { createClient } from '../support/service.ts';
import { findDisplay } from './display.ts';
import { findElectron } from './prepare-electron.ts';
import {
  openFolder,
  processesOf,
  reasonNotToRun,
  Shell,
  spawnElectron,
  type Harness,
} from './shell.ts';
import { stageApplication } from './stage-application.ts';

const electron = await findElectron();
const display =
  typeof electron === 'string' ? electron : (reasonNotToRun(electron) ?? (await findDisplay()));
const skipped = typeof display === 'string' ? display : '';
const title = typeof electron === 'string' ? 'Electron' : `Electron ${electron.version}`;
const isRoot = process.getuid?.() === 0;
const soon = { timeout: 60_000 };
/** The first task of a machine waits for the network's measures, which take long on a busy one. */
const worked = { timeout: 280_000 };

let harness: Harness;

beforeAll(async () => {
  if (typeof electron === 'string' || typeof display === 'string') return;
  const application = await stageApplication(electron, openFolder());
  harness = { electron, application, display: display.name };
});
afterAll(() => {
  if (typeof display !== 'string') display.close();
});

/** What the tests note of the main process, and answer for its dialogs. */
const doubles = `(() => {
  globalThis.noted = [];
  globalThis.chosen = [];
  const note = (...what) => void globalThis.noted.push(what);
  // Somebody who works elsewhere would have the engine at its lowest priority.
  electron.powerMonitor.getSystemIdleTime = () => 3600;
  electron.app.setBadgeCount = (count) => { note('badge', count); return true; };
  electron.dialog.showOpenDialog = async () => ({ filePaths: globalThis.chosen });
  electron.dialog.showMessageBox = async (_window, box) => { note('message', box.message); return { response: 1 }; };
})()`;

/** Clicks on an entry of the application's menu. */
const clickMenu = (label: string) => `(() => {
  const items = (menu) => menu.items.flatMap((item) => [item, ...(item.submenu ? items(item.submenu) : [])]);
  const item = items(electron.Menu.getApplicationMenu()).find((one) => one.label === ${JSON.stringify(label)});
  if (item === undefined) throw new Error('The menu has no ' + ${JSON.stringify(label)});
  item.click();
})()`;

const theWindow = 'electron.BrowserWindow.getAllWindows()[0]';
const isVisible = (shell: Shell) => shell.inMain<boolean>(`${theWindow}.isVisible()`);
const noted = (shell: Shell) => shell.inMain<[string, ...unknown[]][]>('globalThis.noted');
/** The page's text, also when its debugger was lost. */
const textOf = (shell: Shell) =>
  shell.inMain<string>(`${theWindow}.webContents.executeJavaScript('document.body.innerText')`);

async function connect(page: Page) {
  const key = await page.evaluate<string>('enlarger.sessionKey()');
  return createClient(new URL(page.url()).origin, key);
}

/** Expects that nothing is left of an application that ended. */
async function expectNothingLeft(dir: string): Promise<void> {
  await expect.poll(() => processesOf(dir), soon).toEqual([]);
  expect(existsSync(path.join(dir, 'data/service.json'))).toBe(false);
}

describe.skipIf(skipped !== '')(
  `the window in ${title}${skipped && ` (skipped: ${skipped})`}`,
  () => {
    const dir = openFolder();
    const photos = path.join(dir, 'photos');
    const photo = (name: string) => path.join(photos, name);
    let shell: Shell;
    let page: Page;
    let client: Awaited<ReturnType<typeof connect>>;

    const waitForRow = (name: string) => page.getByText(name).first().waitFor(soon);
    const secondStart = async (...args: string[]) => {
      const second = spawnElectron(harness, { dir, args });
      second.stderr?.resume();
      const [code] = (await once(second, 'exit')) as [number | null];
      return code;
    };
    const enginePid = () =>
      processesOf(harness.application).find(({ command }) => /[\\/]engine\.js/.test(command))?.pid;

    beforeAll(async () => {
      const names = ['argument 1.jpg', 'Köln größer.jpg', 'été 2.jpg', 'dropped.jpg', 'chosen.jpg'];
      for (const [index, name] of names.entries())
        await writeSmallJpeg(photo(name), 96 + index, 64);
      await writeSmallJpeg(photo('large.jpg'), 640, 480);
      const address = pathToFileURL(photo('Köln größer.jpg')).href;
      shell = new Shell(harness, { dir, args: [photo('argument 1.jpg'), address] });
      page = await shell.page();
    });
    afterAll(() => shell.kill());

    it('appears, and is not blank', async () => {
      await expect.poll(() => isVisible(shell), soon).toBe(true);
      const ms = Math.round(performance.now() - shell.startedAt);
      console.log(`The first window was there after ${ms} ms.`);
      await page.getByRole('button').first().waitFor(soon);
      await shell.inMain(doubles);
      client = await connect(page);
    });

    it('has its bridge, and no Node', async () => {
      const types = '[typeof enlarger, typeof require, typeof process]';
      expect(await page.evaluate(types)).toEqual(['object', 'undefined', 'undefined']);
    });

    it('shows photos that were named, also by address with spaces and umlauts', async () => {
      await waitForRow('argument 1.jpg');
      await waitForRow('Köln größer.jpg');
    });

    it('shows the photos of a second start, with letters beyond ASCII', async () => {
      expect(await secondStart('été 2.jpg')).toBe(0);
      await waitForRow('été 2.jpg');
    });

    it('shows photos that are dropped, where they lie', async () => {
      await dragIn(page, [photo('dropped.jpg')]);
      await waitForRow('dropped.jpg');
    });

    it('shows photos of its dialog', async () => {
      await shell.inMain(`globalThis.chosen = ${JSON.stringify([photo('chosen.jpg')])}`);
      await shell.inMain(clickMenu('Add Photos…'));
      await waitForRow('chosen.jpg');
    });

    it('loads no native module of the engine into its main process', async () => {
      const loaded = await shell.inMain<string[]>('process.report.getReport().sharedObjects');
      expect(loaded.length).toBeGreaterThan(0);
      expect(loaded.filter((file) => /sharp|vips|onnxruntime/.test(file))).toEqual([]);
    });

    it('enlarges and saves beside the original', async () => {
      const imageUrl = pathToFileURL(photo('Köln größer.jpg')).href;
      const taskId = await client.submit(imageUrl, { scale: 2, saveTo: photos });
      await expect.poll(() => client.task(taskId), worked).toMatchObject({ status: 'FINISHED' });
      expect(existsSync(photo('Köln größer-2x.jpg'))).toBe(true);
    });

    it('cuts out', async () => {
      const imageUrl = pathToFileURL(photo('dropped.jpg')).href;
      const options = { imageUrl, saveTo: photos, maskOnly: true };
      const answer = await client.call('POST', '/api/remove-bg', options);
      const { taskId } = answer.body as { taskId: string };
      await expect
        .poll(() => client.task(taskId), worked)
        .toMatchObject({ status: expect.stringMatching(/FINISHED|FAILED/) as string });
      // Whether a drawn picture has a subject is the network's affair.
      const { error } = (await client.record(taskId)) as { error?: { code: string } };
      expect([undefined, 'NO_SUBJECT']).toContain(error?.code);
    });

    it('hides when it is closed while work waits, and a second start shows it', async () => {
      await client.call('POST', '/api/queue/pause');
      await client.submit(pathToFileURL(photo('chosen.jpg')).href, { scale: 2 });
      await expect.poll(() => noted(shell), soon).toContainEqual(['badge', 1]);
      const close = () => shell.inMain(`void ${theWindow}.close()`);
      await close();
      // Where the session shows neither tray nor notifications, the page says first what closing does.
      if (await isVisible(shell)) {
        await page.getByText('Close it once more to hide it').waitFor(soon);
        await close();
      }
      await expect.poll(() => isVisible(shell), soon).toBe(false);
      expect(await secondStart()).toBe(0);
      await expect.poll(() => isVisible(shell), soon).toBe(true);
      await close();
      await expect.poll(() => isVisible(shell), soon).toBe(false);
    });

    it('clears its badge at the end of the queue, and asks before what was chosen for it', async () => {
      await shell.inMain(clickMenu('Quit Enlarger'));
      await shell.inMain(clickMenu('Resume Queue'));
      await expect
        .poll(() => noted(shell), worked)
        .toContainEqual(['message', 'Enlarger quits in 30 seconds.']);
      expect((await noted(shell)).findLast(([what]) => what === 'badge')).toEqual(['badge', 0]);
    });

    it('finishes a task whose engine was killed', async () => {
      const taskId = await client.submit(pathToFileURL(photo('large.jpg')).href, { scale: 4 });
      await expect.poll(() => client.task(taskId), soon).toMatchObject({ status: 'PROCESSING' });
      const killed = enginePid();
      expect(killed).toBeDefined();
      process.kill(killed ?? 0, 'SIGKILL');
      await expect.poll(() => client.task(taskId), worked).toMatchObject({ status: 'FINISHED' });
      expect(enginePid()).not.toBe(killed);
    });

    it('opens nothing, goes nowhere, asks nobody, and may nothing', async () => {
      const before = page.url();
      await page.evaluate("open('https://example.org'); location.href = 'https://example.org'");
      await expect(page.evaluate("fetch('https://example.org')")).rejects.toThrow();
      expect(await page.evaluate("fetch('/api/health').then(({ status }) => status)")).toBe(200);
      const permission =
        "navigator.permissions.query({ name: 'geolocation' }).then((is) => is.state)";
      expect(await page.evaluate(permission)).toBe('denied');
      await expect(
        page.evaluate('navigator.mediaDevices.getUserMedia({ audio: true })'),
      ).rejects.toThrow();
      expect(page.url()).toBe(before);
      expect(await shell.inMain('electron.BrowserWindow.getAllWindows().length')).toBe(1);
    });

    it('loads its page again, with its rows, when that was killed', async () => {
      const pid = `${theWindow}.webContents.getOSProcessId()`;
      const killed = await shell.inMain<number>(pid);
      process.kill(killed, 'SIGKILL');
      await expect.poll(() => shell.inMain<number>(pid), soon).not.toBe(killed);
      await expect.poll(() => textOf(shell), soon).toContain('Köln größer');
      expect(await noted(shell)).toContainEqual([
        'message',
        'The window had stopped and was opened again.',
      ]);
    });

    it('quits, and leaves no process and no lock', async () => {
      await shell.detach();
      await closeByDebugger(await shell.browser());
      expect(await shell.ended).toEqual([0, null]);
      await expectNothingLeft(dir);
    });
  },
);

describe.skipIf(skipped !== '')(`starts and ends in ${title}`, () => {
  async function open(start: Partial<ConstructorParameters<typeof Shell>[1]> = {}) {
    const dir = start.dir ?? openFolder();
    const shell = new Shell(harness, { ...start, dir });
    onTestFinished(() => shell.kill());
    const page = await shell.page();
    await page.getByRole('button').first().waitFor(soon);
    return { dir, shell, page };
  }

  it('speaks German where the system does, and ends on SIGTERM', async () => {
    const { dir, shell } = await open({ env: { LANG: 'de_DE.UTF-8', LANGUAGE: 'de', LC_ALL: '' } });
    const labels = await shell.inMain<string[]>(
      'electron.Menu.getApplicationMenu().items.map(({ label }) => label)',
    );
    expect(labels).toEqual(expect.arrayContaining(['Datei', 'Bearbeiten', 'Darstellung']));
    await shell.detach();
    shell.child.kill('SIGTERM');
    expect(await shell.ended).toEqual([0, null]);
    await expectNothingLeft(dir);
  });

  it('goes on after a logout, which ends it without asking', async () => {
    const { dir, shell, page } = await open();
    const client = await connect(page);
    const picture = (await smallJpeg(640, 480)).toString('base64');
    const taskId = await client.submit(`data:image/jpeg;base64,${picture}`, { scale: 2 });
    // Windows asks the windows, then ends the process.
    const isRefused = await shell.inMain<boolean>(`(() => {
      let isRefused = false;
      ${theWindow}.emit('query-session-end', { reasons: ['logoff'], preventDefault: () => (isRefused = true) });
      return isRefused;
    })()`);
    expect(isRefused).toBe(false);
    await shell.kill();
    await expect.poll(() => processesOf(dir), soon).toEqual([]);
    const next = await open({ dir });
    const again = await connect(next.page);
    await expect.poll(() => again.task(taskId), worked).toMatchObject({ status: 'FINISHED' });
  });

  it.runIf(isRoot)('shows its page for root without a sandbox', async () => {
    const { shell, page } = await open({ asRoot: true, args: ['--no-sandbox'] });
    expect(await page.evaluate('document.body.innerText.length')).toBeGreaterThan(50);
    expect(shell.stderr).not.toMatch(/Network service crashed|GPU process isn't usable/);
  });

  it('says in a window what is wrong with its data folder', async () => {
    const dir = openFolder();
    writeFileSync(path.join(dir, 'data'), 'a file where the folder should be');
    const child = spawnElectron(harness, { dir });
    onTestFinished(() => void child.kill('SIGKILL'));
    let said = '';
    child.stderr?.on('data', (text: Buffer) => (said += text.toString()));
    await expect.poll(() => said, soon).toMatch(/The data folder .* cannot be used/);
    // The window waits for the person.
    expect(child.exitCode).toBeNull();
  });
});
