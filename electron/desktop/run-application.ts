/** From start to end: the service before the window, and after it. */
import { app, dialog } from 'electron';
import envPaths from 'env-paths';
import { startService } from '../service/service.ts';
import { Application } from './application.ts';
import { collectPaths } from './incoming.ts';
import { findDesktopInstallation } from './installation.ts';
import { log } from './log.ts';
import { holdService } from './service-holder.ts';
import type { StartArguments } from './start-arguments.ts';

/** Running tasks go back to the queue in far less; what takes longer is not waited for. */
const closeTimeoutMs = 10_000;

/** Call once, in the instance that holds the lock, before the application is ready. */
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
  const dataDir = start.dataDir ?? envPaths('enlarger', { suffix: '' }).data;
  const holder = await holdService({
    dataDir,
    startService: () => startService({ ...parts, dataDir, log }),
    onMoved: () => application.window.move(),
    log,
  });
  const application = new Application({ holder, parts, isHidden: start.isHidden });
  endInOrder(application);
  application.window.open();
  onPaths((paths) => application.take(paths));
  app.on('activate', () => application.window.show());
}

/** Windows first, then the service: its tasks go back to the queue and its engine ends before the process does. */
function endInOrder(application: Application): void {
  let isEnding = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (isEnding) return;
    isEnding = true;
    void application
      .close(AbortSignal.timeout(closeTimeoutMs))
      .catch((error: unknown) => log('error', 'The end was not in order', { error: String(error) }))
      .finally(() => app.exit());
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
}

/** What kept the application from starting, to the person; then it ends. */
export function reportFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  log('error', message);
  dialog.showErrorBox('Enlarger could not start', message);
  app.exit(1);
}
