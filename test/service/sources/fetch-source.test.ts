import { execFileSync } from 'node:child_process';
import { readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fetchSource } from '../../../electron/service/sources/fetch-source.ts';
import type { StoredSource } from '../../../electron/service/store/stored-task.ts';
import { temporaryFolder } from '../../support/service.ts';

async function bring(source: StoredSource, folder: string, maxSourceBytes = 100): Promise<string> {
  const toPath = path.join(await temporaryFolder(), 'copy');
  const settings = { allowLocalSources: false, grantedFolders: [folder], maxSourceBytes };
  await fetchSource(source, { toPath, settings, signal: new AbortController().signal });
  return readFile(toPath, 'utf8');
}

describe('a source on this disk', () => {
  it('is copied', async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, 'a.jpg');
    await writeFile(file, 'abc');
    expect(await bring({ kind: 'file', path: file }, folder)).toBe('abc');
    expect(await bring({ kind: 'data', path: file, name: 'a' }, '/nowhere')).toBe('abc');
  });

  it('is refused when it became a link out of its folder since it was submitted', async () => {
    const [folder, outside] = [await temporaryFolder(), await temporaryFolder()];
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
    const folder = await temporaryFolder();
    const pipe = path.join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await expect(bring({ kind: 'file', path: pipe }, folder)).rejects.toMatchObject({
      code: 'SOURCE_REFUSED',
    });
  });

  it('is refused when it is larger than the limit', async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, 'a.jpg');
    await writeFile(file, 'x'.repeat(101));
    await expect(bring({ kind: 'file', path: file }, folder)).rejects.toMatchObject({
      code: 'SOURCE_TOO_LARGE',
    });
  });
});
