/**
 * Looks for a newer Enlarger, fetches it and offers it, only after the person agreed, and never while a batch
 * runs. Nothing else in Enlarger goes online by itself.
 */
import type { Log } from '../../contract/log.ts';
import { isWanted, nextStep, readableNotes, updaterSettings, type UpdateChoice } from './decide.ts';

/** The used part of electron-updater's autoUpdater, which checks hash and signature of what it fetched. */
export interface Updater {
  channel: string | null;
  allowPrerelease: boolean;
  allowDowngrade: boolean;
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  /** Says, on a Mac only, whether the new version is started after it is installed. */
  autoRunAppAfterInstall: boolean;
  /** A failure after quitAndInstall() is reported by this event alone. */
  once(event: 'error', listener: (error: Error) => void): unknown;
  checkForUpdates(): Promise<Found | null>;
  downloadUpdate(): Promise<unknown>;
  quitAndInstall(isSilent: boolean, startsAgain: boolean): void;
}

interface Found {
  isUpdateAvailable: boolean;
  updateInfo: {
    version: string;
    releaseNotes?: string | { note: string | null }[] | null | undefined;
  };
}

interface UpdateOptions {
  /** Loads the updater, which happens only once the person agreed. */
  loadUpdater(): Promise<Updater>;
  preferences(): { updates: UpdateChoice; betas: boolean };
  /** Stores the person's answer. */
  choose(choice: Exclude<UpdateChoice, 'unasked'>): void;
  isWorking(): boolean;
  /** Asks whether updates may be looked for. */
  askConsent(): Promise<boolean>;
  /** Asks whether to start the new version now; otherwise it is installed when this one ends. */
  askRestart(version: string, notes: string): Promise<boolean>;
  /** Ends the application in order. */
  quit(): void;
  log: Log;
  /** The time between two looks, in milliseconds. */
  everyMs?: number;
}

export interface Updates {
  /** Takes the next step: at the start, when the queue came to rest, and when the person asks for it. */
  look(): Promise<void>;
  /**
   * Installs the downloaded version, after all else has ended. It answers false where there is nothing to
   * install, and then the process ends by itself, as it does when `failed` is called.
   */
  install(failed: () => void): boolean;
  close(): void;
}

const dayMs = 24 * 60 * 60 * 1000;

export function createUpdates(options: UpdateOptions): Updates {
  let staged: { updater: Updater; version: string; notes: string } | undefined;
  let wasOffered = false;
  let startsAgain = false;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;
  const everyMs = options.everyMs ?? dayMs;

  const ask = async () => {
    options.choose((await options.askConsent()) ? 'on' : 'off');
    if (options.preferences().updates === 'on') await fetchNewer();
  };
  const fetchNewer = async () => {
    if (performance.now() - lookedAtMs < everyMs) return;
    lookedAtMs = performance.now();
    const { betas } = options.preferences();
    const updater = Object.assign(await options.loadUpdater(), updaterSettings(betas));
    const found = await updater.checkForUpdates();
    if (found?.isUpdateAvailable !== true || !isWanted(found.updateInfo.version, betas)) return;
    // A batch may have begun meanwhile, and then the version is fetched at the batch's end.
    if (options.isWorking()) {
      lookedAtMs = Number.NEGATIVE_INFINITY;
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
  const look = () =>
    (looking ??= step()
      // A failure, such as a missing connection, is only logged, because the next look tries again.
      .catch((error: unknown) => options.log('warn', 'No update.', { error: String(error) }))
      .finally(() => (looking = undefined)));
  const repeat = setInterval(() => void look(), everyMs);
  repeat.unref();
  return {
    look,
    install(failed) {
      if (staged === undefined || options.preferences().updates !== 'on') return false;
      const { updater } = staged;
      const tell = (error: unknown) =>
        options.log('error', 'The update was not installed.', { error: String(error) });
      updater.once('error', (error) => {
        tell(error);
        failed();
      });
      try {
        updater.autoRunAppAfterInstall = startsAgain;
        updater.quitAndInstall(!startsAgain, startsAgain);
        return true;
      } catch (error) {
        tell(error);
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
