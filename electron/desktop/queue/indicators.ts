/** The queue outside the window: tray, taskbar, dock, notifications; prevents sleep. */
import { app, Menu, nativeImage, Notification, powerSaveBlocker, Tray } from 'electron';
import type { BrowserWindow } from 'electron';
import path from 'node:path';
import { buildTrayMenu, describeQueue, type MenuCalls, type MenuState } from '../menu.ts';
import { isWorking, progressOf, type QueueStatus } from './queue-state.ts';

interface IndicatorOptions {
  /** Folder of the tray icons. */
  picturesDir: string;
  window(): BrowserWindow | undefined;
  calls: MenuCalls;
}

export interface Indicators {
  show(state: MenuState): void;
  /** A click on the notification shows the window. */
  notify(title: string, body: string): void;
  close(): void;
}

export function createIndicators(options: IndicatorOptions): Indicators {
  const { picturesDir, calls } = options;
  const tray = new Tray(trayPicture(picturesDir));
  tray.setToolTip('Enlarger');
  // On macOS a click opens the menu.
  if (process.platform !== 'darwin') tray.on('click', () => calls.show());
  const stayAwake = createAwake();
  let shownLine = '';
  return {
    show(state) {
      const line = `${describeQueue(state.queue, state.text)} ${state.queue.paused}`;
      if (line !== shownLine) {
        tray.setToolTip(`Enlarger: ${describeQueue(state.queue, state.text)}`);
        tray.setContextMenu(Menu.buildFromTemplate(buildTrayMenu(state, calls)));
      }
      shownLine = line;
      stayAwake(isWorking(state.queue));
      app.setBadgeCount(state.queue.waiting + state.queue.running);
      showProgress(options.window(), state.queue);
    },
    notify(title, body) {
      if (!Notification.isSupported()) return;
      const notification = new Notification({ title, body });
      notification.on('click', () => calls.show());
      notification.show();
    },
    close() {
      stayAwake(false);
      tray.destroy();
    },
  };
}

/** macOS colours template images itself; larger ones for high-resolution displays lie beside them. */
function trayPicture(folder: string) {
  const name = process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png';
  return nativeImage.createFromPath(path.join(folder, name));
}

function showProgress(window: BrowserWindow | undefined, queue: QueueStatus): void {
  if (window === undefined || window.isDestroyed()) return;
  // Below 0: no progress bar.
  window.setProgressBar(progressOf(queue) ?? -1, { mode: queue.paused ? 'paused' : 'normal' });
}

/** Prevents automatic sleep of the machine; the display may turn off. */
function createAwake(): (isAwake: boolean) => void {
  let blocker: number | undefined;
  return (isAwake) => {
    if (isAwake) blocker ??= powerSaveBlocker.start('prevent-app-suspension');
    else if (blocker !== undefined) {
      powerSaveBlocker.stop(blocker);
      blocker = undefined;
    }
  };
}
