import { execFileSync } from 'node:child_process';
import { readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { Settings } from '../../../packages/contract/src/settings/settings.ts';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import { fetchSource } from '../../../electron/service/sources/fetch-source.ts';
import { inspectSource } from '../../../electron/service/sources/inspect-source.ts';
import type { TaskSource } from '../../../electron/service/store/tasks/task.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const defaultSettings = Value.Parse(Settings, Value.Default(Settings, {}));
const inspection = {
  format: 'tiff',
  width: 100,
  height: 50,
  bitDepth: 8,
  channels: 3,
  pages: 1,
};

async function bring(source: TaskSource, folder: string, maxSourceBytes = 100): Promise<string> {
  const toPath = path.join(temporaryFolder(), 'copy');
  const settings = { allowLocalSources: false, grantedFolders: [folder], maxSourceBytes };
  await fetchSource(source, { toPath, settings, signal: new AbortController().signal });
  return readFile(toPath, 'utf8');
}

describe('a source on this disk', () => {
  it('is copied', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'a.jpg');
    await writeFile(file, 'abc');
    expect(await bring({ kind: 'file', path: file }, folder)).toBe('abc');
    expect(await bring({ kind: 'data', path: file, name: 'a' }, '/nowhere')).toBe('abc');
  });

  it('is refused when it became a link out of its folder since it was submitted', async () => {
    const [folder, outside] = [temporaryFolder(), temporaryFolder()];
    const file = path.join(folder, 'a.jpg');
    await writeFile(path.join(outside, 'secret'), 'secret');
    await symlink(path.join(outside, 'secret'), file);
    await expect(bring({ kind: 'file', path: file }, folder)).rejects.toMatchObject({
      code: 'SOURCE_REFUSED',
    });
    await rename(file, path.join(folder, 'b.jpg'));
    await expect(bring({ kind: 'file', path: file }, folder)).rejects.toMatchObject({
      code: 'SOURCE_REFUSED',
    });
  });

  it('is refused when it is a pipe, without waiting for it', async () => {
    const folder = temporaryFolder();
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(bring({ kind: 'file', path: pipe }, folder)).rejects.toMatchObject({
      code: 'SOURCE_REFUSED',
    });
  });

  it('is refused when it is larger than the limit', async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'a.jpg');
    await writeFile(file, 'x'.repeat(101));
    await expect(bring({ kind: 'file', path: file }, folder)).rejects.toMatchObject({
      code: 'SOURCE_TOO_LARGE',
    });
  });
});

describe('a look at a source', () => {
  it('reads the head of a large photo and no more of it', async () => {
    const [folder, scratchDir] = [temporaryFolder(), temporaryFolder()];
    const file = path.join(folder, 'a.tif');
    await writeFile(file, Buffer.alloc(3 * 1024 * 1024, 1));
    const looked: number[] = [];
    const look = (isClear: (sizeBytes: number) => boolean) =>
      inspectSource(
        { kind: 'file', path: file },
        {
          scratchDir,
          fetchSource,
          settings: () => ({ ...defaultSettings, grantedFolders: [folder] }),
          async inspect(at) {
            const { size } = await stat(at);
            looked.push(size);
            if (!isClear(size)) throw new EnlargerError('UNREADABLE_IMAGE', 'It is cut short.');
            return { ...inspection, sizeBytes: size };
          },
        },
      );
    expect(await look(() => true)).toMatchObject({ sizeBytes: 3 * 1024 * 1024 });
    expect(looked.splice(0)).toEqual([1024 * 1024]);
    await look((size) => size > 2 * 1024 * 1024);
    expect(looked).toEqual([1024 * 1024, 3 * 1024 * 1024]);
    expect(await readdir(scratchDir)).toEqual([]);
  });
});
