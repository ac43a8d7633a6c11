/** A granted photo is copied once, however often it is looked at and run. */
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { EngineHost } from '../../../electron/engine/host/host.ts';
import { createSourceCopies } from '../../../electron/service/sources/source-copies.ts';
import { openService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A photo that nobody has written for a while, and a place for copies of it. */
async function openCopies(limits: { idleMs?: number; maxBytes?: number } = {}) {
  const [folder, scratchDir] = [temporaryFolder(), temporaryFolder()];
  const copies = createSourceCopies({ scratchDir, ...limits });
  onTestFinished(() => copies.close());
  const write = async (text: string, agoMs = 60_000, name = 'a.jpg') => {
    const file = path.join(folder, name);
    await writeFile(file, text);
    const then = new Date(Date.now() - agoMs);
    await utimes(file, then, then);
    return file;
  };
  const photo = await write('photo');
  let count = 0;
  /** @returns the bytes on the disk that it got */
  const fetch = async (
    given: { file?: string; granted?: string[]; maxSourceBytes?: number } = {},
  ) => {
    const toPath = path.join(scratchDir, `own-${(count += 1)}`);
    const { file = photo, granted: grantedFolders = [folder], maxSourceBytes = 100 } = given;
    const settings = { allowLocalSources: false, grantedFolders, maxSourceBytes };
    const { signal } = new AbortController();
    await copies.fetch({ kind: 'file', path: file }, { toPath, signal, settings });
    return { inode: (await stat(toPath)).ino, text: await readFile(toPath, 'utf8') };
  };
  const left = async () => (await readdir(scratchDir)).filter((name) => name.startsWith('copy-'));
  return { copies, write, fetch, left };
}

describe('a granted file', () => {
  it('is copied once for all that ask soon after each other, and at the same time', async () => {
    const { fetch, left } = await openCopies();
    const all = await Promise.all([fetch(), fetch(), fetch()]);
    all.push(await fetch());
    expect(new Set(all.map(({ inode }) => inode)).size).toBe(1);
    expect(all.every(({ text }) => text === 'photo')).toBe(true);
    expect(await left()).toHaveLength(1);
  });

  it('is copied again when it was written, and each time while it may be written on', async () => {
    const { fetch, write, left } = await openCopies();
    const first = await fetch();
    await write('other');
    const second = await fetch();
    expect([first.text, second.text]).toEqual(['photo', 'other']);
    const fresh = await write('fresh', -60_000, 'b.jpg');
    const both = [await fetch({ file: fresh }), await fetch({ file: fresh })];
    expect(new Set(both.map(({ inode }) => inode)).size).toBe(2);
    expect(await left()).toHaveLength(2);
  });

  it('is refused whatever is kept of it: without its grant, or by a smaller limit', async () => {
    const { fetch } = await openCopies();
    await fetch();
    await expect(fetch({ granted: [] })).rejects.toMatchObject({ code: 'SOURCE_REFUSED' });
    await expect(fetch({ maxSourceBytes: 4 })).rejects.toMatchObject({ code: 'SOURCE_TOO_LARGE' });
    expect((await fetch()).text).toBe('photo');
  });

  it('stays for a while only, and as long as there is room', async () => {
    const { fetch, left } = await openCopies({ idleMs: 20 });
    await fetch();
    await expect.poll(left).toEqual([]);
    const few = await openCopies({ maxBytes: 12 });
    await few.fetch();
    await few.fetch({ file: await few.write('second', 60_000, 'b.jpg') });
    await few.fetch({ file: await few.write('third', 60_000, 'c.jpg') });
    expect(await few.left()).toHaveLength(2);
    await few.fetch({ file: await few.write('larger than that', 60_000, 'd.jpg') });
    expect(await few.left()).toHaveLength(2);
  });

  it('is let go when the service ends', async () => {
    const { fetch, copies, left } = await openCopies();
    await fetch();
    await copies.close();
    expect(await left()).toEqual([]);
    await fetch();
    expect(await left()).toEqual([]);
  });
});

it('a thumbnail, a preview and a run of one granted photo take one copy of it', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'photo.jpg');
  await writeFile(file, 'a photo');
  await utimes(file, new Date(1e12), new Date(1e12));
  const read: { by: string; inode: number }[] = [];
  const note = async (by: string, at: string) => read.push({ by, inode: (await stat(at)).ino });
  const service = await openService({
    allowFolders: [folder],
    createEngine: (): EngineHost => ({
      async run(job) {
        await note('run', job.sourcePath);
        throw new EnlargerError('UNREADABLE_IMAGE', 'It is no picture.');
      },
      inspect: () =>
        Promise.resolve({
          format: 'jpeg',
          width: 9,
          height: 9,
          bitDepth: 8,
          channels: 3,
          pages: 1,
          sizeBytes: 7,
        }),
      async work(kind, asked) {
        if ('sourcePath' in asked) await note(kind, asked.sourcePath);
        throw new EnlargerError('UNREADABLE_IMAGE', 'It is no picture.');
      },
      devices: () => Promise.resolve({ devices: [] }),
      speeds: () => [],
      measure: () => Promise.resolve(undefined),
      warmUp: () => undefined,
      close: () => Promise.resolve(),
    }),
  });
  const imageUrl = `file://${file}`;
  await service.call('POST', '/api/thumbnails', { imageUrl });
  await service.call('POST', '/api/previews', { imageUrl, x: 5, y: 5 });
  await service.call('POST', '/api/image-upscaler', { imageUrl });
  await expect.poll(() => read.map(({ by }) => by)).toContain('run');
  expect(new Set(read.map(({ by }) => by))).toEqual(new Set(['thumbnail', 'open', 'run']));
  expect(new Set(read.map(({ inode }) => inode)).size).toBe(1);
});
