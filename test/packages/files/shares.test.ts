/** On drives that cannot sync folders, such as many network shares, writing works all the same. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { editInPlace } from '../../../packages/command-line/src/photos/edit-in.ts';
import { receiveFile } from '../../../electron/service/sources/received-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:fs/promises')>();
  const refused = () => Promise.reject(Object.assign(new Error('refused'), { code: 'EINVAL' }));
  const open: typeof original.open = async (...args) => {
    const handle = await original.open(...args);
    if ((await handle.stat()).isDirectory()) handle.sync = refused;
    return handle;
  };
  return { ...original, open };
});

let folder: string;
beforeEach(() => void (folder = temporaryFolder()));

it('a file is edited in its place', async () => {
  const file = path.join(folder, 'a.tif');
  await writeFile(file, 'before');
  const make = async (into: string) => {
    await writeFile(path.join(into, 'a.tif'), 'after');
    return 0;
  };
  expect(await editInPlace(file, { keepsOriginal: true }, make)).toBe(0);
  expect(await readFile(file, 'utf8')).toBe('after');
  expect((await readdir(folder)).sort()).toEqual(['a-original.tif', 'a.tif']);
});

it('an upload is received', async () => {
  const file = path.join(folder, 'upload');
  async function* chunks() {
    yield await Promise.resolve(Buffer.from('one '));
    yield Buffer.from('two');
  }
  const limits = { maxBytes: 100, tooLarge: 'PAYLOAD_TOO_LARGE', durable: true } as const;
  expect(await receiveFile(file, chunks(), limits)).toEqual({ sizeBytes: 7 });
  expect(await readFile(file, 'utf8')).toBe('one two');
});
