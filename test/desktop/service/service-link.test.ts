/** The application's service: found where one runs, its own where none does, and found again. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { holdService, linkService } from '../../../electron/desktop/service/service-link.ts';
import { openService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const hurry = AbortSignal.abort();
const log = () => undefined;

describe('the service of the application', () => {
  it('is its own where none runs, and ends with it', async () => {
    const dataDir = temporaryFolder();
    const link = await linkService({ dataDir, startService: () => openService({ dataDir }) });
    expect(link.isOwn).toBe(true);
    expect(await link.sessionKey()).toMatch(/^enl_/);
    expect((await link.client.list(1)).tasks).toEqual([]);
    await link.close(hurry);
    await expect(fetch(`${link.url}/api/health`)).rejects.toThrow();
  });

  it('is the one that runs already, with a key of its own for the page, and stays', async () => {
    const running = await openService();
    const link = await linkService({
      dataDir: running.dataDir,
      startService: () => Promise.reject(new Error('A second one was started.')),
    });
    expect(link).toMatchObject({ isOwn: false, url: running.url });
    const key = await link.sessionKey();
    expect([key === running.key, await link.sessionKey()]).not.toContain(key);
    const response = await running.call('GET', '/api/settings', undefined, {
      authorization: `KEY ${key}`,
    });
    expect(response.status).toBe(200);
    await link.close(hurry);
    expect((await fetch(`${running.url}/api/health`)).ok).toBe(true);
  });

  it('waits for one that holds the folder and does not answer any more', async () => {
    const ending = await openService();
    const { dataDir } = ending;
    setTimeout(() => void ending.close(), 600);
    const link = await linkService({
      dataDir,
      startService: () => openService({ dataDir, version: '1.2.4' }),
    });
    onTestFinished(() => link.close(hurry));
    expect(link.url).toMatch(/^http:/);
  });

  it('is started when the one that was found has ended, and the window is told where it is', async () => {
    const first = await openService();
    const { dataDir } = first;
    const moves: string[] = [];
    const holder = await holdService({
      dataDir,
      startService: () => openService({ dataDir }),
      onMoved: () => void moves.push('moved'),
      log,
    });
    onTestFinished(() => holder.close(hurry));
    await first.close();
    await Promise.all([holder.findAgain(), holder.findAgain()]);
    expect(holder.link().isOwn).toBe(true);
    expect(moves).toEqual(['moved']);
    expect((await holder.link().client.list(1)).paused).toBe(false);
  });
});
