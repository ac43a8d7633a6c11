/** The one window: opened, hidden, shown and reopened; sends events to its page. */
import { app, type BrowserWindow } from 'electron';
import type { BridgeEvents, PickedFile } from '../../../packages/contract/src/bridge.ts';
import { createAnswers, type AnswerDeps } from './answers.ts';
import { serveBridge, sendToPage } from './bridge.ts';
import { hidesOnClose } from './rules.ts';
import { loadPage, openWindow, type WindowOptions } from './window.ts';

export interface MainWindow {
  /** Opens the window if there is none. */
  open(): BrowserWindow;
  /** Opens the window if there is none, and brings it to the front. */
  show(): BrowserWindow;
  /** Undefined if it is closed. */
  now(): BrowserWindow | undefined;
  /** Reloads the page from its new URL. */
  move(): void;
  /** Sends files to the page, queued until it listens. */
  give(files: PickedFile[]): void;
  send<Event extends keyof BridgeEvents>(event: Event, value: BridgeEvents[Event]): void;
}

interface MainWindowOptions {
  window: WindowOptions;
  answers: Omit<AnswerDeps, 'window' | 'onListening'>;
  goesOnAlone(): boolean;
  staysInTray(): boolean;
  /** Whether the page has to say that closing hides the window, before it does. */
  mustExplainHiding(): boolean;
  onHidingExplained(): void;
  onHidden(): void;
}

export function createMainWindow(options: MainWindowOptions): MainWindow {
  const waiting: PickedFile[] = [];
  let window: BrowserWindow | undefined;
  let isListening = false;
  let isQuitting = false;
  app.on('before-quit', () => (isQuitting = true));

  const giveWaiting = () => {
    const files = waiting.splice(0);
    if (files.length > 0 && window !== undefined) sendToPage(window, 'files', files);
  };
  const open = () => {
    if (window !== undefined) return window;
    const opened = openWindow(options.window);
    const onListening = () => {
      isListening = true;
      giveWaiting();
    };
    const answers = createAnswers({ ...options.answers, window: opened, onListening });
    serveBridge({ window: opened, origin: () => new URL(options.window.url()).origin, answers });
    opened.webContents.on('did-navigate', () => (isListening = false));
    opened.on('close', (event) => {
      const [goesOnAlone, staysInTray] = [options.goesOnAlone(), options.staysInTray()];
      if (!hidesOnClose({ isQuitting, goesOnAlone, staysInTray })) return;
      event.preventDefault();
      if (options.mustExplainHiding()) {
        sendToPage(opened, 'notice', 'hides');
        options.onHidingExplained();
        return;
      }
      opened.hide();
      options.onHidden();
    });
    // A quit that was cancelled.
    opened.on('show', () => (isQuitting = false));
    opened.once('closed', () => {
      window = undefined;
      isListening = false;
    });
    window = opened;
    return opened;
  };
  return {
    open,
    now: () => window,
    show() {
      isQuitting = false;
      const shown = open();
      if (shown.isMinimized()) shown.restore();
      shown.show();
      shown.focus();
      return shown;
    },
    move() {
      if (window !== undefined) void loadPage(window, () => options.window.url());
    },
    give(files) {
      waiting.push(...files);
      if (isListening) giveWaiting();
    },
    send(event, value) {
      if (window !== undefined) sendToPage(window, event, value);
    },
  };
}
