/** A name that is taken in the folder of the results, with the rule to skip: nothing is computed for it. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ended, openRealService, patience } from '../../../support/real-service.ts';
import { dataUrl, openService } from '../../../support/service.ts';
import { writeSmallJpeg } from '../../../support/pictures.ts';

describe('a result whose name is taken', () => {
  it('is the file that has the name, without the network, and says so', patience, async () => {
    const service = await openRealService();
    const photo = path.join(service.folder, 'beach.jpg');
    await writeSmallJpeg(photo);
    const submit = async () => {
      const fields = { saveTo: service.folder, onConflict: 'skip' };
      return ended(service, await service.submit(pathToFileURL(photo).href, fields));
    };
    const first = await submit();
    const saved = first.savedTo ?? '';
    expect(path.basename(saved)).toBe('beach-2x.jpg');
    expect(first.model).toBeDefined();
    const before = await stat(saved);
    const second = await submit();
    expect(second.status).toBe('FINISHED');
    expect(second.notes.join()).toContain('a file of its name is there, and onConflict is skip');
    // No network ran, and nothing was touched.
    expect([second.model, second.device, second.timings.networkMs]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect((await stat(saved)).mtimeMs).toBe(before.mtimeMs);
    expect((await readdir(service.folder)).sort()).toEqual(['beach-2x.jpg', 'beach.jpg']);
    const result = await fetch(second.imageUrl ?? '');
    expect(Buffer.from(await result.arrayBuffer()).equals(await readFile(saved))).toBe(true);
    expect((await fetch(second.thumbUrl ?? '')).status).toBe(200);
    expect(second.output).toMatchObject({ width: first.output?.width, format: 'jpeg' });
  });

  it('is made where the file that has the name is no picture', patience, async () => {
    const service = await openRealService();
    const photo = path.join(service.folder, 'beach.jpg');
    await writeSmallJpeg(photo);
    await writeFile(path.join(service.folder, 'beach-2x.jpg'), 'no picture');
    const fields = { saveTo: service.folder, onConflict: 'skip' };
    const record = await ended(service, await service.submit(pathToFileURL(photo).href, fields));
    expect([record.status, record.savedTo]).toEqual(['FINISHED', undefined]);
    expect(record.model).toBeDefined();
    const there = await readFile(path.join(service.folder, 'beach-2x.jpg'), 'utf8');
    expect(there).toBe('no picture');
  });
});

describe('the record of a task that is not finished', () => {
  it('tells what it will make, and keeps it when the task fails', async () => {
    const service = await openService({
      script: () => ({ do: 'fail', code: 'UNREADABLE_IMAGE' }),
    });
    await service.call('POST', '/api/queue/pause');
    const taskId = await service.submit(dataUrl, { scale: 4 });
    const expected = { width: 400, height: 200, format: 'jpeg' };
    await expect.poll(async () => (await service.record(taskId)).estimate).toMatchObject(expected);
    expect((await service.record(taskId)).status).toBe('PENDING');
    await service.call('POST', '/api/queue/resume');
    await service.until(taskId, 'FAILED');
    expect((await service.record(taskId)).estimate).toMatchObject(expected);
  });
});
