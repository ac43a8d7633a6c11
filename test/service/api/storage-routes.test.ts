/** GET /api/storage over real files. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { StorageUse } from '../../../packages/contract/src/queue.ts';
import { measureFolder } from '../../../packages/files/src/measure-folder.ts';
import { openService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('measures results, copies of photos, models and the whole folder', async () => {
  const service = await openService();
  const storage = async () => (await service.call('GET', '/api/storage')).body as StorageUse;
  expect(await storage()).toMatchObject({
    folder: service.dataDir,
    resultBytes: 0,
    photoBytes: 0,
    modelBytes: 0,
  });
  await service.call('POST', '/api/uploads', Buffer.alloc(3000, 1), {
    'content-type': 'application/octet-stream',
  });
  await writeFile(path.join(service.dataDir, 'sources', 'a'), Buffer.alloc(200));
  await writeFile(path.join(service.dataDir, 'models', 'a.onnx'), Buffer.alloc(500));
  expect(await storage()).toMatchObject({ photoBytes: 3200, modelBytes: 500 });
  const taskId = await service.submit();
  await service.until(taskId, 'FINISHED');
  const { output } = await service.record(taskId);
  const use = await storage();
  expect(use.resultBytes).toBeGreaterThanOrEqual(output!.sizeBytes);
  expect(use.totalBytes).toBeGreaterThan(use.resultBytes + 3700);
});

it('names its folder to no other program', async () => {
  const service = await openService();
  const made = await service.call('POST', '/api/keys', { name: 'Plug-in' });
  const { key } = made.body as { key: string };
  const asked = await service.call('GET', '/api/storage', undefined, {
    authorization: `KEY ${key}`,
  });
  expect(asked.status).toBe(403);
  expect(asked.text).not.toContain(service.dataDir);
});

it('measures files at any depth and follows no link', async () => {
  const folder = temporaryFolder();
  const outside = temporaryFolder();
  await mkdir(path.join(folder, 'a', 'b'), { recursive: true });
  await writeFile(path.join(folder, 'a', 'b', 'one'), Buffer.alloc(700));
  await writeFile(path.join(folder, 'two'), Buffer.alloc(50));
  expect(await measureFolder(folder)).toBe(750);
  await writeFile(path.join(outside, 'large'), Buffer.alloc(100_000));
  await symlink(outside, path.join(folder, 'link'), 'junction');
  expect(await measureFolder(folder)).toBeLessThan(2000);
  expect(await measureFolder(path.join(folder, 'absent'))).toBe(0);
});
