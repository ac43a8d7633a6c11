/** How another program finds the service of a data folder, and gets a key for a page. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../electron/cli/client.ts';
import { findRunningService, readServiceKey } from '../electron/running-service.ts';
import { openService, temporaryFolder } from './support/service.ts';

describe('the service of a data folder', () => {
  it('is found while it runs, and no longer', async () => {
    const service = await openService();
    expect(await findRunningService(service.dataDir)).toEqual({
      url: service.url,
      version: '1.2.3',
    });
    await service.close();
    expect(await findRunningService(service.dataDir)).toBeUndefined();
  });

  it('is not found where a dead process left its file, or a file is no service', async () => {
    const service = await openService();
    const file = path.join(service.dataDir, 'service.json');
    const named = JSON.parse(await readFile(file, 'utf8')) as object;
    const dead = spawn(process.execPath, ['--version']);
    await once(dead, 'exit');
    await writeFile(file, JSON.stringify({ ...named, pid: dead.pid }));
    expect(await findRunningService(service.dataDir)).toBeUndefined();
    await writeFile(file, '{"url":');
    expect(await findRunningService(service.dataDir)).toBeUndefined();
    expect(await findRunningService(await temporaryFolder())).toBeUndefined();
  });

  it('is not found where another version answers', async () => {
    const service = await openService();
    const file = path.join(service.dataDir, 'service.json');
    const named = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({ ...named, version: '1.2.4' }));
    expect(await findRunningService(service.dataDir)).toBeUndefined();
  });

  it('makes a session key with the key of the data folder, and with no other', async () => {
    const service = await openService();
    const key = await readServiceKey(service.dataDir);
    const session = await createClient({ url: service.url, key }).newSession();
    expect(session).not.toBe(key);
    const page = createClient({ url: service.url, key: session });
    expect((await page.settings()).grantedFolders).toEqual([]);
    const { body } = await service.call('POST', '/api/keys', { name: 'a program' });
    const program = createClient({ url: service.url, key: (body as { key: string }).key });
    await expect(program.newSession()).rejects.toMatchObject({ code: 'FORBIDDEN_KEY' });
  });

  it('grants folders and single files that are there', async () => {
    const service = await openService();
    const client = createClient({ url: service.url, key: service.key });
    const file = path.join(service.dataDir, 'photo.jpg');
    await writeFile(file, '');
    expect((await client.changeSettings({ grantedFolders: [file] })).grantedFolders).toEqual([
      file,
    ]);
    await expect(client.changeSettings({ grantedFolders: [`${file}.gone`] })).rejects.toMatchObject(
      { code: 'INVALID_REQUEST' },
    );
  });
});
