import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Estimate } from '../../../packages/contract/src/task.ts';
import { dataUrl, openService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('the estimate of a JPEG XL without loss', () => {
  const head = { format: 'jxl', width: 4000, height: 4000, bitDepth: 8, channels: 3, pages: 1 };
  const inspection = { ...head, sizeBytes: 24e6, lossless: true };

  it('is that of quality 100, as which its job is run', async () => {
    const service = await openService({ inspection });
    const estimate = async (fields: object) =>
      (await service.call('POST', '/api/estimate', { imageUrl: dataUrl, ...fields }))
        .body as Estimate;
    const found = await estimate({});
    expect(found).toMatchObject({ width: 8000, height: 8000, format: 'jxl' });
    expect(found.fileSizeBytes).toBe((await estimate({ quality: 100 })).fileSizeBytes);
    expect(found.fileSizeBytes).toBeGreaterThan((await estimate({ quality: 99 })).fileSizeBytes);
  });
});

describe("the estimate of a task's photo, run again", () => {
  it('needs no address of the photo, which may be one of a watched folder', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'a.jpg');
    await writeFile(file, 'a picture');
    const service = await openService({ allowFolders: [folder] });
    const imageUrl = pathToFileURL(file).href;
    const taskId = await service.submit(imageUrl, { scale: 4 });
    await service.until(taskId, 'FINISHED');
    const estimate = async (fields: object) =>
      (await service.call('POST', '/api/estimate', fields)).body as Estimate;
    const found = await estimate({ taskId, scale: 2 });
    expect(found).toEqual(await estimate({ imageUrl, scale: 2 }));
    expect(found.width).toBeGreaterThan(0);
    expect(await estimate({ taskId, imageUrl })).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await estimate({})).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await estimate({ taskId: 'none' })).toMatchObject({ code: 'TASK_NOT_FOUND' });
  });

  it('is refused where the photo is gone', async () => {
    const service = await openService();
    const taskId = await service.submit();
    await service.until(taskId, 'FINISHED');
    const estimate = async () =>
      ((await service.call('POST', '/api/estimate', { taskId })).body as { code?: string }).code;
    await expect.poll(estimate, { timeout: 10_000 }).toBe('NOT_FOUND');
  });
});
