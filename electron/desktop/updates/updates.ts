/**
 * Checks for a newer Enlarger, downloads and offers it: only with consent, never while a batch runs. Nothing
 * else in Enlarger goes online by itself.
 */
import type { Log } from '../../../packages/contract/src/log.ts';
import {
  isAccepted,
  nextStep,
  readableNotes,
  updaterSettings,
  type UpdateChoice,
} from './decide.ts';

/** Used part of electron-updater's autoUpdater, which verifies hash and signature. */
export interface Updater {
  channel: string | null;
  allowPrerelease: boolean;
  allowDowngrade: boolean;
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  /** macOS only: start the new version after installing. */
  autoRunAppAfterInstall: boolean;
  /** Failures after quitAndInstall() are reported by this event only. */
  once(event: 'error', listener: (error: Error) => void): unknown;
  checkForUpdates(): Promise<UpdateCheck | null>;
  downloadUpdate(): Promise<unknown>;
  quitAndInstall(isSilent: boolean, startsAgain: boolean): void;
}

interface UpdateCheck {
  isUpdateAvailable: boolean;
  updateInfo: {
    version: string;
    releaseNotes?: string | { note: string | null }[] | null | undefined;
  };
}

interface UpdateOptions {
  /** Loads the updater; called only with consent. */
  loadUpdater(): Promise<Updater>;
  preferences(): { updates: UpdateChoice; betas: boolean };
  /** Stores the person's answer. */
  choose(choice: Exclude<UpdateChoice, 'unasked'>): void;
  isWorking(): boolean;
  /** Asks for consent to checking. */
  askConsent(): Promise<boolean>;
  /** Asks whether to start the new version now; otherwise it is installed when this one quits. */
  askRestart(version: string, notes: string): Promise<boolean>;
  /** Quits the application in order. */
  quit(): void;
  log: Log;
  /** Interval between checks, milliseconds. */
  everyMs?: number;
}

export interface Updates {
  /** Performs the next step: at start, when the queue becomes idle, and on request. */
  check(): Promise<void>;
  /**
   * Installs the downloaded version after everything else has ended. Returns false if there is none; then,
   * and when `failed` is called, the process must end by itself.
   */
  install(failed: () => void): boolean;
  close(): void;
}

const dayMs = 24 * 60 * 60 * 1000;

export function createUpdates(options: UpdateOptions): Updates {
  let staged: { updater: Updater; version: string; notes: string } | undefined;
  let wasOffered = false;
  let startsAgain = false;
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | undefined;
  const everyMs = options.everyMs ?? dayMs;

  const ask = async () => {
    options.choose((await options.askConsent()) ? 'on' : 'off');
    if (options.preferences().updates === 'on') await fetchNewer();
  };
  const fetchNewer = async () => {
    if (performance.now() - checkedAtMs < everyMs) return;
    checkedAtMs = performance.now();
    const { betas } = options.preferences();
    const updater = Object.assign(await options.loadUpdater(), updaterSettings(betas));
    const found = await updater.checkForUpdates();
    if (found?.isUpdateAvailable !== true || !isAccepted(found.updateInfo.version, betas)) return;
    // A batch may have started meanwhile; the version is downloaded at its end.
    if (options.isWorking()) {
      checkedAtMs = Number.NEGATIVE_INFINITY;
      return;
    }
    await updater.downloadUpdate();
    const { version, releaseNotes } = found.updateInfo;
    staged = { updater, version, notes: readableNotes(releaseNotes ?? null) };
    if (!options.isWorking()) await offer();
  };
  const offer = async () => {
    if (staged === undefined || wasOffered) return;
    wasOffered = true;
    if (!(await options.askRestart(staged.version, staged.notes))) return;
    startsAgain = true;
    options.quit();
  };
  const step = async () => {
    const next = nextStep({
      choice: options.preferences().updates,
      isWorking: options.isWorking(),
      isStaged: staged !== undefined,
    });
    if (next === 'ask') await ask();
    if (next === 'look') await fetchNewer();
    if (next === 'offer') await offer();
  };
  const check = () =>
    (checking ??= step()
      // Failures, such as a missing connection, are logged only: the next check retries.
      .catch((error: unknown) => options.log('warn', 'No update.', { error: String(error) }))
      .finally(() => (checking = undefined)));
  const repeat = setInterval(() => void check(), everyMs);
  repeat.unref();
  return {
    check,
    install(failed) {
      if (staged === undefined || options.preferences().updates !== 'on') return false;
      const { updater } = staged;
      const report = (error: unknown) =>
        options.log('error', 'The update was not installed.', { error: String(error) });
      updater.once('error', (error) => {
        report(error);
        failed();
      });
      try {
        updater.autoRunAppAfterInstall = startsAgain;
        updater.quitAndInstall(!startsAgain, startsAgain);
        return true;
      } catch (error) {
        report(error);
        return false;
      }
    },
    close: () => clearInterval(repeat),
  };
}

export async function loadUpdater(): Promise<Updater> {
  const { default: electronUpdater } = await import('electron-updater');
  return electronUpdater.autoUpdater;
}
