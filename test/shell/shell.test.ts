/** A session with the built application in a real Electron, from its first window to its end (npm run test:shell). */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Settings } from '../../packages/contract/src/settings/settings.ts';
import { en } from '../../renderer/text/languages/en/en.ts';
import { dragIn } from '../support/page-files.ts';
import { openFromMenu } from '../support/page-menus.ts';
import { writeSmallJpeg } from '../support/pictures.ts';
import { root } from '../support/program.ts';
import {
  clickMenu,
  connect,
  doubles,
  isVisible,
  noted,
  serviceFile,
  skipped,
  soon,
  theHarness,
  theWindow,
  title,
  worked,
} from './harness.ts';
import { hasSessionBus, openSessionBus, type SessionBus } from './session-bus.ts';
import { killAll, openFolder, processesOf, Shell, spawnElectron } from './shell.ts';

const hasBus = skipped === '' && hasSessionBus();
if (skipped === '' && !hasBus)
  console.log('No notification is tried: dbus-daemon or python3-gi is not installed.');

const quitWhenDone = ['When the Queue Is Done', 'Quit Enlarger'];
/** The page's text, also when its debugger was lost. */
const textOf = (shell: Shell) =>
  shell.inMain<string>(`${theWindow}.webContents.executeJavaScript('document.body.innerText')`);

