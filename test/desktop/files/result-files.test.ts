/** A result as a file for other programs. */
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../packages/api-client/src/client.ts';
import { createResultFiles, nameOf } from '../../../electron/desktop/files/result-files.ts';
import { dataUrl, openService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function finished(options: Record<string, unknown> = {}) {
  const service = await openService();
  const saveTo = temporaryFolder();
  const client = createClient({ url: service.url, key: service.key });
  await client.changeSettings({ grantedFolders: [saveTo] });
  const given = 'name' in options ? { ...options, saveTo } : options;
  const taskId = await service.submit(dataUrl, given);
  await service.until(taskId, 'FINISHED');
  return { service, client, taskId, saveTo };
}

describe('the file of a result', () => {
  it('is the one that the person saved', async () => {
    const { client, taskId, saveTo } = await finished({ name: 'sea' });
    const results = createResultFiles(() => client);
    const file = await results.savedFileOf(taskId);
    expect(path.dirname(file)).toBe(saveTo);
    expect(await results.fileOf(taskId)).toBe(file);
    await results.close();
    expect(existsSync(file)).toBe(true);
  });

  it('is a copy under its own name when it was not saved, made once and gone at the end', async () => {
    const { client, taskId, saveTo } = await finished();
    const results = createResultFiles(() => client, saveTo);
    const [file, again] = await Promise.all([results.fileOf(taskId), results.fileOf(taskId)]);
    expect(again).toBe(file);
    expect(path.basename(file)).toBe('image-2x.jpg');
    expect((await readFile(file)).length).toBeGreaterThan(0);
    await expect(results.savedFileOf(taskId)).rejects.toThrow('not saved into a folder');
    await results.close();
    expect(existsSync(file)).toBe(false);
  });

  it('is a copy when the saved one is gone, and says so to who asks for the folder', async () => {
    const { client, taskId, saveTo } = await finished({ name: 'sea' });
    const results = createResultFiles(() => client, temporaryFolder());
    await rm(await results.savedFileOf(taskId));
    await expect(results.savedFileOf(taskId)).rejects.toThrow('no longer there');
    expect(path.dirname(await results.fileOf(taskId))).not.toBe(saveTo);
    await results.close();
  });

  it('is none where the task has no result', async () => {
    const service = await openService({ script: () => ({ do: 'fail', code: 'UNREADABLE_IMAGE' }) });
    const client = createClient({ url: service.url, key: service.key });
    const taskId = await service.submit();
    await service.until(taskId, 'FAILED');
    const results = createResultFiles(() => client);
    await expect(results.fileOf(taskId)).rejects.toThrow('no result');
    await expect(results.fileOf('unknown')).rejects.toThrow();
  });

  it('never takes a path for a name', async () => {
    expect(nameOf(`inline; filename="sea-2x.png"`)).toBe('sea-2x.png');
    expect(nameOf(`inline; filename="_.jpg"; filename*=UTF-8''m%C3%B6we%20%2F.jpg`)).toBe(
      'möwe _.jpg',
    );
    expect(nameOf(`inline; filename="../../etc/passwd"`)).toBe('_.._etc_passwd');
    expect(nameOf('')).toBe('result');
    await writeFile(path.join(temporaryFolder(), nameOf(`inline; filename="a:b"`)), '');
  });
});
