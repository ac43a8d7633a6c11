import { describe, expect, it } from 'vitest';
import { readStartArguments } from '../../../electron/desktop/start/start-arguments.ts';

const packaged = (...given: string[]) =>
  readStartArguments(['/opt/Enlarger/enlarger', ...given], { cwd: '/photos', isPackaged: true });

describe.skipIf(process.platform === 'win32')('what a start was asked for', () => {
  it('is files and folders, made absolute from where it was started', () => {
    expect(packaged('a.jpg', '/b/c.png', '../d')).toEqual({
      paths: ['/photos/a.jpg', '/b/c.png', '/d'],
      isHidden: false,
    });
  });

  it("leaves out the application's folder of a checkout", () => {
    const argv = ['/node_modules/electron/dist/electron', '/home/ada/enlarger', 'a.jpg'];
    const checkout = { cwd: '/photos', isPackaged: false };
    expect(readStartArguments(argv, checkout).paths).toEqual(['/photos/a.jpg']);
    argv.splice(1, 0, '--inspect=0');
    expect(readStartArguments(argv, checkout).paths).toEqual(['/photos/a.jpg']);
  });

  it('takes addresses of files as file managers give them', () => {
    expect(packaged('file:///photos/sea%20and%20sky.jpg').paths).toEqual([
      '/photos/sea and sky.jpg',
    ]);
  });

  it('leaves out addresses of other machines and of nothing, and takes the rest', () => {
    const given = ['file://nas/share/a.jpg', 'file:///a%2fb.jpg', 'file://%', '/b.jpg'];
    expect(packaged(...given).paths.at(-1)).toBe('/b.jpg');
    expect(packaged('file://nas/share/a.jpg', '/b.jpg').paths).toEqual(['/b.jpg']);
  });

  it("passes by Chromium's switches, and takes every word after -- as a file", () => {
    const { paths } = packaged('--allow-file-access-from-files', '-psn_0_1', '--', '--odd name');
    expect(paths).toEqual(['/photos/--odd name']);
  });

  it('may name a data folder and ask for no window', () => {
    expect(packaged('--data-dir=other', '--hidden')).toEqual({
      paths: [],
      dataDir: '/photos/other',
      isHidden: true,
    });
    expect(packaged('--data-dir=')).not.toHaveProperty('dataDir');
  });
});
