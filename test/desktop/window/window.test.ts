/** Two loads of the page at once, which cannot be had in a real window at will (test/shell/ has the rest). */
import type { BrowserWindow } from 'electron';
import { expect, it, vi } from 'vitest';
import { loadPage } from '../../../electron/desktop/window/window.ts';

vi.mock('electron', () => ({}));

const origin = 'http://127.0.0.1:8617';

it('a load that a later one has aborted is not begun again', async () => {
  vi.useFakeTimers();
  const aborts: ((reason: Error) => void)[] = [];
  const loaded: string[] = [];
  const window = {
    isDestroyed: () => false,
    loadURL(url: string) {
      loaded.push(url);
      aborts.shift()?.(new Error('ERR_ABORTED (-3)'));
      return new Promise<void>((resolve, reject) => {
        if (url.endsWith('/second')) resolve();
        else aborts.push(reject);
      });
    },
  } as unknown as BrowserWindow;
  const load = (place: string) => loadPage(window, () => `${origin}/${place}`);
  const both = [load('first'), load('second')];
  await vi.advanceTimersByTimeAsync(5000);
  await Promise.all(both);
  expect(loaded).toEqual([`${origin}/first`, `${origin}/second`]);
  vi.useRealTimers();
});
