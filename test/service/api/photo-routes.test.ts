/** Versions of one photo, and photos that wait on the page. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AddedPhotos } from '../../../packages/contract/src/photo.ts';
import type { TaskList } from '../../../packages/contract/src/task.ts';
import { openStore } from '../../../electron/service/store/store.ts';
import { openService, testModel, testRemover, type TestService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const png = Buffer.from('iVBORw0KGgo=', 'base64');

async function upload(service: TestService): Promise<string> {
  const response = await service.call('POST', '/api/uploads', png, {
    'content-type': 'application/octet-stream',
  });
  return (response.body as { imageUrl: string }).imageUrl;
}

async function again(service: TestService, taskId: string, body: object): Promise<string> {
  const response = await service.call('POST', `/api/task/${taskId}/again`, body);
  expect(response.status, response.text).toBe(200);
  return (response.body as { taskId: string }).taskId;
}

const added = async (service: TestService) =>
  ((await service.call('GET', '/api/photos')).body as AddedPhotos).photos;

describe('the versions of a photo', () => {
  it('have the id that the client gives, or one that the same file always has', async () => {
    const folder = temporaryFolder();
    const service = await openService({ allowFolders: [folder] });
    await writeFile(path.join(folder, 'a.png'), png);
    await writeFile(path.join(folder, 'b.png'), png);
    const url = (name: string) => pathToFileURL(path.join(folder, name)).href;
    const ids = [
      await service.submit(url('a.png'), { photo: 'mine' }),
      await service.submit(url('a.png')),
      await service.submit(url('a.png'), { scale: 4 }),
      await service.submit(url('b.png')),
    ];
    const photos = await Promise.all(ids.map(async (id) => (await service.record(id)).photo));
    expect(photos[0]).toBe('mine');
    expect(photos[1]).toMatch(/^file-[0-9a-f]{24}$/);
    expect(photos[2]).toBe(photos[1]);
    expect(photos[3]).not.toBe(photos[1]);
    const listed = await service.call('GET', `/api/tasks?photo=${photos[1]}`);
    expect((listed.body as TaskList).tasks.map(({ taskId }) => taskId)).toEqual([ids[2], ids[1]]);
  });

  it('are made by running a finished one again with other options', async () => {
    const service = await openService({ models: [testModel, testRemover] });
    const imageUrl = await upload(service);
    await service.call('PUT', '/api/photos', {
      photos: [{ photo: 'sea', name: 'sea.png', imageUrl, choices: { scale: 4 } }],
    });
    const first = await service.submit(imageUrl, { photo: 'sea', quality: 80, format: 'jpeg' });
    await service.until(first, 'FINISHED');
    const second = await again(service, first, { options: { scale: 4 } });
    await service.until(second, 'FINISHED');
    expect(await service.record(second)).toMatchObject({
      photo: 'sea',
      options: { scale: 4, quality: 80, format: 'jpeg' },
      source: { kept: true },
    });
    const third = await again(service, first, {
      operation: 'remove-bg',
      options: { format: null },
    });
    expect(await service.record(third)).toMatchObject({ operation: 'remove-bg', photo: 'sea' });
  });

  it('cannot be made of a source that is gone, which its record says', async () => {
    const service = await openService();
    const taskId = await service.submit();
    await service.until(taskId, 'FINISHED');
    await expect
      .poll(async () => (await service.record(taskId)).source.kept, { timeout: 10_000 })
      .toBe(false);
    const response = await service.call('POST', `/api/task/${taskId}/again`, {});
    expect(response.status).toBe(404);
  });
});

describe('photos that were added', () => {
  it('are there after a restart, until they are started or dropped', async () => {
    const dataDir = temporaryFolder();
    const service = await openService({ dataDir });
    const imageUrl = await upload(service);
    const photos = ['one', 'two'].map((photo) => ({
      photo,
      name: `${photo}.png`,
      imageUrl,
      choices: { scale: 8 },
    }));
    expect((await service.call('PUT', '/api/photos', { photos })).status).toBe(204);
    await service.close();
    const next = await openService({ dataDir });
    expect(await added(next)).toMatchObject([
      { photo: 'one', name: 'one.png', choices: { scale: 8 }, isReady: true },
      { photo: 'two', isReady: true },
    ]);
    await next.submit(imageUrl, { photo: 'one' });
    await next.call('POST', '/api/photos/drop', { photos: ['two'] });
    expect(await added(next)).toMatchObject([{ photo: 'one', isReady: false }]);
  });

  it('have the time that the page says, in which it lists them, and keep it where it says none', async () => {
    const service = await openService();
    const imageUrl = await upload(service);
    const put = (photo: string, more: object = {}) =>
      service.call('PUT', '/api/photos', {
        photos: [{ photo, name: photo, imageUrl, choices: {}, ...more }],
      });
    await put('one', { addedAt: '2026-01-02T03:04:05.678Z' });
    await put('two', { addedAt: '2026-01-01T00:00:00.000Z' });
    await put('one');
    const times = () => added(service).then((all) => all.map(({ addedAt }) => addedAt));
    const before = '2026-01-01T00:00:00.000Z';
    expect((await times()).toSorted()).toEqual([before, '2026-01-02T03:04:05.678Z']);
    await put('one', { addedAt: '2025-01-01T00:00:00.000Z' });
    expect((await times()).toSorted()).toEqual(['2025-01-01T00:00:00.000Z', before]);
    expect((await put('one', { addedAt: 'now' })).body).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('are refused where their file may not be read', async () => {
    const service = await openService();
    const photos = [{ photo: 'x', name: 'x', imageUrl: 'file:///etc/hostname', choices: {} }];
    const response = await service.call('PUT', '/api/photos', { photos });
    expect(response.body).toMatchObject({ code: 'FORBIDDEN_PATH' });
  });

  it('hold their upload until they are dropped for a minute, or their versions are gone', () => {
    const store = openStore(':memory:');
    onTestFinished(() => store.close());
    const uploadId = 'u';
    store.uploads.insert({
      uploadId,
      path: '/u',
      name: 'u',
      sizeBytes: 1,
      createdOn: 0,
    });
    const row = { photo: 'p', name: 'p', imageUrl: 'u', choices: {}, addedAt: 0, addedOn: 100 };
    store.photos.put([{ ...row, uploadId, isReady: true }]);
    const releasable = () => store.uploads.releasable(1000, 10).length;
    const sweep = (droppedBy: number) => store.photos.sweep({ droppedBy, addedBy: 0 });
    sweep(1000);
    expect(releasable()).toBe(0);
    store.photos.drop(['p'], 500);
    sweep(499);
    expect([store.photos.list(), releasable()]).toEqual([[], 0]);
    sweep(500);
    expect(releasable()).toBe(1);
    store.photos.put([{ ...row, uploadId, isReady: false }]);
    sweep(0);
    expect([store.photos.list(), releasable()]).toEqual([[], 1]);
  });
});
