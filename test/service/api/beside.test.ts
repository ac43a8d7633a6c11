/** Results that land: beside their photo, in a subfolder there, or later in any folder. */
import { chmod, mkdir, readdir, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isFolderName, subfolderIn } from '../../../packages/contract/src/options/destination.ts';
import type { Estimate } from '../../../packages/contract/src/task.ts';
import { dataUrl, openService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function openWithPhoto() {
  const folder = await realpath(temporaryFolder());
  const photo = path.join(folder, 'beach.jpg');
  await writeFile(photo, 'a photo');
  const service = await openService({ allowFolders: [folder] });
  return { service, folder, imageUrl: pathToFileURL(photo).href };
}

describe('a place that is told from the photo', () => {
  it('is its own folder, or a subfolder that is made', async () => {
    const { service, folder, imageUrl } = await openWithPhoto();
    const beside = await service.submit(imageUrl, { saveTo: '.' });
    await service.until(beside, 'FINISHED');
    const own = await service.record(beside);
    expect(path.dirname(own.savedTo ?? '')).toBe(folder);
    const below = await service.submit(imageUrl, { saveTo: './enlarged' });
    await service.until(below, 'FINISHED');
    const record = await service.record(below);
    expect(path.dirname(record.savedTo ?? '')).toBe(path.join(folder, 'enlarged'));
    expect(record.options.saveTo).toBe(path.join(folder, 'enlarged'));
    expect(await readdir(path.join(folder, 'enlarged'))).toHaveLength(1);
  });

  it('is refused where a photo has no folder, and leads nowhere else', async () => {
    const { service, folder, imageUrl } = await openWithPhoto();
    await mkdir(path.join(folder, 'in'));
    const submit = (url: string, saveTo: string) =>
      service.call('POST', '/api/image-upscaler', { imageUrl: url, saveTo });
    const upload = await submit(dataUrl, '.');
    expect([upload.status, upload.text]).toMatchObject([400, expect.stringMatching(/saveTo/)]);
    for (const place of [
      '..',
      '..',
      '../results',
      './../x',
      '../results',
      '../results/',
      './a/b',
      './a\\b',
    ])
      expect((await submit(imageUrl, place)).status, place).toBeGreaterThanOrEqual(400);
    const outside = temporaryFolder();
    const ungranted = path.join(outside, 'x.jpg');
    await writeFile(ungranted, 'x');
    expect((await submit(pathToFileURL(ungranted).href, '.')).status).toBe(403);
    expect(await readdir(folder)).toEqual(['beach.jpg', 'in']);
  });

  it('makes no folder for an estimate, and says when nothing can be written', async () => {
    const { service, folder, imageUrl } = await openWithPhoto();
    const ask = async (saveTo: string) => {
      const response = await service.call('POST', '/api/estimate', { imageUrl, saveTo });
      return response.body as Estimate;
    };
    expect((await ask('./new')).problem).toBeUndefined();
    expect(await readdir(folder)).toEqual(['beach.jpg']);
    if (process.getuid?.() === 0) return;
    await chmod(folder, 0o500);
    try {
      expect((await ask('.')).problem?.code).toBe('CANNOT_WRITE');
    } finally {
      await chmod(folder, 0o700);
    }
  });

  it('is told by names that every system takes', () => {
    for (const name of ['enlarged', 'Große Bilder', '.hidden', 'a.b'])
      expect(isFolderName(name), name).toBe(true);
    for (const name of ['', ' a', '.', '..', 'a.', 'a/b', 'a\\b', 'a:b', 'x'.repeat(101)])
      expect(isFolderName(name), name).toBe(false);
    expect([subfolderIn('.'), subfolderIn('./x'), subfolderIn('/x')]).toEqual(['', 'x', undefined]);
  });
});

describe('a result that is saved after its task has ended', () => {
  it('lands under its own name, is numbered, and the record says where', async () => {
    const { service, folder, imageUrl } = await openWithPhoto();
    const taskId = await service.submit(imageUrl, { scale: 2 });
    await service.until(taskId, 'FINISHED');
    expect((await service.record(taskId)).savedTo).toBeUndefined();
    const save = (body: object) => service.call('POST', `/api/task/${taskId}/save`, body);
    const both = await Promise.all([save({ saveTo: '.' }), save({ saveTo: '.' })]);
    const paths = both.map(({ body }) => (body as { savedTo: string }).savedTo).sort();
    expect(paths).toEqual([
      path.join(folder, 'beach-2x (2).jpg'),
      path.join(folder, 'beach-2x.jpg'),
    ]);
    expect(paths).toContain((await service.record(taskId)).savedTo);
    expect((await save({ saveTo: folder, onConflict: 'skip' })).body).toEqual({});
    expect((await save({ saveTo: '/' })).status).toBe(403);
    expect((await readdir(folder)).sort()).toEqual([
      'beach-2x (2).jpg',
      'beach-2x.jpg',
      'beach.jpg',
    ]);
  });

  it('may be taken by a client that saves it itself', async () => {
    const { service, imageUrl } = await openWithPhoto();
    const taskId = await service.submit(imageUrl);
    await service.until(taskId, 'FINISHED');
    const response = await service.call('POST', `/api/task/${taskId}/taken`);
    expect(response.status).toBe(204);
    expect((await service.record(taskId)).takenAt).toMatch(/^\d{4}-/);
  });

  it('is refused while there is none', async () => {
    const { service, imageUrl } = await openWithPhoto();
    await service.call('POST', '/api/queue/pause');
    const taskId = await service.submit(imageUrl);
    const save = await service.call('POST', `/api/task/${taskId}/save`, { saveTo: '.' });
    const taken = await service.call('POST', `/api/task/${taskId}/taken`);
    expect([save.status, taken.status]).toEqual([409, 409]);
  });
});
