/** How macOS hands paths to the application. What second starts hand over is tested in test/shell/. */
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { collectPaths } from '../../../electron/desktop/start/incoming.ts';
import { app } from '../../support/electron.ts';

vi.mock('electron', () => import('../../support/electron.ts'));

const inPhotos = (name: string) => path.resolve('/photos', name);

it('what macOS opens is kept until somebody listens, because it comes before the application is ready', () => {
  const listen = collectPaths([inPhotos('argument.jpg')]);
  let isTaken = false;
  app.emit('open-file', { preventDefault: () => (isTaken = true) }, inPhotos('early.jpg'));
  const received: string[][] = [];
  listen((these) => received.push(these));
  expect(isTaken).toBe(true);
  expect(received).toEqual([[inPhotos('argument.jpg')], [inPhotos('early.jpg')]]);
});
