import { readFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { renameWithoutOverwriting } from '../../../packages/files/src/exclusive-name.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('a file gets a name that is free, and takes that of no other', async () => {
  const folder = temporaryFolder();
  const [first, second] = [path.join(folder, '.1'), path.join(folder, '.2')];
  const to = path.join(folder, 'photo.jpg');
  await writeFile(first, 'new');
  expect(await renameWithoutOverwriting(first, to)).toBe(true);
  await writeFile(second, 'newer');
  expect(await renameWithoutOverwriting(second, to)).toBe(false);
  expect(await readFile(to, 'utf8')).toBe('new');
});

it('a name that was reserved is free again where the file cannot get it', async () => {
  const folder = temporaryFolder();
  const placing = renameWithoutOverwriting(path.join(folder, 'gone'), path.join(folder, 'a.jpg'));
  await expect(placing).rejects.toThrow('ENOENT');
  expect(await readdir(folder)).toEqual([]);
});
