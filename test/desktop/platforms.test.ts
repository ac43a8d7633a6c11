/**
 * The whole shell on the ways of macOS and Windows: start, files, batch, tray, notification, second instance,
 * update and end, over a double of the service and of Electron's module. Linux: test/shell/.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Client } from '../../packages/api-client/src/client.ts';
import type { PowerAndActivity } from '../../packages/contract/src/settings/settings.ts';
import type { TaskChange } from '../../packages/contract/src/task.ts';
import type { Updater } from '../../electron/desktop/updates/updates.ts';
import {
  app,
  asked,
  BrowserWindow,
  handedOver,
  nativeTheme,
  Notification,
  powerMonitor,
  Tray,
} from '../support/electron.ts';
import { writeSmallJpeg } from '../support/pictures.ts';
import { root } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

vi.mock('electron', () => import('../support/electron.ts'));
const soon = { timeout: 15_000 };
const real = process.platform;
const all = (name: string) =>
  asked.filter(([asking]) => asking === name).map(([, ...given]) => given);
const setPlatform = (value: NodeJS.Platform) =>
  Object.defineProperty(process, 'platform', { value });

/** A service whose queue the test turns. */
function playService() {
  const counts = { PENDING: 0, PROCESSING: 0, FINISHED: 0, FAILED: 0, CANCELLED: 0 };
  const granted: string[] = [];
  const surroundings: PowerAndActivity[] = [];
  let tell: (change: TaskChange) => void = () => undefined;
  const client = {
    watches: () => Promise.resolve([]),
    reportPowerAndActivity: (body: PowerAndActivity) => Promise.resolve(surroundings.push(body)),
    settings: () => Promise.resolve({ grantedFolders: granted }),
    grant: (folders: string[]) => {
      granted.push(...folders);
      return Promise.resolve({});
    },
    events: (signal: AbortSignal) => {
      const body = new ReadableStream<Uint8Array>({
        start(stream) {
          const send = (text: string) => stream.enqueue(new TextEncoder().encode(text));
          tell = (change) => {
            send(`data: ${JSON.stringify(change)}\n\n`);
            send(`event: queue\ndata: ${JSON.stringify({ counts, paused: false })}\n\n`);
          };
          signal.addEventListener('abort', () => stream.close());
        },
      });
      return Promise.resolve(new Response(body));
    },
  } as unknown as Client;
  const change = (status: TaskChange['status'], waiting: number, running: number) => {
    Object.assign(counts, { PENDING: waiting, PROCESSING: running });
    tell({ taskId: 'one', status, progress: 50 });
  };
  return { client, change, granted, surroundings };
}

async function start(platform: NodeJS.Platform, preferences: object = {}) {
  setPlatform(platform);
  asked.length = 0;
  app.removeAllListeners();
  const dir = temporaryFolder();
  app.folder = dir;
  await mkdir(app.getPath('userData'));
  await writeFile(
    path.join(app.getPath('userData'), 'preferences.json'),
    JSON.stringify(preferences),
  );
  await writeSmallJpeg(path.join(dir, 'photo.jpg'));
  const { Application } = await import('../../electron/desktop/application.ts');
  const { endInOrder } = await import('../../electron/desktop/start/run-application.ts');
  const { collectPaths } = await import('../../electron/desktop/start/incoming.ts');
  const service = playService();
  const ended: string[] = [];
  const url = 'http://127.0.0.1:8617';
  const link = {
    url,
    isOwn: true,
    client: service.client,
    sessionKey: () => Promise.resolve('key'),
    close: () => Promise.resolve(),
  };
  const updater: Updater = {
    autoRunAppAfterInstall: true,
    once: () => undefined,
    channel: null,
    allowPrerelease: true,
    allowDowngrade: true,
    autoDownload: true,
    autoInstallOnAppQuit: true,
    checkForUpdates: () =>
      Promise.resolve({ isUpdateAvailable: true, updateInfo: { version: '9.0.0' } }),
    downloadUpdate: () => Promise.resolve(ended.push('downloaded')),
    quitAndInstall: (_isSilent, startsAgain) => {
      ended.push(`installs, starts again: ${startsAgain}`);
      // As electron-updater does when its installer is on its way.
      app.quit();
    },
  };
  const application = new Application({
    holder: {
      dataDir: '',
      link: () => link,
      findAgain: () => Promise.resolve(),
      close: () => Promise.resolve(void ended.push('service')),
    },
    parts: {
      enginePath: '',
      commandPath: '',
      modelsDir: '',
      pageDir: '',
      version: '1.0.0',
      nodePath: '',
      preloadPath: path.join(root, 'out/preload/preload.cjs'),
      iconPath: 'icon.png',
      trayDir: 'tray',
    },
    isHidden: false,
    loadUpdater: () => Promise.resolve(updater),
  });
  const onPaths = collectPaths([]);
  endInOrder(application);
  application.window.open();
  onPaths((paths) => application.openPaths(paths));
  app.on('activate', () => application.window.show());
  const [window] = [...BrowserWindow.all] as [BrowserWindow];
  return { application, window, service, ended, updater, photo: path.join(dir, 'photo.jpg') };
}

