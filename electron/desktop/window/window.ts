/** Opens the window on the service's page, restricts it, and recovers from crashes. */
import {
  app,
  BrowserWindow,
  dialog,
  nativeTheme,
  shell,
  type Session,
  type WebContents,
} from 'electron';
import path from 'node:path';
import { afterCrash, isUnder, mayHave, mayOpenOutside } from './rules.ts';
import type { Text } from '../text.ts';

export interface WindowOptions {
  /** URL of the present service. */
  url(): string;
  preloadPath: string;
  iconPath: string;
  isHidden: boolean;
  text: Text;
}

/** The page is still loading when this returns; the window appears with the first paint. */
export function openWindow(options: WindowOptions): BrowserWindow {
  const window = new BrowserWindow({
    name: 'main',
    // Electron stores the window's position, and checks it against the present displays.
    windowStatePersistence: true,
    width: 1440,
    height: 900,
    minWidth: 1024,
    minHeight: 640,
    show: false,
    title: 'Enlarger',
    icon: options.iconPath,
    backgroundColor: backgroundNow(),
    webPreferences: {
      preload: options.preloadPath,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
      navigateOnDragDrop: false,
    },
  });
  const { session } = window.webContents;
  const origin = () => new URL(options.url()).origin;
  lockNavigation(window.webContents, origin);
  lockPermissions(session, origin);
  lockNetwork(session, origin);
  directDownloads(session, origin);
  recover(window, options.text);
  followTheme(window);
  if (!options.isHidden) window.once('ready-to-show', () => window.show());
  void loadPage(window, () => options.url());
  return window;
}

/**
 * Number of the latest load per window: a later load aborts an earlier one, which rejects and must not retry.
 */
const generations = new WeakMap<BrowserWindow, number>();

/** Retries while the service is away, each time at its present URL. */
export async function loadPage(window: BrowserWindow, url: () => string): Promise<void> {
  const generation = (generations.get(window) ?? 0) + 1;
  generations.set(window, generation);
  while (!window.isDestroyed() && generations.get(window) === generation) {
    try {
      await window.loadURL(url());
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

/** Background before the first paint; the page's own greys. */
function backgroundNow(): string {
  return nativeTheme.shouldUseDarkColors ? '#161616' : '#ececec';
}

function followTheme(window: BrowserWindow): void {
  const follow = () => window.setBackgroundColor(backgroundNow());
  nativeTheme.on('updated', follow);
  window.once('closed', () => nativeTheme.off('updated', follow));
}

/** Keeps the window on the service's page. Known links open in the person's browser, others are blocked. */
function lockNavigation(contents: WebContents, origin: () => string): void {
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || !isUnder(event.url, origin())) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!isUnder(event.url, origin())) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (mayOpenOutside(url, origin())) void shell.openExternal(url);
    return { action: 'deny' };
  });
}

function lockPermissions(session: Session, origin: () => string): void {
  session.setPermissionRequestHandler((contents, permission, answer) =>
    answer(mayHave(permission, contents.getURL(), origin())),
  );
  session.setPermissionCheckHandler((_contents, permission, asking) =>
    mayHave(permission, asking, origin()),
  );
  session.setDevicePermissionHandler(() => false);
}

/** Cancels every request that does not go to the service, like the page's own policy. */
function lockNetwork(session: Session, origin: () => string): void {
  const urls = ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*'];
  session.webRequest.onBeforeRequest({ urls }, ({ url }, answer) =>
    answer({ cancel: !isUnder(url, origin()) }),
  );
}

/** Asks where to save downloads, starting in the downloads folder. */
function directDownloads(session: Session, origin: () => string): void {
  // The session outlives the window; a second handler would ask twice.
  session.removeAllListeners('will-download');
  session.on('will-download', (event, item) => {
    const url = item.getURL();
    // blob: URLs are pictures that the page has drawn.
    if (!isUnder(url.replace(/^blob:/, ''), origin())) event.preventDefault();
    else
      item.setSaveDialogOptions({
        defaultPath: path.join(app.getPath('downloads'), item.getFilename()),
      });
  });
}

/** Reloads a crashed page. The queue is not in the page, so nothing is lost. */
function recover(window: BrowserWindow, text: Text): void {
  const crashesMs: number[] = [];
  const ask = async (message: string, actions: string[]) =>
    (await dialog.showMessageBox(window, { message, detail: text.queueGoesOn, buttons: actions }))
      .response;

  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    crashesMs.push(Date.now());
    const isCalm = afterCrash(crashesMs, Date.now()) === 'reload';
    if (isCalm) window.reload();
    const shown = isCalm
      ? ask(text.crashed, ['OK'])
      : ask(text.crashedAgain, [text.reload, text.quit]);
    void shown.then((chosen) => {
      if (isCalm) return;
      if (chosen === 0) window.reload();
      else app.quit();
    });
  });
  window.on('unresponsive', () => {
    void ask(text.unresponsive, [text.wait, text.reload]).then((chosen) => {
      if (chosen === 1) window.webContents.forcefullyCrashRenderer();
    });
  });
}
