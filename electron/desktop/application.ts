/** Connects service and person: window, menus, and the indicators of the queue outside the window. */
import { app, Menu, nativeTheme, Notification, powerMonitor, shell } from 'electron';
import os from 'node:os';
import path from 'node:path';
import type { Client } from '../../packages/api-client/src/client.ts';
import type { PickedFile, Theme } from '../../packages/contract/src/bridge.ts';
import { chooseFiles, chooseFolders } from './window/answers.ts';
import { askBeforeEnding, askConsent, askRestart } from './window/asking.ts';
import { listPickedFiles } from '../picked-files.ts';
import { createGranter } from '../granting.ts';
import { createIndicators, type Indicators } from './queue/indicators.ts';
import type { DesktopInstallation } from './start/installation.ts';
import { log } from './log.ts';
import { createMainWindow, type MainWindow } from './window/main-window.ts';
import { buildMenu, type MenuCalls, type MenuState } from './menu.ts';
import { openPreferences, withRecent, type PreferenceFile } from './preferences.ts';
import {
  idleQueue,
  goesOnAlone,
  isWorking,
  type BatchSummary,
  type QueueStatus,
} from './queue/queue-state.ts';
import { createResultFiles, type ResultFileAccess } from './files/result-files.ts';
import { runCommand } from './files/programs.ts';
import type { ServiceHolder } from './service/service-link.ts';
import {
  reportPowerAndActivity,
  type PowerAndActivityReporter,
} from './service/power-and-activity.ts';
import { textFor, type Text } from './text.ts';
import { isPrerelease, takesBetas } from './updates/decide.ts';
import { createUpdates, type Updater, type Updates } from './updates/updates.ts';
import { findSeenOutside } from './queue/seen-outside.ts';
import { watchQueue, type QueueWatch } from './queue/watch-queue.ts';
import { planSleep, type Ending } from './queue/when-done.ts';

const maxRecentDocuments = 20;

interface ApplicationOptions {
  holder: ServiceHolder;
  parts: DesktopInstallation;
  /** Start in the tray. */
  isHidden: boolean;
  /** Undefined if this installation cannot update itself. */
  loadUpdater?: (() => Promise<Updater>) | undefined;
}

export class Application {
  readonly window: MainWindow;
  readonly #holder: ServiceHolder;
  readonly #version: string;
  readonly #text: Text = textFor(app.getPreferredSystemLanguages());
  readonly #preferences: PreferenceFile;
  readonly #results: ResultFileAccess;
  readonly #grant: (paths: readonly string[]) => Promise<void>;
  readonly #indicators: Indicators;
  readonly #watch: QueueWatch;
  readonly #surroundings: PowerAndActivityReporter;
  readonly #updates: Updates | undefined;
  #isSeenOutside = false;
  #queue: QueueStatus = idleQueue;
  #ending: Ending = 'nothing';

