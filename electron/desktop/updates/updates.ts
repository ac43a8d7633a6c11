/**
 * Looks for a newer Enlarger, fetches it and offers it: only after the person agreed, and never while a batch
 * runs. It is the one thing that goes online by itself.
 */
import type { Log } from '../../contract/log.ts';
import { isWanted, nextStep, readableNotes, updaterSettings, type UpdateChoice } from './decide.ts';

/** As much of electron-updater's autoUpdater as is used. It checks hash and signature of what it fetched. */
export interface Updater {
  channel: string | null;
  allowPrerelease: boolean;
  allowDowngrade: boolean;
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  /** Of a Mac's: whether it starts the new version. */
  autoRunAppAfterInstall: boolean;
  /** What goes wrong after quitAndInstall() is told by this alone. */
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
  /** Loaded only once the person agreed. */
  loadUpdater(): Promise<Updater>;
  preferences(): { updates: UpdateChoice; betas: boolean };
  /** Keeps what the person answered. */
  choose(choice: Exclude<UpdateChoice, 'unasked'>): void;
  isWorking(): boolean;
  /** Whether updates may be looked for. */
  askConsent(): Promise<boolean>;
  /** Whether to start the new version now; otherwise it is installed at the end of this one. */
  askRestart(version: string, notes: string): Promise<boolean>;
  /** Ends the application in order. */
  quit(): void;
  log: Log;
  /** Between two looks, in milliseconds. */
  everyMs?: number;
}

export interface Updates {
  /** To be called at the start, when the queue came to rest, and when the person asks for it. */
  look(): Promise<void>;
  /** After all else has ended. False: nothing is to be installed, and the process is to end by itself, as when it `failed`. */
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
    // A batch may have begun meanwhile: what is fetched then is fetched at its end.
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
      // Without a connection, say: it is tried again.
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
