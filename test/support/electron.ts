/**
 * A double of the module `electron` for what only macOS and Windows do: as much of it as they call, noting what
 * is asked of it. What Electron does on every system is tested with the real one (test/shell/).
 */
import type * as Electron from 'electron';
import { EventEmitter } from 'node:events';
import path from 'node:path';
import { root } from './program.ts';

type Handler = (event: object, ...given: unknown[]) => Promise<unknown>;

/** What was asked of the system, by name. */
export const asked: [name: string, ...given: unknown[]][] = [];
const note =
  (name: string) =>
  (...given: unknown[]) =>
    void asked.push([name, ...given]);

class App extends EventEmitter {
  isPackaged = false;
  /** Where getPath leads to. */
  folder = '';
  readonly whenReady = () => Promise.resolve();
  readonly getAppPath = () => root;
  readonly getPath = (name: string) => path.join(this.folder, name);
  readonly getPreferredSystemLanguages = () => ['en-GB'];
  readonly setBadgeCount = note('badge');
  readonly addRecentDocument = note('recent');
  readonly exit = note('exit');
  /** Whether no other instance runs. */
  isFirst = true;
  readonly requestSingleInstanceLock = (handed: object): boolean => {
    note('lock')(handed);
    return this.isFirst;
  };
  readonly setAppUserModelId = note('app-id');
  readonly setToastActivatorCLSID = note('toast-activator');
  readonly enableSandbox = note('sandbox');
  readonly commandLine = { hasSwitch: () => false };
  readonly setPath = note('path');
  /** In the order of Electron: windows close, then will-quit, then the end. */
  readonly quit = (): void => {
    this.emit('before-quit', {});
    for (const window of BrowserWindow.all) window.close();
    const event = preventable();
    this.emit('will-quit', event);
    if (!event.isPrevented) this.exit();
  };
}

function preventable() {
  const event = {
    isPrevented: false,
    preventDefault: () => void (event.isPrevented = true),
  };
  return event;
}

export const app = new App();

class WebContents extends EventEmitter {
  readonly handlers = new Map<string, Handler>();
  readonly ipc = { handle: (name: string, handler: Handler) => this.handlers.set(name, handler) };
  readonly mainFrame = { origin: '' };
  readonly sent: [channel: string, value: unknown][] = [];
  readonly send = (channel: string, value: unknown) => void this.sent.push([channel, value]);
  readonly getURL = () => `${this.mainFrame.origin}/`;
  readonly setWindowOpenHandler = note('window-open-handler');
  readonly session = Object.assign(new EventEmitter(), {
    setPermissionRequestHandler: note('permission-request-handler'),
    setPermissionCheckHandler: note('permission-check-handler'),
    setDevicePermissionHandler: note('device-permission-handler'),
    webRequest: { onBeforeRequest: note('request-handler') },
  });
}

export class BrowserWindow extends EventEmitter {
  static readonly all = new Set<BrowserWindow>();
  readonly webContents = new WebContents();
  readonly options: Record<string, unknown>;
  isShown = false;
  #isDestroyed = false;

  constructor(options: Record<string, unknown>) {
    super();
    this.options = options;
    BrowserWindow.all.add(this);
  }

  /** What the page does: it calls the application. */
  readonly ask = (channel: string, ...given: unknown[]): Promise<unknown> => {
    const handler = this.webContents.handlers.get(channel);
    if (handler === undefined) throw new Error(`Nothing handles ${channel}.`);
    return handler({ senderFrame: this.webContents.mainFrame }, ...given);
  };
  readonly loadURL = (url: string): Promise<void> => {
    this.webContents.mainFrame.origin = new URL(url).origin;
    this.webContents.emit('did-navigate');
    this.emit('ready-to-show');
    return Promise.resolve();
  };
  readonly show = () => {
    this.isShown = true;
    this.emit('show');
  };
  readonly hide = () => void (this.isShown = false);
  readonly focus = () => undefined;
  readonly isFocused = () => false;
  readonly isMinimized = () => false;
  readonly isDestroyed = () => this.#isDestroyed;
  readonly setBackgroundColor = note('background');
  readonly setProgressBar = note('progress');
  readonly close = () => {
    const event = preventable();
    this.emit('close', event);
    if (event.isPrevented) return;
    this.#isDestroyed = true;
    BrowserWindow.all.delete(this);
    this.emit('closed');
    if (BrowserWindow.all.size === 0) app.emit('window-all-closed');
  };
}

