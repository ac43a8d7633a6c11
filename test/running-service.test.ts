/** How another program finds the service of a data folder, and gets a key for a page. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../packages/api-client/src/client.ts';
import { findRunningService, readServiceKey } from '../electron/running-service.ts';
import { openService } from './support/service.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

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
    expect(await findRunningService(temporaryFolder())).toBeUndefined();
  });

  it('is not found where another version answers', async () => {
    const service = await openService();
    const file = path.join(service.dataDir, 'service.json');
    const named = JSON.parse(await readFile(file, 'utf8')) as object;
    await writeFile(file, JSON.stringify({ ...named, version: '1.2.4' }));
    expect(await findRunningService(service.dataDir)).toBeUndefined();
  });

  it('is not found where a stranger answers on its port, who gets no key', async () => {
    const dataDir = temporaryFolder();
    await writeFile(path.join(dataDir, 'cli.key'), 'the key');
    const received: IncomingHttpHeaders[] = [];
    const stranger = createServer((request, response) => {
      received.push(request.headers);
      response.setHeader('x-enlarger-proof', 'a'.repeat(64));
      response.end(JSON.stringify({ status: 'ok', version: '1.2.3' }));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void stranger.close());
    await once(stranger, 'listening');
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    const named = JSON.stringify({ url, version: '1.2.3', pid: process.pid });
    await writeFile(path.join(dataDir, 'service.json'), named);
    expect(await findRunningService(dataDir)).toBeUndefined();
    expect(received).toHaveLength(1);
    expect(JSON.stringify(received)).not.toContain('the key');
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
