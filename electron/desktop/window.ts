/** The window over the service's page, and what it may not do. */
import { BrowserWindow, nativeTheme, shell, type Session, type WebContents } from 'electron';

export interface WindowOptions {
  url: string;
  preloadPath: string;
}

/** The page is on its way when this returns; the window shows itself with the first paint. */
export function openWindow({ url, preloadPath }: WindowOptions): BrowserWindow {
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    minWidth: 1024,
    minHeight: 640,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#161616' : '#ececec',
    webPreferences: {
      preload: preloadPath,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: false,
    },
  });
  const { origin } = new URL(url);
  lockNavigation(window.webContents, origin);
  lockPermissions(window.webContents.session, origin);
  window.once('ready-to-show', () => window.show());
  void window.loadURL(url);
  return window;
}

/** The window stays on the service's page. Its links to elsewhere open in the person's browser. */
function lockNavigation(contents: WebContents, origin: string): void {
  contents.on('will-navigate', (event) => {
    if (!isUnder(event.url, origin)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (isUnder(url, origin)) void shell.openExternal(url);
    return { action: 'deny' };
  });
}

/** The page copies to the clipboard and saves into folders that were chosen; it gets nothing else. */
const permitted: readonly string[] = ['clipboard-sanitized-write', 'fileSystem'];

function lockPermissions(session: Session, origin: string): void {
  session.setPermissionRequestHandler((contents, permission, answer) =>
    answer(isUnder(contents.getURL(), origin) && permitted.includes(permission)),
  );
  session.setPermissionCheckHandler(
    (_contents, permission, asking) => isUnder(asking, origin) && permitted.includes(permission),
  );
}

function isUnder(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin;
}
