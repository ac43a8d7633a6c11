/** Menu templates per system, and the calls of their entries. */
import type { MenuItemConstructorOptions as Item } from 'electron';
import type { PageCommand } from '../../packages/contract/src/bridge.ts';
import { isBusy, progressOf, type QueueStatus } from './queue/queue-state.ts';
import type { Preferences } from './preferences.ts';
import type { Text } from './text.ts';
import { endingsOf, type Ending } from './queue/when-done.ts';

export interface MenuState {
  platform: NodeJS.Platform;
  text: Text;
  queue: QueueStatus;
  preferences: Preferences;
  ending: Ending;
  /** Offer the page's developer tools. */
  isDeveloping: boolean;
  /** This installation can check for updates. */
  canUpdate?: boolean;
  /** Whether this program is a beta, which takes further betas whatever was chosen. */
  isBeta?: boolean;
}

export interface MenuCalls {
  addFiles(): void;
  addFolder(): void;
  openFolder(folder: string): void;
  switchQueue(to: 'pause' | 'resume'): void;
  prefer(change: Partial<Preferences>): void;
  chooseEnding(ending: Ending): void;
  page(command: PageCommand): void;
  openDocs(): void;
  show(): void;
  quit(): void;
}

const separator: Item = { type: 'separator' };

export function buildMenu(state: MenuState, calls: MenuCalls): Item[] {
  const isMac = state.platform === 'darwin';
  return [
    ...(isMac ? [applicationMenu(state, calls)] : []),
    fileMenu(state, calls),
    editMenu(state, calls),
    viewMenu(state, calls),
    ...(isMac ? [{ role: 'windowMenu' } satisfies Item] : []),
    helpMenu(state, calls),
  ];
}

function pageItem(calls: MenuCalls, command: PageCommand, label: string): Item {
  return { label, click: () => calls.page(command) };
}

function settingsItem({ text }: MenuState, calls: MenuCalls): Item {
  return { ...pageItem(calls, 'settings', text.settings), accelerator: 'CmdOrCtrl+,' };
}

/** The page handles these keys itself, so the menu only shows them. macOS offers them to the page first. */
function startItem({ text }: MenuState, calls: MenuCalls): Item {
  const keys = { accelerator: 'CmdOrCtrl+Enter', registerAccelerator: false };
  return { ...pageItem(calls, 'start', text.start), ...keys };
}

function applicationMenu(state: MenuState, calls: MenuCalls): Item {
  return {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      separator,
      settingsItem(state, calls),
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' },
    ],
  };
}

function fileMenu(state: MenuState, calls: MenuCalls): Item {
  const { text, platform, preferences } = state;
  const check = (label: string, name: 'staysInTray' | 'notifies'): Item => ({
    label,
    type: 'checkbox',
    checked: preferences[name],
    click: ({ checked }) => calls.prefer({ [name]: checked }),
  });
  return {
    label: text.file,
    submenu: [
      { label: text.addFiles, accelerator: 'CmdOrCtrl+O', click: () => calls.addFiles() },
      { label: text.addFolder, accelerator: 'CmdOrCtrl+Shift+O', click: () => calls.addFolder() },
      recentFolders(state, calls),
      separator,
      startItem(state, calls),
      queueSwitch(state, calls),
      { label: text.whenDone, submenu: endingItems(state, calls) },
      separator,
      check(text.staysInTray, 'staysInTray'),
      check(text.notifies, 'notifies'),
      separator,
      { role: 'close', label: text.closeWindow },
      ...(platform === 'darwin' ? [] : [{ role: 'quit', label: text.quit } satisfies Item]),
    ],
  };
}

function recentFolders({ text, preferences }: MenuState, calls: MenuCalls): Item {
  const folders = preferences.recentFolders;
  return {
    label: text.recentFolders,
    enabled: folders.length > 0,
    submenu: [
      ...folders.map((folder): Item => ({
        // A single ampersand would underline the next letter.
        label: folder.replaceAll('&', '&&'),
        click: () => calls.openFolder(folder),
      })),
      separator,
      { label: text.clearRecent, click: () => calls.prefer({ recentFolders: [] }) },
    ],
  };
}

function queueSwitch({ text, queue }: MenuState, calls: MenuCalls): Item {
  return queue.paused
    ? { label: text.resume, click: () => calls.switchQueue('resume') }
    : { label: text.pause, click: () => calls.switchQueue('pause') };
}