describe.each(['win32', 'darwin'] as const)('the shell on %s', (platform) => {
  afterEach(() => {
    BrowserWindow.all.clear();
    app.removeAllListeners();
    setPlatform(real);
  });

  it('takes files as the system brings them, and grants them', async () => {
    const { window, service, photo } = await start(platform);
    await window.ask('enlarger:listen');
    if (platform === 'darwin') {
      let isTaken = false;
      app.emit('open-file', { preventDefault: () => (isTaken = true) }, photo);
      expect(isTaken).toBe(true);
    } else app.emit('second-instance', {}, [], '', handedOver(photo));
    await expect
      .poll(() => window.webContents.sent.map(([channel]) => channel), soon)
      .toContain('enlarger:on-files');
    expect(service.granted).toEqual([path.dirname(photo)]);
    await window.ask('enlarger:grantFiles', [photo]);
    expect(all('recent').flat()).toContain(photo);
  });

  it('begins in the theme that the page last had', async () => {
    await start(platform, { theme: 'light' });
    expect(nativeTheme.themeSource).toBe('light');
  });

  it('shows its tray and menu in the shape of the system', async () => {
    await start(platform);
    const isMac = platform === 'darwin';
    expect(all('picture').flat()).toContain(
      path.join('tray', isMac ? 'trayTemplate.png' : 'tray.png'),
    );
    const [menu] = all('menu').at(-1) as [{ role?: string; label?: string }[]];
    expect(menu[0]?.role === 'appMenu').toBe(isMac);
  });

  it('begins as one program, in its sandbox, known by the name of its shortcut', async () => {
    setPlatform(platform);
    asked.length = 0;
    app.isFirst = false;
    onTestFinished(() => void (app.isFirst = true));
    vi.resetModules();
    await import('../../electron/main.ts');
    expect(all('app-id')).toEqual([['app.enlarger.desktop']]);
    expect(all('sandbox')).toHaveLength(1);
    // A portable program has no shortcut, and Windows knows it by a GUID alone.
    const guid = expect.stringMatching(/^\{[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\}$/) as string;
    expect(all('toast-activator')).toEqual(platform === 'win32' ? [[guid]] : []);
    expect(all('crash-reporter')).toEqual([[{ uploadToServer: false }]]);
    // On a Mac the usual folder of a window is the service's own.
    expect(all('path').map(([name]) => name)).toEqual(platform === 'darwin' ? ['userData'] : []);
    expect(all('lock')).toMatchObject([[{ paths: expect.any(String) as string }]]);
    // Another instance runs: it has been given the files, and this one is gone before there is a window.
    expect(all('exit')).toHaveLength(1);
    expect(BrowserWindow.all.size).toBe(0);
  });

  it('is brought back and ended from its tray, its notification and a second start', async () => {
    const { window, service, application } = await start(platform);
    service.change('PROCESSING', 1, 1);
    await expect.poll(() => all('badge').at(-1), soon).toEqual([2]);
    const entry = (label: string) => {
      const [menu] = all('tray-menu').at(-1) as [{ label?: string; click?: () => void }[]];
      const found = menu.find((item) => item.label === label);
      if (found?.click === undefined) throw new Error(`The tray has no ${label}.`);
      return found.click;
    };
    const hide = () => {
      window.close();
      expect([window.isShown, window.isDestroyed()]).toEqual([false, false]);
    };
    hide();
    expect(all('notification').at(-1)?.[1]).toContain('goes on working');
    Notification.last?.emit('click');
    expect(window.isShown).toBe(true);
    hide();
    entry('Show Enlarger')();
    expect(window.isShown).toBe(true);
    hide();
    // On a Mac a click opens the menu by itself; GNOME may tell of none.
    Tray.last?.emit('click');
    expect(window.isShown).toBe(platform !== 'darwin');
    if (window.isShown) hide();
    // Without an indicator nobody can click: a second start without files shows it.
    app.emit('second-instance', {}, [], '', handedOver());
    expect(window.isShown).toBe(true);
    entry('Quit Enlarger')();
    await expect.poll(() => all('exit'), soon).toHaveLength(1);
    expect([window.isDestroyed(), all('awake').at(-1)]).toEqual([true, [false]]);
    expect(application.window.now()).toBeUndefined();
  });

  it('says when the machine runs on its battery', async () => {
    onTestFinished(() => void (powerMonitor.isBattery = false));
    const { service } = await start(platform);
    powerMonitor.isBattery = true;
    powerMonitor.emit('on-battery');
    expect(service.surroundings.map(({ onBattery }) => onBattery)).toEqual([false, true]);
  });

  it('stays without a window on a Mac alone', async () => {
    const { window, application } = await start(platform);
    window.close();
    if (platform === 'darwin') {
      expect(all('exit')).toEqual([]);
      app.emit('activate', {});
      expect(BrowserWindow.all.size).toBe(1);
      app.quit();
    }
    await expect.poll(() => all('exit'), soon).toHaveLength(1);
    expect(application.window.now()).toBeUndefined();
  });

  it('works through a batch, tells its end, asks about updates once, and ends for the new version', async () => {
    const { window, service, ended, updater } = await start(platform);
    service.change('PROCESSING', 1, 1);
    await expect.poll(() => all('badge').at(-1), soon).toEqual([2]);
    expect(all('awake').at(-1)).toEqual([true]);
    expect(all('message')).toEqual([]);
    service.change('FINISHED', 0, 0);
    await expect
      .poll(() => all('notification'), soon)
      .toContainEqual(['Photos are ready', '1 photo finished']);
    // The person agrees to both: the stand-in's dialogs answer with their first button.
    await expect.poll(() => all('exit'), soon).toHaveLength(1);
    expect(all('message')).toEqual([
      ['May Enlarger look for updates?'],
      ['Enlarger 9.0.0 is ready.'],
    ]);
    expect(ended).toEqual(['downloaded', 'service', 'installs, starts again: true']);
    expect(updater).toMatchObject({ allowDowngrade: false, allowPrerelease: false });
    expect([window.isDestroyed(), all('tray-gone').length]).toEqual([true, 1]);
  });
});