export const powerMonitor = Object.assign(new EventEmitter(), {
  isBattery: false,
  idleSeconds: 0,
  isOnBatteryPower: (): boolean => powerMonitor.isBattery,
  getSystemIdleTime: (): number => powerMonitor.idleSeconds,
});

export class Tray extends EventEmitter {
  /** The last one, for who clicks on it. */
  static last: Tray | undefined;
  constructor() {
    super();
    Tray.last = this;
  }
  readonly setToolTip = note('tray-line');
  readonly setContextMenu = note('tray-menu');
  readonly destroy = note('tray-gone');
}

export class Notification extends EventEmitter {
  static readonly isSupported = () => true;
  /** The last one, for who clicks on it. */
  static last: Notification | undefined;
  readonly #told: { title: string; body: string };
  constructor(told: { title: string; body: string }) {
    super();
    this.#told = told;
    Notification.last = this;
  }
  readonly show = () => note('notification')(this.#told.title, this.#told.body);
}

export const Menu = {
  buildFromTemplate: (template: unknown) => template,
  setApplicationMenu: note('menu'),
};
export const nativeImage = {
  createFromPath: (file?: string) => {
    note('picture')(file);
    return { isEmpty: () => false };
  },
};
export const nativeTheme = Object.assign(new EventEmitter(), {
  shouldUseDarkColors: true,
  themeSource: 'system',
});
export const powerSaveBlocker = {
  start: () => {
    note('awake')(true);
    return 1;
  },
  stop: () => note('awake')(false),
};
export const dialog = {
  showMessageBox: (_window: unknown, box: { message: string }) => {
    note('message')(box.message);
    return Promise.resolve({ response: 0 });
  },
  showErrorBox: note('error'),
};
export const crashReporter = { start: note('crash-reporter') };
/** What a second start hands to the first. */
export const handedOver = (...paths: string[]) => ({
  paths: encodeURIComponent(JSON.stringify(paths)),
});

/**
 * A name that the stand-in has and Electron has not does not compile here, so that nothing is tested which
 * Electron cannot do. What only tests use is named.
 */
type Unknown<Double, Real, TestsOnly = never> = Exclude<keyof Double, keyof Real | TestsOnly>;
type NothingUnknown<Names extends never> = Names;
export type Checked = [
  NothingUnknown<Unknown<typeof app, typeof Electron.app, 'folder' | 'isFirst'>>,
  NothingUnknown<Unknown<BrowserWindow, Electron.BrowserWindow, 'ask' | 'isShown' | 'options'>>,
  NothingUnknown<Unknown<WebContents, Electron.WebContents, 'handlers' | 'sent'>>,
  NothingUnknown<Unknown<WebContents['session'], Electron.Session>>,
  NothingUnknown<Unknown<Tray, Electron.Tray>>,
  NothingUnknown<Unknown<Notification, Electron.Notification>>,
  NothingUnknown<Unknown<typeof Menu, typeof Electron.Menu>>,
  NothingUnknown<Unknown<typeof nativeImage, typeof Electron.nativeImage>>,
  NothingUnknown<Unknown<typeof nativeTheme, typeof Electron.nativeTheme>>,
  NothingUnknown<Unknown<typeof powerSaveBlocker, typeof Electron.powerSaveBlocker>>,
  NothingUnknown<Unknown<typeof dialog, typeof Electron.dialog>>,
  NothingUnknown<Unknown<typeof crashReporter, typeof Electron.crashReporter>>,
];
