/** Whether this desktop session shows the application outside its window. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Tray host and notification server (freedesktop.org's names on the session bus). */
const busNames = ['org.kde.StatusNotifierWatcher', 'org.freedesktop.Notifications'];

/**
 * True if a tray or notifications exist. Always on Windows and macOS. On Linux Electron creates tray icons
 * and reports notifications as supported even if nothing shows them, so the bus is queried.
 */
export async function findSeenOutside(
  platform: NodeJS.Platform,
  listNames: () => Promise<string> = listBusNames,
): Promise<boolean> {
  if (platform !== 'linux') return true;
  try {
    const names = await listNames();
    return busNames.some((name) => names.includes(`'${name}'`));
  } catch {
    // No session bus, or gdbus(1) is not installed.
    return false;
  }
}

/** Owned names, and those whose program the bus would start. */
async function listBusNames(): Promise<string> {
  const call = (method: string) =>
    promisify(execFile)(
      'gdbus',
      [
        ...['call', '--session', '--timeout', '5'],
        ...['--dest', 'org.freedesktop.DBus', '--object-path', '/org/freedesktop/DBus'],
        ...['--method', `org.freedesktop.DBus.${method}`],
      ],
      { windowsHide: true, timeout: 10_000 },
    );
  const [taken, startable] = await Promise.all([call('ListNames'), call('ListActivatableNames')]);
  return taken.stdout + startable.stdout;
}
