import {
  chmod,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { openFolderInside } from '../../../packages/files/src/folder-handle.ts';
import { describe, expect, it } from 'vitest';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import {
  saveToFolder,
  saveTokenOf,
  type SaveRequest,
} from '../../../electron/service/results/save-to-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Wanted = Omit<SaveRequest, 'folder'> & { folder: string };

const save = async ({ folder, ...request }: Wanted) =>
  saveToFolder({ ...request, folder: await openFolderInside(folder, []) });

async function prepare() {
  const dir = temporaryFolder();
  const folder = join(dir, 'mine');
  await mkdir(folder);
  await writeFile(join(dir, 'result'), 'the image');
  const recorded: (string | undefined)[] = [];
  const request: Wanted = {
    token: 'token',
    from: join(dir, 'result'),
    folder,
    nameFor: (n) => (n === 1 ? 'a.jpg' : `a (${n}).jpg`),
    rule: 'number',
    recorded: undefined,
    record: (path) => recorded.push(path),
  };
  const temporary = join(folder, '.enlarger-token.part');
  return { folder, recorded, request, temporary };
}

describe('saving', () => {
  it('copies under the name, and leaves nothing else', async () => {
    const { folder, recorded, request } = await prepare();
    expect(await save(request)).toBe(join(folder, 'a.jpg'));
    expect(await readdir(folder)).toEqual(['a.jpg']);
    expect(recorded).toEqual([join(folder, 'a.jpg')]);
  });

  it('never overwrites: it takes the next free number', async () => {
    const { folder, request } = await prepare();
    for (const name of ['a.jpg', 'a (2).jpg'])
      await writeFile(join(folder, name), "a person's own");
    expect(await save(request)).toBe(join(folder, 'a (3).jpg'));
    expect(await readFile(join(folder, 'a.jpg'), 'utf8')).toBe("a person's own");
  });

  it('overwrites, or leaves the file that is there, when it is told to', async () => {
    const { folder, request } = await prepare();
    const path = join(folder, 'a.jpg');
    await writeFile(path, "a person's own");
    expect(await save({ ...request, rule: 'skip' })).toBeUndefined();
    expect(await readFile(path, 'utf8')).toBe("a person's own");
    expect(await save({ ...request, rule: 'overwrite' })).toBe(path);
    expect(await readFile(path, 'utf8')).toBe('the image');
    expect(await readdir(folder)).toEqual(['a.jpg']);
  });

  it('keeps the times of the photo', async () => {
    const { request } = await prepare();
    const mtime = new Date('2001-02-03T04:05:06Z');
    const path = await save({ ...request, times: { atime: mtime, mtime } });
    expect((await stat(path!)).mtime).toEqual(mtime);
  });

  it('of many at once gives each a name of its own', async () => {
    const { folder, request } = await prepare();
    const saves = Array.from({ length: 12 }, (_, i) => save({ ...request, token: `t${i}` }));
    expect(new Set(await Promise.all(saves)).size).toBe(12);
    expect(await readdir(folder)).toHaveLength(12);
  });

  it('again after a crash keeps the copy that is there', async () => {
    const { folder, request, temporary } = await prepare();
    const path = join(folder, 'a.jpg');
    await writeFile(path, 'copied before');
    expect(await save({ ...request, recorded: path })).toBe(path);
    await link(path, temporary);
    expect(await save({ ...request, recorded: path })).toBe(path);
    expect(await readFile(path, 'utf8')).toBe('copied before');
    expect(await readdir(folder)).toEqual(['a.jpg']);
  });

  it("again after a crash does not take another's file of the recorded name for its own", async () => {
    const { folder, request, temporary } = await prepare();
    const path = join(folder, 'a.jpg');
    await writeFile(path, "a person's own");
    await writeFile(temporary, 'half a co');
    expect(await save({ ...request, recorded: path })).toBe(join(folder, 'a (2).jpg'));
    expect((await readdir(folder)).toSorted()).toEqual(['a (2).jpg', 'a.jpg']);
  });

  it('into a folder that is gone is CANNOT_WRITE with a sentence, and the record is taken back', async () => {
    const { request, recorded } = await prepare();
    const gone = join(request.folder, 'gone');
    await mkdir(gone);
    const folder = await openFolderInside(request.folder, ['gone']);
    await rm(gone, { recursive: true });
    const saving = saveToFolder({ ...request, folder });
    await expect(saving).rejects.toMatchObject({
      code: 'CANNOT_WRITE',
      message: /gone: it is not there/,
    });
    expect(recorded).toEqual([undefined]);
  });

  it.skipIf(process.getuid?.() === 0)(
    'into a folder that is read-only is CANNOT_WRITE',
    async () => {
      const { request, folder } = await prepare();
      await chmod(folder, 0o500);
      await expect(save(request)).rejects.toMatchObject({ code: 'CANNOT_WRITE' });
    },
  );

  it('of a cancelled task stops and leaves nothing', async () => {
    const { request, folder } = await prepare();
    const record = () => {
      throw new EnlargerError('CANCELLED', 'The task was cancelled.');
    };
    await expect(save({ ...request, record })).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('does not write through a link that was put at the temporary name, or at the name', async () => {
    const { request, folder, temporary } = await prepare();
    const outside = join(folder, '../outside');
    await writeFile(outside, 'not to be touched');
    await symlink(outside, temporary);
    await symlink(outside, join(folder, 'a.jpg'));
    expect(await save(request)).toBe(join(folder, 'a (2).jpg'));
    expect(await save({ ...request, rule: 'overwrite' })).toBe(join(folder, 'a.jpg'));
    expect(await readFile(outside, 'utf8')).toBe('not to be touched');
    expect((await lstat(join(folder, 'a.jpg'))).isFile()).toBe(true);
  });

  it('names its temporary file as nobody without the secret can guess', () => {
    const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    expect(saveTokenOf(one, 'task')).toBe(saveTokenOf(one, 'task'));
    expect(saveTokenOf(one, 'task')).not.toBe(saveTokenOf(other, 'task'));
  });
});
