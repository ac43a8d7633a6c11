import { describe, expect, it } from 'vitest';
import { obstacleToWindow, type Start } from '../../electron/launch/start.mjs';

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
