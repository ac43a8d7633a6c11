/** The application from start to end over its real service, with a stand-in for Electron's module. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createClient, type Client } from '../../electron/client/client.ts';
import type { PickedFile } from '../../electron/contract/bridge.ts';
import { app, asked, BrowserWindow, dialog, handedOver, nativeTheme } from '../support/electron.ts';
import { writeSmallJpeg } from '../support/pictures.ts';
import { root } from '../support/program.ts';
import { createClient as createTestClient } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

vi.mock('electron', () => import('../support/electron.ts'));
vi.mock('../../electron/desktop/queue/seen-outside.ts', () => ({
  findSeenOutside: () => Promise.resolve(true),
}));

const soon = { timeout: 15_000 };
const dir = temporaryFolder();
const photo = (name: string) => path.join(dir, name, 'photo.jpg');
const preferences = () => path.join(app.getPath('userData'), 'preferences.json');
const all = (name: string) =>
  asked.filter(([asking]) => asking === name).map(([, ...given]) => given);

describe('the application', () => {
  let window: BrowserWindow;
  let client: Client;
  let submit: ReturnType<typeof createTestClient>['submit'];

  const filesTold = () =>
    window.webContents.sent
      .filter(([channel]) => channel === 'enlarger:on-files')
      .map(([, files]) => (files as PickedFile[]).map((file) => file.path));

  beforeAll(async () => {
    for (const name of ['argv', 'early', 'second', 'dialog', 'dropped']) {
      await mkdir(path.join(dir, name));
      await writeSmallJpeg(photo(name));
    }
    app.folder = dir;
    await mkdir(app.getPath('userData'));
    await writeFile(preferences(), JSON.stringify({ theme: 'light' }));
    const { runApplication } = await import('../../electron/desktop/start/run-application.ts');
    const start = { paths: [photo('argv')], dataDir: path.join(dir, 'data'), isHidden: false };
    const running = runApplication(pathToFileURL(path.join(root, 'electron/main.ts')).href, start);
    // On macOS these come before the application is ready.
    app.emit('open-file', { preventDefault: () => undefined }, photo('early'));
    await running;
    [window] = [...BrowserWindow.all] as [BrowserWindow];
    const key = (await window.ask('enlarger:sessionKey')) as string;
    const url = window.webContents.mainFrame.origin;
    client = createClient({ url, key });
    ({ submit } = createTestClient(url, key));
  });

  it('opens one window, over its service, with a page that may do nothing', async () => {
    expect(BrowserWindow.all.size).toBe(1);
    expect(window.isShown).toBe(true);
    expect(window.options['webPreferences']).toMatchObject({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
    });
    expect((await client.list(1)).tasks).toEqual([]);
    for (const lock of ['window-open-handler', 'permission-request-handler', 'request-handler'])
      expect(all(lock)).toHaveLength(1);
  });

  it('begins in the theme that the page last had, and follows the page to another', async () => {
    expect(nativeTheme.themeSource).toBe('light');
    await window.ask('enlarger:setTheme', 'dark');
    expect(nativeTheme.themeSource).toBe('dark');
    expect(JSON.parse(await readFile(preferences(), 'utf8'))).toMatchObject({ theme: 'dark' });
  });

  it('keeps the page where it is, and lets it ask only its service', () => {
    const { origin } = window.webContents.mainFrame;
    const [openWindow] = all('window-open-handler')[0] as [(link: { url: string }) => object];
    expect(openWindow({ url: 'https://example.org' })).toEqual({ action: 'deny' });
    expect(openWindow({ url: `${origin}/api/docs` })).toEqual({ action: 'deny' });
    expect(all('open-external')).toEqual([[`${origin}/api/docs`]]);

    const isStopped = (event: string, url: string) => {
      let stopped = false;
      const preventDefault = () => (stopped = true);
      window.webContents.emit(event, { url, isMainFrame: true, preventDefault });
      return stopped;
    };
    expect(isStopped('will-frame-navigate', 'https://example.org')).toBe(true);
    expect(isStopped('will-redirect', 'https://example.org')).toBe(true);
    expect(isStopped('will-frame-navigate', `${origin}/`)).toBe(false);

    const isAsked = (url: string) => {
      let cancelled: boolean | undefined;
      const [, judge] = all('request-handler')[0] as [
        unknown,
        (asking: { url: string }, answer: (given: { cancel: boolean }) => void) => void,
      ];
      judge({ url }, ({ cancel }) => (cancelled = cancel));
      return cancelled === false;
    };
    expect([isAsked('https://example.org/'), isAsked(`${origin}/api/tasks`)]).toEqual([
      false,
      true,
    ]);
  });

  it('loads a page that stopped, says so, and asks when it stops again and again', async () => {
    for (let time = 0; time < 3; time += 1)
      window.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    window.webContents.emit('render-process-gone', {}, { reason: 'clean-exit' });
    expect(all('reload')).toHaveLength(2);
    const messages = all('message').map(([message]) => message);
    expect(messages).toEqual([
      'The window had stopped and was opened again.',
      'The window had stopped and was opened again.',
      'The window stopped several times in a minute.',
    ]);
    await expect.poll(() => all('reload')).toHaveLength(3);
  });

  it('tells the page what was given at the start, once it listens', async () => {
    await expect.poll(async () => (await client.settings()).grantedFolders, soon).toHaveLength(2);
    expect(filesTold()).toEqual([]);
    await window.ask('enlarger:listen');
    await expect
      .poll(() => filesTold().flat().toSorted(), soon)
      .toEqual([photo('argv'), photo('early')]);
  });

  it('takes the files of a second start, of dialogs and of drops', async () => {
    app.emit('second-instance', {}, [], '', handedOver(photo('second')));
    await expect.poll(() => filesTold().at(-1), soon).toEqual([photo('second')]);
    app.emit('second-instance', {}, [], '', 'not ours');
    dialog.chosen = [photo('dialog')];
    expect(await window.ask('enlarger:chooseFiles')).toMatchObject([{ name: 'photo.jpg' }]);
    expect(await window.ask('enlarger:grantFiles', [photo('dropped')])).toMatchObject([
      { imageUrl: pathToFileURL(photo('dropped')).href },
    ]);
    dialog.chosen = [dir];
    expect(await window.ask('enlarger:chooseFolder')).toBe(dir);
    expect((await client.settings()).grantedFolders).toContain(dir);
    expect(all('recent').flat()).toContain(photo('second'));
  });

  it('works on while its window is closed, says when it is done, and shows the result', async () => {
    await client.switchQueue('pause');
    const saveTo = path.join(dir, 'dialog');
    const taskId = await submit(pathToFileURL(photo('dropped')).href, { saveTo });
    await expect.poll(() => all('badge').at(-1), soon).toEqual([1]);
    window.close();
    expect([window.isShown, window.isDestroyed()]).toEqual([false, false]);
    await client.switchQueue('resume');
    await expect
      .poll(() => all('notification'), { timeout: 120_000 })
      .toContainEqual(['Photos are ready', '1 photo finished']);
    expect(all('awake')).toEqual([[true], [false]]);
    expect(all('progress').at(-1)).toEqual([-1, { mode: 'normal' }]);
    await window.ask('enlarger:showInFolder', taskId);
    expect(String(all('show-in-folder').flat())).toContain(saveTo);
    await window.ask('enlarger:prepareDrag', [taskId]);
    await window.ask('enlarger:startDrag', [taskId]);
    expect(all('drag').flat()).toMatchObject([{ files: [expect.stringContaining(saveTo)] }]);
    await window.ask('enlarger:showFolder', saveTo);
    await expect(window.ask('enlarger:showFolder', '/etc')).rejects.toThrow('granted');
    expect(all('open')).toHaveLength(1);
  }, 180_000);

  it('ends with its last window: the service after it, and then the process', async () => {
    const { origin } = window.webContents.mainFrame;
    expect(all('exit')).toEqual([]);
    window.close();
    await expect.poll(() => all('exit'), soon).toHaveLength(1);
    expect(window.isDestroyed()).toBe(true);
    await expect(fetch(`${origin}/api/health`)).rejects.toThrow();
    expect(all('tray-gone')).toHaveLength(1);
  });
});
