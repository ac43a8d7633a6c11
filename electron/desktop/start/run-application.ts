/** Life cycle of the application: the service starts before the window and stops after it. */
import { app, dialog } from 'electron';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { startService } from '../../service/service.ts';
import { Application } from '../application.ts';
import { collectPaths } from './incoming.ts';
import { findDesktopInstallation } from './installation.ts';
import { endProcess } from '../../end-process.ts';
import { defaultDataDir } from '../../../packages/files/src/data-dir.ts';
import { standardError } from '../../service/log-file.ts';
import { log, logInto, logUncaught } from '../log.ts';
import { holdService } from '../service/service-link.ts';
import type { StartArguments } from './start-arguments.ts';
import { canUpdate } from '../updates/decide.ts';
import { loadUpdater } from '../updates/updates.ts';

/** Far more than returning tasks to the queue takes; what takes longer is abandoned. */
const closeTimeoutMs = 10_000;
/** An installer starts within this time; a Mac first unpacks and verifies the new version. */
const installTimeoutMs = 120_000;

/** Called once, in the instance with the lock, before the application is ready. */
export async function runApplication(programUrl: string, start: StartArguments): Promise<void> {
  const onPaths = collectPaths(start.paths);
  await app.whenReady();
  const parts = findDesktopInstallation({
    programUrl,
    appPath: app.getAppPath(),
    resourcesPath: app.isPackaged ? process.resourcesPath : undefined,
    nodePath: process.env.ENLARGER_NODE,
    platform: process.platform,
  });
  const dataDir = start.dataDir ?? defaultDataDir();
  logInto(dataDir);
  logUncaught();
  const holder = await holdService({
    dataDir,
    startService: () => startService({ ...parts, dataDir, log: standardError }),
    onMoved: () => application.window.move(),
    log,
  });
  const application = new Application({
    holder,
    parts,
    isHidden: start.isHidden,
    loadUpdater: hasUpdates() ? loadUpdater : undefined,
  });
  endInOrder(application);
  application.window.open();
  onPaths((paths) => application.openPaths(paths));
  app.on('activate', () => application.window.show());
  if (!start.isHidden) application.lookForUpdates();
}

/**
 * Closes windows first, then the service, which returns tasks to the queue and stops the engine before the
 * process ends.
 */
export function endInOrder(
  application: Pick<Application, 'close' | 'installUpdate'>,
  platform = process.platform,
): void {
  let state: 'runs' | 'ends' | 'ended' = 'runs';
  let lastResort: NodeJS.Timeout | undefined;
  app.on('will-quit', (event) => {
    // The updater quits again once its installer has started.
    clearTimeout(lastResort);
    if (state === 'ended') return;
    event.preventDefault();
    if (state === 'ends') return;
    state = 'ends';
    let failure: unknown;
    void application
      .close(AbortSignal.timeout(closeTimeoutMs))
      .catch((error: unknown) => {
        failure = error;
        log('error', 'The end was not in order', { error: String(error) });
      })
      .finally(() => {
        state = 'ended';
        // The updater ends the process when its installer runs, and reports if that could not be started.
        if (application.installUpdate(() => app.exit()))
          lastResort = setTimeout(() => app.exit(), installTimeoutMs);
        else endProcess(failure, () => app.exit());
      });
  });
  app.on('window-all-closed', () => {
    if (platform !== 'darwin') app.quit();
  });
}

/** Only release builds know where to check. */
function hasUpdates(): boolean {
  if (!app.isPackaged) return false;
  const isThere = (name: string) => existsSync(path.join(process.resourcesPath, name));
  return canUpdate({
    hasFeed: isThere('app-update.yml'),
    isSystemPackage: isThere('package-type'),
    platform: process.platform,
    env: process.env,
  });
}

/** Shows why the application could not start, and ends it. */
export function reportFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  log('error', message);
  dialog.showErrorBox('Enlarger could not start', message);
  app.exit(1);
}
