/**
 * A process with a decoder writes into the folder of results. One that was taken over has no key and no network, but
 * could leave links there for the service to follow: the service reads none.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlainFile, readPlainFile } from '../../../packages/files/src/plain-file.ts';
import { createPreviews } from '../../../electron/service/previews/previews.ts';
import { openTileFile } from '../../../electron/service/previews/tile-file.ts';
import { createResults } from '../../../electron/service/results/results.ts';
import { defaultSettings } from '../../support/default-settings.ts';
import { openService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const secret = 'what the engine cannot read';

async function secretFile(): Promise<string> {
  const file = path.join(temporaryFolder(), 'secret');
  await writeFile(file, secret);
  return file;
}

describe.skipIf(process.platform === 'win32')('a link in the folder of results', () => {
  it('is answered by no route and saved nowhere', async () => {
    const folder = temporaryFolder();
    const service = await openService({ allowFolders: [folder] });
    const taskId = await service.submit();
    const { imageUrl = '', thumbUrl = '' } = await service.until(taskId, 'FINISHED');
    const { sourceThumbUrl } = await service.record(taskId);
    const results = path.join(service.dataDir, 'results', taskId);
    const views = ['changes.png', 'mask.png', 'metadata.json', 'tiles.zip'];
    const names = new Set([
      ...(await readdir(results)),
      ...views.map((name) => `1-${name}`),
      ...['source-thumb.webp', 'source-tiles.zip', 'task.json', 'kept.json'],
    ]);
    const target = await secretFile();
    for (const name of names) {
      await rm(path.join(results, name), { force: true });
      await symlink(target, path.join(results, name));
    }
    const own = ['changes', 'mask', 'metadata', 'tiles/source', 'tiles/result'];
    const answers = await Promise.all([
      ...[imageUrl, thumbUrl, sourceThumbUrl].flatMap((url) => url ?? []).map((url) => fetch(url)),
      ...own.map((name) =>
        fetch(`${service.url}/api/task/${taskId}/${name}`, {
          headers: { authorization: `KEY ${service.key}` },
        }),
      ),
    ]);
    for (const answer of answers) expect(await answer.text()).not.toContain(secret);
    expect((await fetch(imageUrl)).status).toBe(404);
    const saved = await service.call('POST', `/api/task/${taskId}/save`, { saveTo: folder });
    expect(saved.status).toBeGreaterThanOrEqual(400);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not published as a result', async () => {
    const results = createResults(temporaryFolder());
    const { imagePath, thumbPath } = await results.prepare('task', 1);
    await symlink(await secretFile(), imagePath);
    await writeFile(thumbPath, 'a thumbnail');
    await expect(results.publish('task', 1, 'png')).rejects.toMatchObject({ code: 'ELOOP' });
    await rm(imagePath);
    execFileSync('mkfifo', [imagePath]);
    await expect(results.publish('task', 1, 'png')).rejects.toThrow('is no regular file');
    expect(existsSync(results.pathOf('task', '1.png'))).toBe(false);
  });
});

it('names in the files beside a result lead to no other folder', async () => {
  const dir = temporaryFolder();
  const results = createResults(dir);
  await mkdir(path.join(dir, 'task'));
  await writeFile(path.join(dir, 'secret'), secret);
  const thumb = { name: '1-thumb.webp', type: 'image/webp' };
  await writeFile(results.pathOf('task', thumb.name), 'a thumbnail');
  const files = { image: { name: '../secret', type: 'image/png' }, thumb };
  await results.writePendingExport('task', { files } as never);
  await results.writeManifest('task', { taskId: 'task', files } as never);
  expect(await results.readPendingExport('task')).toBeUndefined();
  expect(await results.readManifest('task')).toBeUndefined();
});

it('a file is read only where it is one, and no longer than expected', async () => {
  const file = await secretFile();
  expect((await readPlainFile(file, 100)).toString()).toBe(secret);
  await expect(readPlainFile(file, 5)).rejects.toThrow('expected at most 5');
  await expect(openPlainFile(path.dirname(file))).rejects.toThrow();
});

it('a preview is read from its own folder, whatever path the engine names', async () => {
  const scratchDir = temporaryFolder();
  const photo = path.join(scratchDir, 'photo');
  await writeFile(photo, 'a photo');
  const target = await secretFile();
  const responses = {
    outside: () => target,
    above: ({ scratchDir: own }: { scratchDir: string }) => `${own}/../../secret`,
    link: async ({ scratchDir: own }: { scratchDir: string }) => {
      await symlink(path.dirname(target), path.join(own, 'folder'));
      return path.join(own, 'folder/secret');
    },
    own: async ({ scratchDir: own }: { scratchDir: string }) => {
      await writeFile(path.join(own, 'source.png'), 'a crop');
      return path.join(own, 'source.png');
    },
  };
  const previewBy = async (respond: keyof typeof responses) => {
    const work = async (what: string, request: { scratchDir: string }) =>
      what === 'open'
        ? { rasterPath: photo, width: 1, height: 1 }
        : {
            made: [],
            sourcePath: await responses[respond](request),
            x: 0,
            y: 0,
            width: 1,
            height: 1,
          };
    const previews = createPreviews({
      ...{ scratchDir, engine: { work }, settings: () => defaultSettings, models: {} },
      fetchSource: () => Promise.reject(new Error('Nothing is fetched.')),
    } as never);
    const source = { kind: 'data', path: photo, name: 'photo' } as const;
    const order = { source, x: 0, y: 0, operation: 'upscale', scale: 2, models: [] } as const;
    const { signal } = new AbortController();
    try {
      return await previews.make({ ...order, models: [] }, signal);
    } finally {
      await previews.close();
    }
  };
  expect((await previewBy('own')).source.imageUrl).toContain(
    Buffer.from('a crop').toString('base64'),
  );
  for (const lie of ['outside', 'above', 'link'] as const)
    await expect(previewBy(lie), lie).rejects.toThrow();
});

it('tiles whose directory says that it has gigabytes are not read', async () => {
  const file = path.join(temporaryFolder(), 'tiles.zip');
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(0xfffffff0, 12);
  await writeFile(file, end);
  await expect(openTileFile(file)).rejects.toThrow('too large');
});
