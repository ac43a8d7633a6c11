import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createFolderStorage } from '../../../../packages/pool/src/bytes/folder-storage.ts';
import {
  createTransfers,
  openTransfers,
  type Transfers,
} from '../../../../packages/pool/src/bytes/transfers.ts';
import {
  readStorageAddress,
  type PoolStorage,
} from '../../../../packages/pool/src/bytes/storage.ts';
import { openTestBucket, type TestBucket } from '../../../support/s3-server.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const signal = new AbortController().signal;
const key = randomBytes(32).toString('base64url');

interface Place {
  transfers: Transfers;
  folder: string;
  /** Names of what lies there. */
  names: () => Promise<string[]>;
}

async function inFolder(secret: string): Promise<Place> {
  const folder = temporaryFolder();
  const share = path.join(folder, 'share');
  await mkdir(share);
  const names = async () =>
    (await readdir(share, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(share, path.join(entry.parentPath, entry.name)))
      .sort();
  return { transfers: await openTransfers(share, secret), folder, names };
}

async function inBucket(secret: string): Promise<Place & { bucket: TestBucket }> {
  const bucket = await openTestBucket();
  const names = () => Promise.resolve([...bucket.objects.keys()].sort());
  const folder = temporaryFolder();
  return { transfers: await openTransfers(bucket.address, secret), folder, names, bucket };
}

describe.each([
  ['a folder', inFolder, ''],
  ['a folder, encrypted', inFolder, key],
  ['a bucket', inBucket, ''],
  ['a bucket, encrypted', inBucket, key],
])('transfers in %s', (_name, openPlace, secret) => {
  test.each([0, 1000, 9_000_000])('of %i bytes arrive as they were sent', async (size) => {
    const { transfers, folder } = await openPlace(secret);
    const [from, to] = [path.join(folder, 'from'), path.join(folder, 'to')];
    const bytes = randomBytes(size);
    await writeFile(from, bytes);
    await transfers.storage.check();
    const stored = await transfers.send(from, 'me/task-1/source', signal);
    expect(stored.sizeBytes).toBe(size);
    await transfers.receive(stored, to, signal);
    expect((await readFile(to)).equals(bytes)).toBe(true);
  });

  test('are removed with all under their prefix, and with nothing else', async () => {
    const { transfers, folder, names } = await openPlace(secret);
    const from = path.join(folder, 'from');
    await writeFile(from, 'picture');
    for (const name of ['me/task-1/source', 'me/task-1/out-1', 'me/task-10/source'])
      await transfers.send(from, name, signal);
    expect((await transfers.storage.list('me')).sort()).toEqual(['task-1', 'task-10']);
    await transfers.storage.removeAll('me/task-1');
    await transfers.storage.removeAll('me/never');
    expect(await transfers.storage.list('me')).toEqual(['task-10']);
    await transfers.storage.removeAll('me/task-10');
    expect(await names()).toEqual([]);
  });

  test('that say another hash or size have no name here', async () => {
    const { transfers, folder } = await openPlace(secret);
    const [from, to] = [path.join(folder, 'from'), path.join(folder, 'to')];
    await writeFile(from, 'picture');
    const stored = await transfers.send(from, 'me/task-1/source', signal);
    const refusal = expect.objectContaining({ code: 'SOURCE_REFUSED' }) as unknown;
    const refused = async (said: object) =>
      expect(transfers.receive({ ...stored, ...said }, to, signal)).rejects.toEqual(refusal);
    await refused({ sha256: '0'.repeat(64) });
    await refused({ sizeBytes: 6 });
    await refused({ sizeBytes: 8 });
    await expect(
      transfers.receive({ ...stored, name: 'me/task-1/other' }, to, signal),
    ).rejects.toMatchObject({ code: 'SOURCE_UNREACHABLE' });
    expect(await readdir(folder)).not.toContain('to');
    expect(await readdir(folder)).not.toContain('to.arriving');
  });

  test('whose sending was stopped leave nothing', async () => {
    const { transfers, folder, names } = await openPlace(secret);
    const from = path.join(folder, 'from');
    await writeFile(from, randomBytes(1000));
    await expect(transfers.send(from, 'me/1/source', AbortSignal.abort())).rejects.toThrow();
    await expect(
      transfers.send(path.join(folder, 'none'), 'me/1/source', signal),
    ).rejects.toThrow();
    expect(await names()).toEqual([]);
  });

  test('have no names that lead elsewhere', async () => {
    const { transfers, folder } = await openPlace(secret);
    for (const name of ['../up', '/root', 'a//b', 'a/../b', 'a\\b', '.hidden', ''])
      await expect(
        transfers.receive({ name, sizeBytes: 1, sha256: '0'.repeat(64) }, folder, signal),
      ).rejects.toThrow(/name of a pool's file/);
  });
});

test('a bucket gets nothing readable when there is a key, and every request is signed', async () => {
  const { transfers, folder, bucket } = await inBucket(key);
  const from = path.join(folder, 'from');
  await writeFile(from, 'a picture '.repeat(1_000_000));
  await transfers.send(from, 'me/task-1/source', signal);
  expect([...bucket.objects.keys()]).toEqual(['studio/me/task-1/source']);
  for (const bytes of bucket.objects.values()) expect(bytes.includes('a picture')).toBe(false);
  expect(bucket.refused).toEqual([]);
  expect(bucket.openUploads()).toEqual([]);
});

test('a file in a folder has its name only when it is whole', async () => {
  const folder = temporaryFolder();
  const storage = createFolderStorage(folder);
  const ending = new AbortController();
  const bytes = new PassThrough();
  bytes.write('begin');
  const writing = storage.write('me/file', bytes, ending.signal);
  const names = () => readdir(path.join(folder, 'me')).catch(() => []);
  await expect.poll(names).toEqual([expect.stringMatching(/^file\..*\.part$/)]);
  ending.abort();
  await expect(writing).rejects.toThrow();
  expect(await names()).toEqual([]);
});

test('what was changed in the storage is noticed', async () => {
  const folder = temporaryFolder();
  const transfers = createTransfers(createFolderStorage(folder), '');
  const from = path.join(folder, 'from');
  await writeFile(from, 'picture');
  const stored = await transfers.send(from, 'me/file', signal);
  await truncate(path.join(folder, 'me/file'), 3);
  await expect(transfers.receive(stored, path.join(folder, 'to'), signal)).rejects.toThrow(
    /damaged/,
  );
});

test('a folder that is not there says so, and so does a bucket', async () => {
  const gone = createFolderStorage(path.join(temporaryFolder(), 'gone'));
  await expect(gone.check()).rejects.toThrow(/Mount the share/);
  const { address } = await openTestBucket();
  const other = await openTransfers(address.replace('photos', 'other'), '');
  await expect(other.storage.check()).rejects.toThrow(/bucket other/);
  const wrong = await openTransfers(address.replace('TESTKEY', 'ANOTHER'), '');
  await expect(wrong.storage.check()).rejects.toThrow(/access key/);
  const source = path.join(temporaryFolder(), 'source');
  await writeFile(source, 'a picture');
  for (const transfers of [other, wrong])
    await expect(transfers.send(source, 'me/task-1/source', signal)).rejects.toMatchObject({
      code: 'SOURCE_UNREACHABLE',
      message: expect.stringMatching(/cannot be written to the bucket/) as string,
    });
});

test('addresses of storages are read, and others refused', () => {
  expect(readStorageAddress('/mnt/nas/pool/')).toEqual({ kind: 'folder', folder: '/mnt/nas/pool' });
  expect(
    readStorageAddress('s3://KEY:a%2Fb@photos/studio/one?endpoint=https://nas:9000&region=eu'),
  ).toEqual({
    kind: 's3',
    bucket: 'photos',
    prefix: 'studio/one/',
    region: 'eu',
    endpoint: 'https://nas:9000',
    credentials: { accessKeyId: 'KEY', secretAccessKey: 'a/b' },
  });
  expect(readStorageAddress('s3://photos')).toEqual({
    kind: 's3',
    bucket: 'photos',
    prefix: '',
    region: 'us-east-1',
  });
  for (const wrong of ['pool', './pool', 's3://', 's3://x', 's3://photos?endpoint=nas', ''])
    expect(() => readStorageAddress(wrong)).toThrow(/pool\.storage/);
});

test.skipIf(process.platform !== 'linux')(
  'a folder in which none can be made is told, and not tried for ever',
  async () => {
    const storage = createFolderStorage('/proc');
    const written = storage.write('job/source', new PassThrough(), signal);
    await expect(written).rejects.toMatchObject({ code: 'ENOENT' });
  },
);

test('a storage that fails after a small file was read whole fails the transfer alone', async () => {
  const folder = temporaryFolder();
  const from = path.join(folder, 'from');
  await writeFile(from, 'a few bytes');
  const failing: PoolStorage = {
    ...createFolderStorage(folder),
    async write(_name, bytes) {
      // The reading has ended by then: nothing but the transfer itself can take the error.
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(bytes.readable).toBe(true);
      throw new Error('The folder vanished.');
    },
  };
  await expect(createTransfers(failing, '').send(from, 'me/task-1/source', signal)).rejects.toThrow(
    'The folder vanished.',
  );
});
