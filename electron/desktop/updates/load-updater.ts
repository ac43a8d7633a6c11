/** electron-updater, loaded when it is first wanted: it reads app-update.yml, which only a release has. */
import type { Updater } from './updates.ts';

export async function loadUpdater(): Promise<Updater> {
  const { default: electronUpdater } = await import('electron-updater');
  return electronUpdater.autoUpdater;
}
