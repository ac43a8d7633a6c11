/** What whoever can write in the pool's shared folder puts there leads no machine out of it, and holds none up. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFolderStorage } from '../../../../packages/pool/src/bytes/folder-storage.ts';
import { createTransfers } from '../../../../packages/pool/src/bytes/transfers.ts';
import { DamagedFile, type PoolStorage } from '../../../../packages/pool/src/bytes/storage.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const signal = new AbortController().signal;
const me = '0123456789abcdef';

let folder: string;
let share: string;
/** A person's folder outside of the share. */
let outside: string;
let storage: PoolStorage;

beforeEach(async () => {
  folder = temporaryFolder();
  share = path.join(folder, 'share');
  outside = path.join(folder, 'Pictures');
  await mkdir(share);
  await mkdir(path.join(outside, 'holiday'), { recursive: true });
  await writeFile(path.join(outside, 'holiday', 'beach.jpg'), 'a photo');
  storage = createFolderStorage(share);
});

const untouched = async () => {
  expect(await readFile(path.join(outside, 'holiday', 'beach.jpg'), 'utf8')).toBe('a photo');
  expect((await readdir(outside, { recursive: true })).sort()).toEqual([
    'holiday',
    path.join('holiday', 'beach.jpg'),
  ]);
};

const write = (name: string, bytes = 'bytes') =>
  storage.write(name, Readable.from([Buffer.from(bytes)]), signal);

describe.skipIf(process.platform === 'win32')('a link in the shared folder', () => {
  test('in the place of a machine is neither listed, swept, read nor written through', async () => {
    await symlink(outside, path.join(share, me));
    await expect(storage.list(me)).rejects.toMatchObject({ code: 'CANNOT_WRITE' });
    await expect(storage.removeAll(`${me}/holiday`)).rejects.toMatchObject({
      code: 'CANNOT_WRITE',
      message: expect.stringContaining('link') as string,
    });
    await expect(write(`${me}/file`)).rejects.toMatchObject({ code: 'CANNOT_WRITE' });
    await expect(storage.read(`${me}/holiday/beach.jpg`, signal)).rejects.toMatchObject({
      code: 'SOURCE_REFUSED',
    });
    await storage.removeAll(me);
    expect(await readdir(share)).toEqual([]);
    await untouched();
  });

  test('in the place of a job leads nowhere, and its removal takes the link alone', async () => {
    await mkdir(path.join(share, me));
    await symlink(path.join(outside, 'holiday'), path.join(share, me, 'job'));
    await expect(write(`${me}/job/file`)).rejects.toMatchObject({ code: 'CANNOT_WRITE' });
    await expect(storage.read(`${me}/job/beach.jpg`, signal)).rejects.toMatchObject({
      code: 'SOURCE_REFUSED',
    });
    await storage.removeAll(`${me}/job`);
    expect(existsSync(path.join(share, me))).toBe(false);
    await untouched();
  });

  test('in the place of a file is not read, and is replaced when a file is written', async () => {
    const photo = path.join(outside, 'holiday', 'beach.jpg');
    await mkdir(path.join(share, me, 'job'), { recursive: true });
    await symlink(photo, path.join(share, me, 'job', 'source'));
    await expect(storage.read(`${me}/job/source`, signal)).rejects.toMatchObject({
      code: 'SOURCE_REFUSED',
    });
    await write(`${me}/job/source`, 'new');
    expect(await readFile(path.join(share, me, 'job', 'source'), 'utf8')).toBe('new');
    await untouched();
  });

  test('among the files of a job goes with it, and what it leads to stays', async () => {
    await write(`${me}/job/source`);
    await symlink(outside, path.join(share, me, 'job', 'more'));
    await mkdir(path.join(share, me, 'job', 'deeper'));
    await symlink(outside, path.join(share, me, 'job', 'deeper', 'still'));
    await storage.removeAll(`${me}/job`);
    expect(await readdir(share)).toEqual([]);
    await untouched();
  });

  test.skipIf(process.platform !== 'linux')(
    'that takes turns with a real folder never leads out of the share',
    async () => {
      const [place, parked] = [path.join(share, me), path.join(share, 'parked')];
      await mkdir(path.join(place, 'holiday'), { recursive: true });
      const lead = path.join(share, 'lead');
      await symlink(outside, lead);
      const swap = async () => {
        await rename(place, parked).catch(() => undefined);
        await rename(lead, place).catch(() => undefined);
        await rename(place, lead).catch(() => undefined);
        await rename(parked, place).catch(() => undefined);
      };
      const refused = { code: expect.stringMatching(/^(CANNOT_WRITE|SOURCE_|ENOENT)/) as string };
      const tolerant = (work: Promise<unknown>) =>
        work.then(
          () => undefined,
          (thrown: unknown) => {
            expect(thrown).toMatchObject(refused);
          },
        );
      for (let turn = 0; turn < 150; turn += 1)
        await Promise.all([
          swap(),
          tolerant(storage.removeAll(`${me}/holiday`)),
          tolerant(write(`${me}/holiday/turn-${turn}`)),
          tolerant(
            storage.read(`${me}/holiday/beach.jpg`, signal).then((stream) => {
              stream.destroy();
              throw new Error('A file outside of the share was read.');
            }),
          ),
        ]);
      await untouched();
    },
  );

  test('is followed where the person chose it as the shared folder', async () => {
    const chosen = path.join(folder, 'chosen');
    await symlink(share, chosen);
    storage = createFolderStorage(chosen);
    await storage.check();
    await write(`${me}/job/source`, 'here');
    expect(await readFile(path.join(share, me, 'job', 'source'), 'utf8')).toBe('here');
  });
});