  constructor({ holder, parts, isHidden, loadUpdater }: ApplicationOptions) {
    this.#holder = holder;
    this.#version = parts.version;
    this.#preferences = openPreferences(path.join(app.getPath('userData'), 'preferences.json'));
    this.#results = createResultFiles(this.#client);
    this.#grant = createGranter(this.#client, os.homedir());
    nativeTheme.themeSource = this.#preferences.get().theme;
    this.window = this.#createWindow(parts, isHidden);
    findSeenOutside(process.platform).then((isSeen) => (this.#isSeenOutside = isSeen), warn);
    this.#updates = loadUpdater && this.#createUpdates(loadUpdater);
    this.#indicators = createIndicators({
      picturesDir: parts.trayDir,
      window: () => this.window.now(),
      calls: this.#calls,
    });
    this.#showMenu();
    this.#show(idleQueue);
    this.#watch = watchQueue({
      client: this.#client,
      onState: (queue) => this.#show(queue),
      onBatchEnd: (batch) => void this.#endBatch(batch).catch(warn),
      onLost: () => holder.findAgain(),
    });
    this.#surroundings = this.#watchSurroundings();
  }

  /** Grants files and folders that the person opened, and sends them to the page. */
  openPaths(paths: string[]): void {
    this.window.show();
    this.#filesOf(paths).then((files) => this.window.give(files), warn);
  }

  /** Checks for updates if nothing is being processed and the person has agreed. */
  lookForUpdates(): void {
    void this.#updates?.check();
  }

  /**
   * Installs a downloaded version after close(). Returns false if there is none; then, and when `failed` is
   * called, the process must end by itself.
   */
  installUpdate(failed: () => void): boolean {
    return this.#updates?.install(failed) ?? false;
  }

  /** Closes the indicators, then the service. The window is closed before. */
  async close(hurry: AbortSignal): Promise<void> {
    this.#watch.close();
    this.#surroundings.close();
    this.#updates?.close();
    this.#indicators.close();
    await this.#results.close();
    await this.#holder.close(hurry);
  }

  /** Called each time, because the service may have been replaced. */
  readonly #client = (): Client => this.#holder.link().client;

  #createWindow(parts: DesktopInstallation, isHidden: boolean): MainWindow {
    const link = () => this.#holder.link();
    return createMainWindow({
      window: { ...parts, isHidden, text: this.#text, url: () => link().url },
      answers: {
        client: this.#client,
        dataDir: this.#holder.dataDir,
        results: this.#results,
        sessionKey: () => link().sessionKey(),
        grant: (paths) => this.#grant(paths),
        openPaths: (paths) => this.#filesOf(paths),
        setTheme: (theme) => this.#setTheme(theme),
        installEditor: async (editor) => {
          const { installEditor } = await import('../../packages/command-line/src/index.ts');
          return installEditor(editor, {
            platform: process.platform,
            env: process.env,
            programs: path.join(app.getPath('userData'), 'editors'),
            command: [parts.nodePath, parts.commandPath],
          });
        },
      },
      goesOnAlone: () => goesOnAlone(this.#queue),
      staysInTray: () => this.#preferences.get().staysInTray,
      mustExplainHiding: () => !this.#isSeenOutside && !this.#preferences.get().isHidingExplained,
      onHidingExplained: () => this.#preferences.set({ isHidingExplained: true }),
      onHidden: () => this.#indicators.notify('Enlarger', this.#text.hidden),
    });
  }

  #watchSurroundings(): PowerAndActivityReporter {
    return reportPowerAndActivity({
      see: () => ({
        onBattery: powerMonitor.isOnBatteryPower(),
        idleSeconds: powerMonitor.getSystemIdleTime(),
        isFocused: this.window.now()?.isFocused() ?? false,
      }),
      tell: (surroundings) => this.#client().reportPowerAndActivity(surroundings),
      onPower(changed) {
        powerMonitor.on('on-battery', changed);
        powerMonitor.on('on-ac', changed);
      },
      // The queue's stream detects that the service is away; the report is repeated soon.
      log: (error) =>
        log('warn', 'The service could not be told of battery and work.', { error: String(error) }),
    });
  }

  #createUpdates(loadUpdater: () => Promise<Updater>): Updates {
    return createUpdates({
      loadUpdater,
      preferences: () => {
        const preferences = this.#preferences.get();
        return { ...preferences, betas: takesBetas(this.#version, preferences) };
      },
      choose: (updates) => this.#calls.prefer({ updates }),
      isWorking: () => isWorking(this.#queue),
      askConsent: () => askConsent(this.window.show(), this.#text),
      askRestart: (version, notes) =>
        askRestart(this.window.show(), this.#text, { version, notes }),
      quit: () => app.quit(),
      log,
    });
  }

  /** Theme of title bar, menus, dialogs and prefers-color-scheme. */
  #setTheme(theme: Theme): void {
    nativeTheme.themeSource = theme;
    if (theme !== this.#preferences.get().theme) this.#preferences.set({ theme });
  }

  async #filesOf(paths: string[]): Promise<PickedFile[]> {
    if (paths.length === 0) return [];
    await this.#grant(paths);
    const files = await listPickedFiles(paths);
    for (const { path } of files.slice(0, maxRecentDocuments)) app.addRecentDocument(path);
    this.#preferences.set(withRecent(this.#preferences.get(), paths, files));
    this.#showMenu();
    return files;
  }

  readonly #calls: MenuCalls = {
    addFiles: () =>
      void chooseFiles(this.window.show()).then((paths) => this.openPaths(paths), warn),
    addFolder: () =>
      void chooseFolders(this.window.show()).then((paths) => this.openPaths(paths), warn),
    openFolder: (folder) => this.openPaths([folder]),
    switchQueue: (to) => void this.#switchQueue(to).catch(warn),
    prefer: (change) => {
      this.#preferences.set(change);
      this.#showMenu();
      if (change.updates === 'on') this.lookForUpdates();
    },
    chooseEnding: (ending) => (this.#ending = ending),
    page: (command) => this.window.send('command', command),
    openDocs: () => void shell.openExternal(`${this.#holder.link().url}/api/docs`),
    show: () => void this.window.show(),
    quit: () => app.quit(),
  };

  async #switchQueue(to: 'pause' | 'resume'): Promise<void> {
    const { paused } = await this.#client().switchQueue(to);
    this.#show({ ...this.#queue, paused });
  }

  #show(queue: QueueStatus): void {
    const isSwitched = queue.paused !== this.#queue.paused;
    const comesToRest = isWorking(this.#queue) && !isWorking(queue);
    this.#queue = queue;
    if (comesToRest) this.lookForUpdates();
    if (isSwitched) this.#showMenu();
    this.#indicators.show(this.#menuState());
  }

  #showMenu(): void {
    Menu.setApplicationMenu(Menu.buildFromTemplate(buildMenu(this.#menuState(), this.#calls)));
  }

  #menuState(): MenuState {
    return {
      platform: process.platform,
      text: this.#text,
      queue: this.#queue,
      preferences: this.#preferences.get(),
      ending: this.#ending,
      isDeveloping: !app.isPackaged,
      canUpdate: this.#updates !== undefined,
      isBeta: isPrerelease(this.#version),
    };
  }

  async #endBatch({ finished, failed }: BatchSummary): Promise<void> {
    const { notifies } = this.#preferences.get();
    if (notifies && this.window.now()?.isFocused() !== true)
      this.#indicators.notify(
        this.#text.batchTitle(failed),
        this.#text.batchBody(finished, failed),
      );
    const ending = this.#ending;
    if (ending === 'nothing') return;
    this.#ending = 'nothing';
    this.#showMenu();
    if (await askBeforeEnding(this.window.show(), ending, this.#text)) await endWith(ending);
  }
}

async function endWith(ending: Exclude<Ending, 'nothing'>): Promise<void> {
  const command = ending === 'sleep' ? planSleep(process.platform) : undefined;
  if (command === undefined) app.quit();
  else await runCommand(command);
}

/** Shows a failure of something the person started outside the page. */
function warn(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  log('error', message);
  if (Notification.isSupported()) new Notification({ title: 'Enlarger', body: message }).show();
}
