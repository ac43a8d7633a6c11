/** Files that the person gives: found, described, and granted no wider than they were meant. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../packages/api-client/src/client.ts';
import { listPickedFiles } from '../electron/picked-files.ts';
import { createGranter, planGrants } from '../electron/granting.ts';
import { openService } from './support/service.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

describe('files given to the application', () => {
  it('are those named, and the pictures of named folders in the order of people', async () => {
    const dir = temporaryFolder();
    await mkdir(path.join(dir, 'day 1/raw'), { recursive: true });
    await mkdir(path.join(dir, 'day 1/.cache'));
    const names = ['day 1/10.jpg', 'day 1/9.JPG', 'day 1/raw/a.nef', 'day 1/notes.txt'];
    for (const name of [...names, 'day 1/.hidden.jpg', 'day 1/.cache/t.png', 'odd.xyz'])
      await writeFile(path.join(dir, name), 'x');
    const found = await listPickedFiles([
      path.join(dir, 'odd.xyz'),
      path.join(dir, 'day 1'),
      path.join(dir, 'gone.jpg'),
    ]);
    expect(found.map(({ name, inFolder }) => [inFolder, name])).toEqual([
      ['', 'odd.xyz'],
      ['', '9.JPG'],
      ['', '10.jpg'],
      ['raw', 'a.nef'],
    ]);
    expect(found[1]).toMatchObject({ sizeBytes: 1, path: path.join(dir, 'day 1/9.JPG') });
    expect(found[1]!.imageUrl).toMatch(/^file:\/\/\/.*day%201\/9\.JPG$/);
  });

  it('leave out of folders what Enlarger made, by name and by mark, and take it by itself', async () => {
    const dir = temporaryFolder();
    await mkdir(path.join(dir, 'day 2'));
    const marked = 'Exif … Enlarger 1.0.0 natural 2x\0';
    for (const name of ['a.jpg', 'a-2x.jpg', 'a-2x (2).png', 'b-2x.jpg', 'day 2/a-2x.jpg'])
      await writeFile(path.join(dir, name), 'x');
    await writeFile(path.join(dir, 'renamed.jpg'), marked);
    const names = async (given: string) => (await listPickedFiles([given])).map(({ name }) => name);
    // Beside no photo of that name it is a photo.
    expect(await names(dir)).toEqual(['a.jpg', 'b-2x.jpg', 'a-2x.jpg']);
    expect(await names(path.join(dir, 'a-2x.jpg'))).toEqual(['a-2x.jpg']);
    expect(await names(path.join(dir, 'renamed.jpg'))).toEqual(['renamed.jpg']);
  });

  it.skipIf(process.platform === 'win32')('are not looked for through links', async () => {
    const dir = temporaryFolder();
    await mkdir(path.join(dir, 'a'));
    await writeFile(path.join(dir, 'a/one.png'), 'x');
    await symlink(dir, path.join(dir, 'a/round'));
    expect(await listPickedFiles([dir])).toHaveLength(1);
  });
});

describe('what is granted for chosen files', () => {
  const file = (place: string) => ({ path: place, isFolder: false });
  const folder = (place: string) => ({ path: place, isFolder: true });
  const plan = (chosen: { path: string; isFolder: boolean }[], granted: string[] = []) =>
    planGrants(chosen, granted, '/home/ada', path.posix);

  it('is their folder, once', () => {
    expect(plan([file('/home/ada/wedding/1.jpg'), file('/home/ada/wedding/2.jpg')])).toEqual([
      '/home/ada/wedding',
    ]);
  });

  it('is only the file where its folder is the home, holds it, or is the whole disk', () => {
    const files = ['/home/ada/1.jpg', '/home/2.jpg', '/3.jpg'].map(file);
    expect(plan(files)).toEqual(['/home/ada/1.jpg', '/home/2.jpg', '/3.jpg']);
    const windows = [{ path: 'D:\\card.jpg', isFolder: false }];
    expect(planGrants(windows, [], 'C:\\Users\\ada', path.win32)).toEqual(['D:\\card.jpg']);
  });

  it('is a chosen folder as it is', () => {
    expect(plan([folder('/home/ada')])).toEqual(['/home/ada']);
  });

  it('is nothing that is granted already', () => {
    expect(plan([file('/p/a/1.jpg'), folder('/p/a/b')], ['/p'])).toEqual([]);
    expect(plan([file('/pictures/1.jpg')], ['/p'])).toEqual(['/pictures']);
  });

  it('lets the service read what it could not before, also when given at the same moment', async () => {
    const service = await openService();
    const photos = temporaryFolder();
    const client = createClient({ url: service.url, key: service.key });
    const grant = createGranter(() => client, '/home/ada');
    const [first, second] = ['a', 'b'].map((name) => path.join(photos, name, '1.png'));
    for (const one of [first!, second!]) {
      await mkdir(path.dirname(one));
      await writeFile(one, 'x');
    }
    await Promise.all([grant([first!]), grant([second!]), grant(['/gone.jpg'])]);
    const [given] = await listPickedFiles([second!]);
    await expect(service.submit(given!.imageUrl)).resolves.toEqual(expect.any(String));
    expect((await client.settings()).grantedFolders).toEqual([
      path.dirname(first!),
      path.dirname(second!),
    ]);
  });
});
