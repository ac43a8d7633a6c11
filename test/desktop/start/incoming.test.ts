/** How paths reach the application that runs already. */
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { collectPaths, requestOnlyInstance } from '../../../electron/desktop/start/incoming.ts';
import { app, asked } from '../../support/electron.ts';

vi.mock('electron', () => import('../../support/electron.ts'));

const cwd = path.resolve('/photos');
const inCwd = (name: string) => path.resolve(cwd, name);
const paths = ['Köln größer.jpg', 'été à la mer.png', '写真 1.tif', 'two words, 50 %.webp'].map(
  inCwd,
);

/** What a first start hears when a second one hands this over. */
function heardOf(handedOver: unknown, argv: string[] = []): string[][] {
  const heard: string[][] = [];
  collectPaths([])((these) => heard.push(these));
  app.emit('second-instance', {}, argv, cwd, handedOver);
  return heard;
}

describe('a second start', () => {
  afterEach(() => {
    app.removeAllListeners();
    asked.length = 0;
  });

  // Electron passes null where a string has other letters.
  it('hands its paths over in ASCII, and they arrive whole', () => {
    expect(requestOnlyInstance(paths)).toBe(true);
    const [[, handedOver]] = asked as [[string, object]];
    expect(JSON.stringify(handedOver)).toMatch(/^[\x20-\x7e]+$/);
    expect(heardOf(handedOver)).toEqual([paths]);
  });

  it.each([null, undefined, 'something else', { paths: ['a list'] }, { paths: '%' }])(
    'is taken by its own arguments where %j was handed over',
    (handedOver) => {
      const argv = ['/electron', '--allow-file-access-from-files', '/checkout', 'Köln größer.jpg'];
      expect(heardOf(handedOver, argv)).toEqual([[inCwd('Köln größer.jpg')]]);
    },
  );

  it('wants to see the window where it names no file', () => {
    requestOnlyInstance([]);
    const [[, handedOver]] = asked as [[string, object]];
    expect(heardOf(handedOver)).toEqual([[]]);
    expect(heardOf(null, ['/electron', '/checkout'])).toContainEqual([]);
  });
});

describe('what macOS opens', () => {
  it('is kept until somebody listens, because it comes before the application is ready', () => {
    const listen = collectPaths([inCwd('argument.jpg')]);
    let isTaken = false;
    app.emit('open-file', { preventDefault: () => (isTaken = true) }, inCwd('early.jpg'));
    const received: string[][] = [];
    listen((these) => received.push(these));
    expect(isTaken).toBe(true);
    expect(received).toEqual([[inCwd('argument.jpg')], [inCwd('early.jpg')]]);
  });
});
