/** What the window does about loading, downloads and drags, with a stand-in for Electron's module. */
import { describe, expect, it, vi } from 'vitest';
import { createAnswers } from '../../../electron/desktop/window/answers.ts';
import { loadPage, openWindow } from '../../../electron/desktop/window/window.ts';
import { textFor } from '../../../electron/desktop/text.ts';
import { app, asked, BrowserWindow } from '../../support/electron.ts';

vi.mock('electron', () => import('../../support/electron.ts'));

const origin = 'http://127.0.0.1:8617';

function open(): BrowserWindow {
  const options = { preloadPath: '', iconPath: '', isHidden: false, text: textFor([]) };
  return openWindow({ ...options, url: () => `${origin}/` }) as unknown as BrowserWindow;
}

describe('loading the page', () => {
  it('is not begun again by a load that a later one has aborted', async () => {
    vi.useFakeTimers();
    const window = open();
    const aborts: ((reason: Error) => void)[] = [];
    const loaded: string[] = [];
    const loadURL = (url: string) => {
      loaded.push(url);
      aborts.shift()?.(new Error('ERR_ABORTED (-3)'));
      return new Promise<void>((resolve, reject) => {
        if (url.endsWith('/second')) resolve();
        else aborts.push(reject);
      });
    };
    Object.assign(window, { loadURL });
    const load = (place: string) => loadPage(window as never, () => `${origin}/${place}`);
    const both = [load('first'), load('second')];
    await vi.advanceTimersByTimeAsync(5000);
    await Promise.all(both);
    expect(loaded).toEqual([`${origin}/first`, `${origin}/second`]);
    vi.useRealTimers();
  });
});

describe('a download', () => {
  const download = (url: string) => {
    const window = open();
    const seen: { options?: object; isRefused: boolean } = { isRefused: false };
    const event = { preventDefault: () => (seen.isRefused = true) };
    window.webContents.session.emit('will-download', event, {
      getURL: () => url,
      getFilename: () => 'result.png',
      setSaveDialogOptions: (options: object) => (seen.options = options),
    });
    return seen;
  };

  it.each([`${origin}/api/results/1`, `blob:${origin}/0b8f7f0c`])(
    'of %s is asked for in the folder of downloads',
    (url) => {
      const { options, isRefused } = download(url);
      expect(isRefused).toBe(false);
      expect(options).toEqual({
        defaultPath: expect.stringMatching(/downloads.result\.png$/) as string,
      });
    },
  );

  it.each(['https://example.org/a.exe', 'blob:https://example.org/1', 'data:text/plain,a'])(
    'of %s is refused',
    (url) => {
      expect(download(url)).toEqual({ isRefused: true });
    },
  );
});

describe('a drag to another program', () => {
  it('begins with what was fetched when the pointer went down', async () => {
    let fetched = 0;
    const answers = createAnswers({
      window: new BrowserWindow({}) as never,
      results: {
        fileOf: (taskId: string) => {
          fetched += 1;
          return Promise.resolve(`/results/${taskId}.png`);
        },
      },
    } as never);
    app.folder = '/';
    await answers.prepareDrag(['a']);
    expect(fetched).toBe(1);
    asked.length = 0;
    const drags = () => asked.filter(([name]) => name === 'drag').map(([, item]) => item);
    await answers.startDrag(['a']);
    expect([fetched, drags()]).toMatchObject([1, [{ files: ['/results/a.png'] }]]);
    await answers.startDrag(['b', 'c']);
    expect([fetched, drags().at(-1)]).toMatchObject([
      3,
      { file: '/results/b.png', files: ['/results/b.png', '/results/c.png'] },
    ]);
  });
});
