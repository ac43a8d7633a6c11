import { mkdir, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { QueueEstimate } from '../../../packages/contract/src/queue.ts';
import { openStore } from '../../../electron/service/store/store.ts';
import { dataUrl, openService, type TestService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const estimate = async (service: TestService) =>
  (await service.call('GET', '/api/queue/estimate')).body as QueueEstimate;

async function paused(options: Parameters<typeof openService>[0] = {}): Promise<TestService> {
  const service = await openService(options);
  await service.call('POST', '/api/queue/pause');
  return service;
}

describe("the queue's estimate", () => {
  it('is nothing for an empty queue', async () => {
    const found = await estimate(await paused());
    expect(found).toEqual({
      tasks: 0,
      unknown: 0,
      unmeasured: 0,
      seconds: 0,
      resultBytes: 0,
      scratchBytes: 0,
      freeBytes: expect.any(Number) as number,
      problems: [],
    });
    expect(found.freeBytes).toBeGreaterThan(0);
  });

  it('sums up what waits, as the estimate of each, and looks at no picture elsewhere', async () => {
    const service = await paused();
    for (const scale of [2, 4, 4]) await service.submit(dataUrl, { scale });
    await service.submit('http://example.org/a.jpg');
    await expect.poll(() => estimate(service)).toMatchObject({ tasks: 4, unknown: 1 });
    const one = async (scale: number) =>
      (await service.call('POST', '/api/estimate', { imageUrl: dataUrl, scale })).body as {
        fileSizeBytes: number;
        scratchBytes: number;
      };
    const [two, four] = [await one(2), await one(4)];
    expect(await estimate(service)).toMatchObject({
      unmeasured: 3,
      seconds: 0,
      resultBytes: two.fileSizeBytes + 2 * four.fileSizeBytes,
      scratchBytes: 2 * four.scratchBytes,
      problems: [],
    });
  });

  it('names what cannot work as it is, until it is changed', async () => {
    const picture = { format: 'jpeg', width: 9000, height: 10, bitDepth: 8, channels: 3 };
    const service = await paused({ inspection: { ...picture, pages: 1, sizeBytes: 1 } });
    await service.submit();
    const taskId = await service.submit(dataUrl, { format: 'webp' });
    await expect.poll(() => estimate(service)).toMatchObject({ unknown: 0 });
    const { problems } = await estimate(service);
    expect(problems).toMatchObject([{ taskId, code: 'IMAGE_TOO_LARGE' }]);
    await service.call('PATCH', `/api/task/${taskId}`, { options: { format: 'tiff' } });
    expect((await estimate(service)).problems).toEqual([]);
  });

  it('looks at files where they are, also those of a former start', async () => {
    const dataDir = temporaryFolder();
    const folder = path.join(await realpath(dataDir), 'photos');
    await mkdir(folder);
    await writeFile(path.join(folder, 'a.jpg'), 'a picture');
    const first = await paused({ dataDir, allowFolders: [folder] });
    await first.submit(pathToFileURL(path.join(folder, 'a.jpg')).href);
    await expect.poll(() => estimate(first)).toMatchObject({ tasks: 1, unknown: 0 });
    await first.close();
    const second = await openService({ dataDir, allowFolders: [folder] });
    expect(await estimate(second)).toMatchObject({ tasks: 1, unknown: 0 });
  });

  it('of 10,000 waiting photos is there within a moment', async () => {
    const dataDir = temporaryFolder();
    const store = openStore(dataDir);
    store.flags.set('paused', true);
    const options = { scale: 4, model: 'faithful', format: 'same', formatChosen: false } as const;
    const picture = { format: 'jpeg', height: 4000, bitDepth: 8, channels: 3, pages: 1 };
    store.transaction(() => {
      for (let i = 0; i < 10_000; i++) {
        const taskId = `t${i}`;
        store.tasks.insert({
          taskId,
          photo: taskId,
          operation: 'upscale',
          source: { kind: 'url', url: 'http://example.org/a.jpg' },
          options: { ...options, bitDepth: 'same', metadata: 'keep' },
          priority: 0,
          createdAt: 0,
          queuedOn: 0,
        });
        store.tasks.saveInspection(taskId, {
          picture: { ...picture, width: 6000 + (i % 7), sizeBytes: 0 },
        });
      }
    });
    store.close();
    const service = await openService({ dataDir });
    const start = performance.now();
    const found = await estimate(service);
    expect(found).toMatchObject({ tasks: 10_000, unknown: 0 });
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