function endingItems({ text, platform, ending }: MenuState, calls: MenuCalls): Item[] {
  return endingsOf(platform).map((one) => ({
    label: text.endings[one],
    type: 'radio',
    checked: one === ending,
    click: () => calls.chooseEnding(one),
  }));
}

function editMenu(state: MenuState, calls: MenuCalls): Item {
  const { text, platform } = state;
  return {
    label: text.edit,
    submenu: [
      { role: 'undo', label: text.undo },
      { role: 'redo', label: text.redo },
      separator,
      { role: 'cut', label: text.cut },
      { role: 'copy', label: text.copy },
      { role: 'paste', label: text.paste },
      { role: 'selectAll', label: text.selectAll },
      separator,
      pageItem(calls, 'removeSelected', text.removeSelected),
      pageItem(calls, 'undoRemoval', text.undoRemoval),
      pageItem(calls, 'retryFailed', text.retryFailed),
      pageItem(calls, 'removeFinished', text.removeFinished),
      ...(platform === 'darwin' ? [] : [separator, settingsItem(state, calls)]),
    ],
  };
}

function viewMenu({ text, isDeveloping }: MenuState, calls: MenuCalls): Item {
  return {
    label: text.view,
    submenu: [
      pageItem(calls, 'models', text.models),
      pageItem(calls, 'watch', text.watch),
      pageItem(calls, 'connect', text.connect),
      separator,
      ...zoomItems(text),
      separator,
      { role: 'togglefullscreen', label: text.fullScreen },
      ...(isDeveloping
        ? [
            separator,
            { role: 'reload', label: text.reload } satisfies Item,
            { role: 'toggleDevTools', label: text.devTools } satisfies Item,
          ]
        : []),
    ],
  };
}

/** Electron's own zoom-in is Ctrl with Plus only, which many keyboards have above the equals sign. */
function zoomItems(text: Text): Item[] {
  const zoomIn = { role: 'zoomIn', label: text.zoomIn } as const;
  const hidden = { visible: false, acceleratorWorksWhenHidden: true };
  return [
    { ...zoomIn, accelerator: 'CmdOrCtrl+Plus' },
    { ...zoomIn, ...hidden, accelerator: 'CmdOrCtrl+=' },
    { ...zoomIn, ...hidden, accelerator: 'CmdOrCtrl+numadd' },
    { role: 'zoomOut', label: text.zoomOut, accelerator: 'CmdOrCtrl+-' },
    { role: 'zoomOut', label: text.zoomOut, ...hidden, accelerator: 'CmdOrCtrl+numsub' },
    { role: 'resetZoom', label: text.resetZoom, accelerator: 'CmdOrCtrl+0' },
  ];
}

function updateItems(
  { text, preferences, canUpdate, isBeta }: MenuState,
  calls: MenuCalls,
): Item[] {
  if (canUpdate !== true) return [];
  return [
    separator,
    {
      label: text.updates,
      type: 'checkbox',
      checked: preferences.updates === 'on',
      click: ({ checked }) => calls.prefer({ updates: checked ? 'on' : 'off' }),
    },
    {
      label: text.betas,
      type: 'checkbox',
      checked: preferences.betas || isBeta === true,
      enabled: isBeta !== true,
      click: ({ checked }) => calls.prefer({ betas: checked }),
    },
  ];
}

function helpMenu(state: MenuState, calls: MenuCalls): Item {
  const { text, platform } = state;
  return {
    role: 'help',
    label: text.help,
    submenu: [
      pageItem(calls, 'shortcuts', text.shortcuts),
      { label: text.apiDocs, click: () => calls.openDocs() },
      ...updateItems(state, calls),
      ...(platform === 'darwin'
        ? []
        : [separator, { role: 'about', label: text.about } satisfies Item]),
    ],
  };
}

export function buildTrayMenu(state: MenuState, calls: MenuCalls): Item[] {
  const { text } = state;
  return [
    { label: describeQueue(state.queue, text), enabled: false },
    queueSwitch(state, calls),
    separator,
    { label: text.show, click: () => calls.show() },
    { label: text.quit, click: () => calls.quit() },
  ];
}

/** One line. */
export function describeQueue(queue: QueueStatus, text: Text): string {
  if (!isBusy(queue)) return queue.watching > 0 ? text.watching(queue.watching) : text.idle;
  const { waiting, running, paused, batch } = queue;
  if (paused && running === 0) return text.paused(waiting);
  const ended = batch.finished + batch.failed;
  const percent = Math.floor((progressOf(queue) ?? 0) * 100);
  return text.working(ended, ended + waiting + running, percent);
}
