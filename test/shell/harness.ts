/** What the tests of the window share: Electron and a display, or the reason why there is none. */
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { patient } from '../support/machine-pace.ts';
import { createClient } from '../support/service.ts';
import { findDisplay, type Display } from './display.ts';
import { findElectron, type TestElectron } from './prepare-electron.ts';
import { reasonNotToRun, type Harness, type Shell } from './shell.ts';

interface Found {
  harness: Harness;
  display: Display;
}

async function find(): Promise<Found | string> {
  const electron: TestElectron | string = await findElectron();
  if (typeof electron === 'string') return electron;
  const reason = reasonNotToRun(electron);
  if (reason !== undefined) return reason;
  const display = await findDisplay();
  if (typeof display === 'string') return display;
  return { harness: { electron, display: display.name }, display };
}

const found = await find();
/** The empty string where the tests run. */
export const skipped = typeof found === 'string' ? found : '';
/** For the title of a group of tests. */
export const title =
  typeof found === 'string'
    ? `Electron (skipped: ${found})`
    : `Electron ${found.harness.electron.version}`;

export function theHarness(): Harness {
  if (typeof found === 'string') throw new Error(found);
  return found.harness;
}

afterAll(() => {
  if (typeof found !== 'string') found.display.close();
});

export const soon = { timeout: patient(60_000) };
/** The first task of a machine waits for the network's measures, which take long on a busy one. */
export const worked = { timeout: patient(100_000) };

export const isVisible = (shell: Shell) => shell.inMain<boolean>(`${theWindow}.isVisible()`);

export const theWindow = 'electron.BrowserWindow.getAllWindows()[0]';
/** Doubles of what a test cannot see or may not do: they note what was asked, and choose in dialogs. */
export const doubles = `(() => {
  globalThis.noted = [];
  globalThis.chosen = [];
  globalThis.response = 1;
  const note = (...what) => void globalThis.noted.push(what);
  // Somebody who works elsewhere would have the engine at its lowest priority.
  electron.powerMonitor.getSystemIdleTime = () => 3600;
  electron.app.setBadgeCount = (count) => { note('badge', count); return true; };
  const { app, shell } = electron;
  const { getFileIcon } = app;
  app.getFileIcon = (file) => { note('icon', file); return getFileIcon.call(app, file); };
  shell.openExternal = async (url) => note('external', url);
  shell.showItemInFolder = (file) => note('show', file);
  shell.openPath = async (file) => { note('open', file); return ''; };
  ${theWindow}.webContents.startDrag = (item) => note('drag', ...item.files);
  ${theWindow}.setProgressBar = (share) => note('progress', share);
  const { powerSaveBlocker } = electron;
  powerSaveBlocker.start = () => { note('awake', true); return 0; };
  powerSaveBlocker.stop = () => note('awake', false);
  electron.dialog.showOpenDialog = async () => ({ filePaths: globalThis.chosen });
  electron.dialog.showMessageBox = async (_window, box) => { note('message', box.message); return { response: globalThis.response }; };
})()`;
export const noted = (shell: Shell) => shell.inMain<[string, ...unknown[]][]>('globalThis.noted');

/** Clicks on an entry of the application's menu. @param labels the menus that it lies in, and its own */
export const clickMenu = (...labels: string[]) => `(() => {
  const entries = (menu) => menu.items.flatMap((item) => [item, ...(item.submenu ? entries(item.submenu) : [])]);
  let [item, menu] = [undefined, electron.Menu.getApplicationMenu()];
  for (const label of ${JSON.stringify(labels)}) {
    item = entries(menu).find((one) => one.label === label);
    if (item === undefined) throw new Error('The menu has no ' + label);
    menu = item.submenu;
  }
  item.click();
})()`;

/** A client of the service whose page this is. */
export async function connect(page: Page) {
  const key = await page.evaluate<string>('enlarger.sessionKey()');
  return createClient(new URL(page.url()).origin, key);
}

export const serviceFile = (dir: string) => path.join(dir, 'data/service.json');
