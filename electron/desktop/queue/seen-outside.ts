/** Whether this session of the system shows the application outside its window. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A host of tray icons, and a server of notifications (freedesktop.org's names on the session bus). */
const busNames = ['org.kde.StatusNotifierWatcher', 'org.freedesktop.Notifications'];

/**
 * Returns whether a tray or notifications exist. Windows and macOS always have them. On Linux Electron makes a
 * tray icon and says that notifications are supported also where nobody shows them, so the bus is asked.
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
    // There is no session bus, or gdbus(1) is not installed.
    return false;
  }
}

/** Lists the names that are taken, and those whose program the bus would start. */
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
