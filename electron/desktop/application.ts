/** The application's life: the service before the window, and after it. */
import { app, dialog, type BrowserWindow } from 'electron';
import envPaths from 'env-paths';
import type { Log } from '../contract/log.ts';
import { startService, type Service } from '../service/service.ts';
import { serveBridge } from './bridge.ts';
import { findDesktopInstallation } from './installation.ts';
import { openWindow } from './window.ts';

/** Call once, in the instance that holds the lock. */
export async function runApplication(programUrl: string): Promise<void> {
  await app.whenReady();
  const { preloadPath, ...parts } = findDesktopInstallation(programUrl);
  const service = await startService({
    ...parts,
    dataDir: envPaths('enlarger', { suffix: '' }).data,
    log,
  });
  let window = open(service, preloadPath);
  app.on('second-instance', () => raise(window));
  // The dock's icon on macOS, where the application outlives its window.
  app.on('activate', () => {
    if (window.isDestroyed()) window = open(service, preloadPath);
  });
  closeServiceBeforeQuit(service);
}

function open(service: Service, preloadPath: string): BrowserWindow {
  const window = openWindow({ url: service.url, preloadPath });
  const shut = serveBridge({
    window,
    origin: new URL(service.url).origin,
    sessionKey: service.sessionKey,
  });
  window.once('closed', shut);
  return window;
}

function raise(window: BrowserWindow): void {
  if (window.isDestroyed()) return;
  if (window.isMinimized()) window.restore();
  window.focus();
}

/** Tasks that run go back to the queue, and the engine ends, before the process does. */
function closeServiceBeforeQuit(service: Service): void {
  let isClosed = false;
  app.on('before-quit', (event) => {
    if (isClosed) return;
    event.preventDefault();
    void service.close().finally(() => {
      isClosed = true;
      app.quit();
    });
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
}

/** What kept the application from starting, to the person; then it ends. */
export function reportFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  dialog.showErrorBox('Enlarger could not start', message);
  app.exit(1);
}

const log: Log = (level, message, fields) => {
  process.stderr.write(`${JSON.stringify({ level, message, ...fields })}\n`);
};
