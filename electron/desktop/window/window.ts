/** The window over the service's page, what it may not do, and what happens when its page stops. */
import {
  app,
  BrowserWindow,
  dialog,
  nativeTheme,
  shell,
  type Session,
  type WebContents,
} from 'electron';
import { afterCrash, isUnder, mayHave, mayOpenOutside } from './rules.ts';
import type { Text } from '../text.ts';

export interface WindowOptions {
  /** Of the service as it is now. */
  url(): string;
  preloadPath: string;
  iconPath: string;
  isHidden: boolean;
  text: Text;
}

/** The page is on its way when this returns; the window shows itself with the first paint. */
export function openWindow(options: WindowOptions): BrowserWindow {
  const window = new BrowserWindow({
    name: 'main',
    // Kept by Electron from one start to the next, and checked against the displays that are there.
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
  recover(window, options.text);
  followTheme(window);
  if (!options.isHidden) window.once('ready-to-show', () => window.show());
  void loadPage(window, () => options.url());
  return window;
}

/** Tries again while the service is away, there where it is by then. */
export async function loadPage(window: BrowserWindow, url: () => string): Promise<void> {
  while (!window.isDestroyed()) {
    try {
      await window.loadURL(url());
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

/** Before anything shows of the page; the same greys as its own. */
function backgroundNow(): string {
  return nativeTheme.shouldUseDarkColors ? '#161616' : '#ececec';
}

function followTheme(window: BrowserWindow): void {
  const follow = () => window.setBackgroundColor(backgroundNow());
  nativeTheme.on('updated', follow);
  window.once('closed', () => nativeTheme.off('updated', follow));
}

/** The window stays on the service's page. Links that are known open in the person's browser, others nowhere. */
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

/** Beside the page's own policy: nothing but the service is ever asked for anything. */
function lockNetwork(session: Session, origin: () => string): void {
  const urls = ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*'];
  session.webRequest.onBeforeRequest({ urls }, ({ url }, answer) =>
    answer({ cancel: !isUnder(url, origin()) }),
  );
}

/** The queue is not in the page: a page that stops is opened anew and loses nothing of it. */
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
