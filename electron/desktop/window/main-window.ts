/** Keeps the one window: it is opened, hidden, shown and opened again, and its page is told what happened. */
import { app, type BrowserWindow } from 'electron';
import type { BridgeEvents, GivenFile } from '../../contract/bridge.ts';
import { createAnswers, type AnswerDeps } from './answers.ts';
import { serveBridge, tellPage } from './bridge.ts';
import { hidesOnClose } from './rules.ts';
import { loadPage, openWindow, type WindowOptions } from './window.ts';

export interface MainWindow {
  /** Answers the window, and opens it when there is none. */
  open(): BrowserWindow;
  /** Opens the window when there is none, and brings it to the front. */
  show(): BrowserWindow;
  /** Answers the window; undefined when it was closed. */
  now(): BrowserWindow | undefined;
  /** Loads the page again, which is at another address now. */
  move(): void;
  /** Gives files to the page; they are kept until the page listens. */
  give(files: GivenFile[]): void;
  tell<Event extends keyof BridgeEvents>(event: Event, value: BridgeEvents[Event]): void;
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
  const waiting: GivenFile[] = [];
  let window: BrowserWindow | undefined;
  let isListening = false;
  let isQuitting = false;
  app.on('before-quit', () => (isQuitting = true));

  const giveWaiting = () => {
    const files = waiting.splice(0);
    if (files.length > 0 && window !== undefined) tellPage(window, 'files', files);
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
        tellPage(opened, 'notice', 'hides');
        options.onHidingExplained();
        return;
      }
      opened.hide();
      options.onHidden();
    });
    // A quit that did not come to its end.
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
    tell(event, value) {
      if (window !== undefined) tellPage(window, event, value);
    },
  };
}