describe.skipIf(skipped !== '')(`the window in ${title}`, () => {
  const dir = openFolder();
  const photos = path.join(dir, 'photos');
  const photo = (name: string) => path.join(photos, name);
  let shell: Shell;
  let page: Page;
  let client: Awaited<ReturnType<typeof connect>>;
  let bus: SessionBus | undefined;
  /** The task of the photo that was saved beside its original. */
  let saved = '';

  const waitForRow = (name: string) => page.getByText(name).first().waitFor(soon);
  const secondStart = async (...args: string[]) => {
    const second = spawnElectron(theHarness(), { dir, args });
    second.stdout?.resume();
    second.stderr?.resume();
    const [code] = (await once(second, 'exit')) as [number | null];
    return code;
  };
  const close = () => shell.inMain(`void ${theWindow}.close()`);
  const badge = async () => (await noted(shell)).findLast(([what]) => what === 'badge')?.[1];
  const enginePid = () =>
    processesOf(dir).find(({ command }) => /[\\/]engine\.js/.test(command))?.pid;

  beforeAll(async () => {
    const named = ['argument 1.jpg', 'Köln größer.jpg', 'dropped.jpg', 'chosen.jpg'];
    const handedOver = ['été 2.jpg', '写真.jpg', 'two words, 50 %.jpg', 'été 3.jpg'];
    const names = [...named, ...handedOver];
    for (const [index, name] of names.entries()) await writeSmallJpeg(photo(name), 96 + index, 64);
    await writeSmallJpeg(photo('large.jpg'), 640, 480);
    const address = pathToFileURL(photo('Köln größer.jpg')).href;
    bus = hasBus ? await openSessionBus() : undefined;
    shell = new Shell(theHarness(), {
      dir,
      args: [photo('argument 1.jpg'), address],
      env: { DBUS_SESSION_BUS_ADDRESS: bus?.address ?? '' },
    });
    page = await shell.page();
  });
  afterAll(() => {
    killAll(dir);
    bus?.close();
  });

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

  it('is locked up in its sandbox', async () => {
    const locks = `(({ sandbox, contextIsolation, nodeIntegration, webviewTag }) =>
        ({ sandbox, contextIsolation, nodeIntegration, webviewTag }))`;
    expect(
      await shell.inMain(`${locks}(${theWindow}.webContents.getLastWebPreferences())`),
    ).toEqual({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
    });
  });

  it('takes the theme that its page has', async () => {
    // The page sets its own theme once it has read its settings, which may be after this.
    const themed = async () => {
      await page.evaluate("enlarger.setTheme('dark')");
      return shell.inMain('electron.nativeTheme.themeSource');
    };
    await expect.poll(themed).toBe('dark');
    const preferences = readFileSync(path.join(dir, 'data/window/preferences.json'), 'utf8');
    expect(JSON.parse(preferences)).toMatchObject({ theme: 'dark' });
  });

  it('shows photos that were named, also by address with spaces and umlauts', async () => {
    await waitForRow('argument 1.jpg');
    await waitForRow('Köln größer.jpg');
  });

  it('shows the photos of a second start, with letters beyond ASCII', async () => {
    expect(await secondStart('été 2.jpg')).toBe(0);
    await waitForRow('été 2.jpg');
  });

  // What a start of another version hands over.
  it.each([
    ['写真.jpg', null],
    ['two words, 50 %.jpg', { paths: '%' }],
    ['été 3.jpg', { paths: ['a list'] }],
  ])('shows %s of a second start by its arguments where it hands over %j', async (name, handed) => {
    const argv = ['electron', '--allow-file-access-from-files', root, name];
    const given = [argv, photos, handed].map((value) => JSON.stringify(value)).join();
    await shell.inMain(`void electron.app.emit('second-instance', {}, ${given})`);
    await waitForRow(name);
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

  it('grants a folder of its dialog', async () => {
    await shell.inMain(`globalThis.chosen = ${JSON.stringify([photos])}`);
    expect(await page.evaluate('enlarger.chooseFolder()')).toBe(photos);
    const { body } = await client.call('GET', '/api/settings');
    expect((body as Settings).grantedFolders).toContain(photos);
  });

  it('loads no native module of the engine into its main process', async () => {
    const loaded = await shell.inMain<string[]>('process.report.getReport().sharedObjects');
    expect(loaded.length).toBeGreaterThan(0);
    expect(loaded.filter((file) => /sharp|vips|onnxruntime/.test(file))).toEqual([]);
  });

  it('enlarges and saves beside the original', async () => {
    const imageUrl = pathToFileURL(photo('Köln größer.jpg')).href;
    saved = await client.submit(imageUrl, { scale: 2, saveTo: photos });
    await expect.poll(() => client.task(saved), worked).toMatchObject({ status: 'FINISHED' });
    expect(existsSync(photo('Köln größer-2x.jpg'))).toBe(true);
    // While it worked the machine was kept awake, and the taskbar showed how far it was.
    const shares = (await noted(shell)).flatMap(([what, share]) =>
      what === 'progress' ? [share] : [],
    );
    expect(shares).toContainEqual(expect.toSatisfy((share: number) => share >= 0 && share <= 1));
    const awake = async () => (await noted(shell)).findLast(([what]) => what === 'awake');
    await expect.poll(awake, soon).toEqual(['awake', false]);
    expect(await noted(shell)).toContainEqual(['awake', true]);
  });

  it('shows its result in its folder, and opens granted folders alone', async () => {
    await page.evaluate(`enlarger.showInFolder('${saved}')`);
    await page.evaluate(`enlarger.showFolder(${JSON.stringify(photos)})`);
    await expect(page.evaluate("enlarger.showFolder('/etc')")).rejects.toThrow('granted');
    const seen = (await noted(shell)).filter(([what]) => ['show', 'open'].includes(what));
    expect(seen).toEqual([
      ['show', photo('Köln größer-2x.jpg')],
      ['open', photos],
    ]);
  });

  it('opens its data folder where Storage is asked', async () => {
    await openFromMenu(page, en.storage);
    await page.getByRole('dialog').getByRole('button', { name: en.openFolder }).click();
    const opened = async () => (await noted(shell)).findLast(([what]) => what === 'open');
    await expect.poll(opened, soon).toEqual(['open', path.join(dir, 'data')]);
    await page.keyboard.press('Escape');
  });

  it('drags its result out, which is fetched when the pointer goes down', async () => {
    await page.getByRole('option', { name: /Köln größer.*photos/ }).click();
    const result = photo('Köln größer-2x.jpg');
    const dragged = async () =>
      (await noted(shell)).filter(([what]) => what === 'icon' || what === 'drag');
    const grip = await page.getByRole('img', { name: en.dragOut }).boundingBox();
    if (grip === null) throw new Error('The grip is not shown.');
    const [x, y] = [grip.x + grip.width / 2, grip.y + grip.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await expect.poll(dragged, soon).toEqual([['icon', result]]);
    await page.mouse.move(x + 40, y - 40, { steps: 8 });
    await expect.poll(dragged, soon).toEqual([
      ['icon', result],
      ['drag', result],
    ]);
    await page.mouse.up();
    // What was not prepared is fetched at the drag.
    await page.evaluate(`enlarger.startDrag(['${saved}', '${saved}'])`);
    expect((await dragged()).slice(2)).toEqual([
      ['icon', result],
      ['drag', result, result],
    ]);
  });

  it('asks where to save what its page gives, and takes no file from elsewhere', async () => {
    await shell.inMain(`void ${theWindow}.webContents.session.on('will-download', (event, item) => {
      const { defaultPath } = item.getSaveDialogOptions();
      globalThis.noted.push(['download', item.getURL().split(/[:/]/, 1)[0], defaultPath ?? '', event.defaultPrevented]);
      item.cancel();
    })`);
    const save = (address: string) =>
      page.evaluate(`(() => {
        const link = document.createElement('a');
        Object.assign(link, { href: ${address}, download: 'result.png' });
        link.click();
      })()`);
    await save("'/api/health'");
    await save("URL.createObjectURL(new Blob(['a']))");
    await save("'data:text/plain,a'");
    const downloads = async () => (await noted(shell)).filter(([what]) => what === 'download');
    const proposed = path.join(
      await shell.inMain("electron.app.getPath('downloads')"),
      'result.png',
    );
    await expect.poll(downloads, soon).toEqual([
      ['download', 'http', proposed, false],
      ['download', 'blob', proposed, false],
      ['download', 'data', '', true],
    ]);
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
    // The window goes by what it knows of the queue.
    await expect.poll(badge, soon).toBe(0);
    await client.call('POST', '/api/queue/pause');
    await client.submit(pathToFileURL(photo('chosen.jpg')).href, { scale: 2 });
    await expect.poll(badge, soon).toBe(1);
    await close();
    // Where the session shows neither tray nor notifications, the page says first what closing does.
    if (!hasBus) {
      await page.getByText('Close it once more to hide it').waitFor(soon);
      await close();
    }
    await expect.poll(() => isVisible(shell), soon).toBe(false);
    expect(await secondStart()).toBe(0);
    await expect.poll(() => isVisible(shell), soon).toBe(true);
  });

  it.runIf(hasBus)('notifies when it hides, and a click on that shows it', async () => {
    await close();
    const hidden = () =>
      bus?.notifications.findLast(({ body }) => body.includes('goes on working'));
    await expect.poll(hidden, soon).toMatchObject({ title: 'Enlarger' });
    await expect.poll(() => isVisible(shell), soon).toBe(false);
    const notification = hidden();
    if (notification !== undefined) bus?.click(notification);
    await expect.poll(() => isVisible(shell), soon).toBe(true);
  });

  it('clears its badge at the end of the queue, and asks before what was chosen for it', async () => {
    await close();
    await expect.poll(() => isVisible(shell), soon).toBe(false);
    await shell.inMain(clickMenu(...quitWhenDone));
    await shell.inMain(clickMenu('Resume Queue'));
    await expect
      .poll(() => noted(shell), worked)
      .toContainEqual(['message', 'Enlarger quits in 30 seconds.']);
    expect(await badge()).toBe(0);
  });

  it.runIf(hasBus)('notifies of the end of the queue', async () => {
    // The cut-out may have found no subject.
    const titles = () => bus?.notifications.map(({ title }) => title);
    await expect
      .poll(titles, soon)
      .toContainEqual(expect.stringMatching(/^(Photos are ready|Done, with problems)$/));
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
    await page.evaluate("void open('/api/docs')");
    const outside = async () => (await noted(shell)).filter(([what]) => what === 'external');
    await expect.poll(outside, soon).toEqual([['external', new URL('/api/docs', before).href]]);
    const isStopped = (url: string) =>
      shell.inMain<boolean>(`(() => {
          let isStopped = false;
          const event = { url: ${JSON.stringify(url)}, preventDefault: () => (isStopped = true) };
          ${theWindow}.webContents.emit('will-redirect', event);
          return isStopped;
        })()`);
    expect([await isStopped('https://example.org'), await isStopped(before)]).toEqual([
      true,
      false,
    ]);
    expect(await shell.inMain('electron.BrowserWindow.getAllWindows().length')).toBe(1);
  });

  it('loads its page again, with its rows, when that was killed, and asks at the third time', async () => {
    // Reload, where it asks.
    await shell.inMain('globalThis.response = 0');
    const pid = `${theWindow}.webContents.getOSProcessId()`;
    for (let times = 0; times < 3; times += 1) {
      const killed = await shell.inMain<number>(pid);
      process.kill(killed, 'SIGKILL');
      await expect.poll(() => shell.inMain<number>(pid), soon).not.toBe(killed);
      await expect.poll(() => textOf(shell), soon).toContain('Köln größer');
    }
    const messages = (await noted(shell)).filter(([what]) => what === 'message').slice(-3);
    expect(messages.map(([, message]) => message)).toEqual([
      'The window had stopped and was opened again.',
      'The window had stopped and was opened again.',
      'The window stopped several times in a minute.',
    ]);
  });

  it('hides again after a quit that did not come to its end', async () => {
    await expect.poll(badge, soon).toBe(0);
    await client.call('POST', '/api/queue/pause');
    await client.submit(pathToFileURL(photo('dropped.jpg')).href, { scale: 2 });
    await expect.poll(badge, soon).toBe(1);
    await shell.inMain("void electron.app.emit('before-quit', {})");
    expect(await secondStart()).toBe(0);
    await close();
    await expect.poll(() => isVisible(shell), soon).toBe(false);
  });

  it('quits at the end of its queue where that was chosen, and leaves no process and no lock', async () => {
    await shell.inMain(clickMenu(...quitWhenDone));
    await shell.detach();
    await client.call('POST', '/api/queue/resume');
    expect(await shell.ended).toEqual([0, null]);
    await expect.poll(() => processesOf(dir), soon).toEqual([]);
    expect(existsSync(serviceFile(dir))).toBe(false);
  });
});
