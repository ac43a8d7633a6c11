import { describe, expect, it } from 'vitest';
import { findSeenOutside } from '../../../electron/desktop/queue/seen-outside.ts';

const withNames = (...names: string[]) =>
  findSeenOutside('linux', () =>
    Promise.resolve(`([${names.map((name) => `'${name}'`).join(', ')}],)`),
  );

describe('whether anything outside the window shows the application', () => {
  it('is so where the session has a tray or notifications', async () => {
    expect(await withNames('org.freedesktop.DBus', 'org.kde.StatusNotifierWatcher')).toBe(true);
    expect(await withNames('org.freedesktop.Notifications')).toBe(true);
  });

  it('is not so with neither, or without a session bus', async () => {
    expect(await withNames('org.freedesktop.DBus', 'org.kde.StatusNotifierWatcher2')).toBe(false);
    expect(await findSeenOutside('linux', () => Promise.reject(new Error('no bus')))).toBe(false);
  });

  it.each(['win32', 'darwin'] as const)('is always so on %s', async (platform) => {
    expect(await findSeenOutside(platform, () => Promise.reject(new Error('no bus')))).toBe(true);
  });
});
