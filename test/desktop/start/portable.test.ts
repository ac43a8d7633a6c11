import { describe, expect, it } from 'vitest';
import { portableFolder } from '../../../electron/desktop/start/portable.ts';

describe('portable mode', () => {
  const found = (platform: NodeJS.Platform, execPath: string, env = {}, has = true) =>
    portableFolder({ platform, execPath, env, isFolder: () => has });

  it('is asked for by a folder beside the program, wherever the system runs it from', () => {
    expect(found('win32', 'D:\\Enlarger\\Enlarger.exe')).toBe('D:\\Enlarger\\Enlarger data');
    expect(found('linux', '/opt/e/enlarger')).toBe('/opt/e/Enlarger data');
    expect(found('darwin', '/Volumes/S/Enlarger.app/Contents/MacOS/Enlarger')).toBe(
      '/Volumes/S/Enlarger data',
    );
    const portable = { PORTABLE_EXECUTABLE_DIR: 'E:\\tools' };
    expect(found('win32', 'C:\\Temp\\x\\Enlarger.exe', portable)).toBe('E:\\tools\\Enlarger data');
    const image = { APPIMAGE: '/home/ada/Apps/Enlarger.AppImage' };
    expect(found('linux', '/tmp/.mount_x/enlarger', image)).toBe('/home/ada/Apps/Enlarger data');
  });

  it('is not there without the folder', () => {
    expect(found('linux', '/opt/e/enlarger', {}, false)).toBeUndefined();
  });
});
