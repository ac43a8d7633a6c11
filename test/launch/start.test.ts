import { describe, expect, it } from 'vitest';
import { obstacleToWindow, serviceArguments, type Start } from '../../electron/launch/start.mjs';

const ordinary: Start = { args: [], env: { DISPLAY: ':0' }, platform: 'linux', uid: 1000 };
const obstacle = (change: Partial<Start>) => obstacleToWindow({ ...ordinary, ...change });

describe('a window', () => {
  it.each<[string, Partial<Start>]>([
    ['with a display', {}],
    ['under Wayland', { env: { WAYLAND_DISPLAY: 'wayland-0' } }],
    ['for root without a sandbox', { uid: 0, args: ['--no-sandbox'] }],
    ['on macOS, which has no DISPLAY', { platform: 'darwin', env: {} }],
    ['on macOS for root', { platform: 'darwin', env: {}, uid: 0 }],
    ['on Windows', { platform: 'win32', env: {}, uid: undefined }],
  ])('can be opened %s', (_what, change) => {
    expect(obstacle(change)).toBeUndefined();
  });

  it('cannot be opened without a display, for anybody', () => {
    const env = { DISPLAY: '' };
    expect(obstacle({ env })).toContain('no display');
    expect(obstacle({ env, uid: 0, args: ['--no-sandbox'] })).toContain('no display');
  });

  it('cannot be opened for root', () => {
    expect(obstacle({ uid: 0 })).toMatch(/root.*--no-sandbox/);
  });
});

describe('the service without a window', () => {
  it('has photos in the queue of its page, and leaves out what only a window has', () => {
    const args = ['a b.jpg', '--hidden', '--port', '0', '--data-dir=/data', '--no-sandbox', 'été'];
    expect(serviceArguments(args)).toEqual([
      '--photo=a b.jpg',
      '--port',
      '0',
      '--data-dir=/data',
      '--photo=été',
    ]);
  });

  it('takes addresses of files, and every word after -- as a photo', () => {
    const args = ['file:///photos/sea%20and%20sky.jpg', '--', '--hidden', '-1.jpg'];
    const photo = process.platform === 'win32' ? [] : ['--photo=/photos/sea and sky.jpg'];
    if (process.platform !== 'win32')
      expect(serviceArguments(args)).toEqual([...photo, '--photo=--hidden', '--photo=-1.jpg']);
    expect(serviceArguments(['--', '--port', '0'])).toEqual(['--photo=--port', '--photo=0']);
  });

  it('refuses a wrong option itself', () => {
    expect(serviceArguments(['--prot=1'])).toEqual(['--prot=1']);
  });
});