describe.skipIf(process.platform === 'win32')('a pipe in the shared folder', () => {
  const makePipe = async (...way: string[]) => {
    await mkdir(path.join(share, ...way.slice(0, -1)), { recursive: true });
    execFileSync('mkfifo', [path.join(share, ...way)]);
  };

  test('in the place of a file is refused at once, and as damage of who sent it', async () => {
    await makePipe(me, 'job', 'source');
    const transfers = createTransfers(storage, '');
    const stored = { name: `${me}/job/source`, sizeBytes: 5, sha256: '0'.repeat(64) };
    const to = path.join(folder, 'to');
    await expect(transfers.receive(stored, to, signal)).rejects.toBeInstanceOf(DamagedFile);
    expect(existsSync(to)).toBe(false);
  });

  test('in the place of a folder is no folder, and goes when the job goes', async () => {
    await makePipe(me, 'job');
    await expect(write(`${me}/job/source`)).rejects.toMatchObject({ code: 'CANNOT_WRITE' });
    await storage.removeAll(`${me}/job`);
    expect(await readdir(share)).toEqual([]);
    await makePipe(me);
    await expect(storage.list(me)).rejects.toMatchObject({ code: 'CANNOT_WRITE' });
  });
});

test('a file that is longer than its sender said is read no further than that', async () => {
  const bytes = randomBytes(3_000_000);
  await mkdir(path.join(share, me));
  await writeFile(path.join(share, me, 'long'), bytes);
  const transfers = createTransfers(storage, '');
  const stored = { name: `${me}/long`, sizeBytes: 1000, sha256: '0'.repeat(64) };
  await expect(transfers.receive(stored, path.join(folder, 'to'), signal)).rejects.toThrow(
    /more than the 1000 bytes/,
  );
});

test('another name of a file of the machine is no way to change that file', async () => {
  const photo = path.join(outside, 'holiday', 'beach.jpg');
  await mkdir(path.join(share, me, 'job'), { recursive: true });
  await link(photo, path.join(share, me, 'job', 'source'));
  await write(`${me}/job/source`, 'new');
  await storage.removeAll(`${me}/job`);
  await untouched();
});

test('a folder that others fill is deleted in parts, so that nobody waits for all of it', async () => {
  const job = path.join(share, me, 'job');
  await mkdir(job, { recursive: true });
  for (let i = 0; i < 25; i += 1) await writeFile(path.join(job, `${i}`), '');
  const slow = createFolderStorage(share, 11);
  await slow.removeAll(`${me}/job`);
  expect(await readdir(job)).toHaveLength(15);
  await slow.removeAll(`${me}/job`);
  await slow.removeAll(`${me}/job`);
  expect(existsSync(job)).toBe(false);
});
