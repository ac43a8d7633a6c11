/** Files that a device needs: taken out of their archive, only when they are what was published, and taken away again. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type {
  DeviceFiles,
  DeviceFilesList,
} from '../../../packages/contract/src/models/obtainable.ts';
import { openAddedDeviceFiles } from '../../../electron/service/devices/added-files.ts';
import {
  deviceFilesFor,
  requiredFiles,
  onnxruntimeVersion,
} from '../../../electron/service/devices/known-files.ts';
import { unpackFiles } from '../../../electron/service/devices/unpack-tar.ts';
import { hasEnded } from '../../../packages/contract/src/models/downloads.ts';
import { createDownloads } from '../../../electron/service/models/obtain/downloads.ts';
import { openService } from '../../support/service.ts';
import { tgzOf } from '../../support/tar.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const never = new AbortController().signal;
const [cuda, shared] = requiredFiles;
const large = Buffer.from(Array.from({ length: 300_001 }, (_, i) => (i * 31) % 256));
const archive = tgzOf([
  { name: 'onnxruntime/', kind: '5' },
  { name: 'onnxruntime/LICENSE', bytes: Buffer.from('MIT') },
  { name: `onnxruntime/lib/${cuda}`, bytes: large },
  { name: `onnxruntime/lib/${shared}`, bytes: Buffer.from('shared') },
  { name: 'onnxruntime/lib/libonnxruntime.so.1', bytes: Buffer.from('its own') },
]);

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

function savedArchive(bytes: Buffer) {
  const file = path.join(temporaryFolder(), 'archive.tgz');
  writeFileSync(file, bytes);
  return { path: file, sha256: sha256Of(bytes) };
}

const filesOf = (id: string, bytes = archive, urls = ['http://127.0.0.1:1/']): DeviceFiles => ({
  id,
  provider: 'cuda',
  name: id,
  description: 'For tests.',
  needs: 'nothing',
  licence: 'MIT',
  author: 'Nobody',
  homepage: 'http://127.0.0.1/',
  files: [{ name: `${id}.tgz`, sha256: sha256Of(bytes), urls }],
});

describe('an archive', () => {
  it('gives the files that are wanted, whatever folder it has them in, and no others', async () => {
    const folder = temporaryFolder();
    const outside = tgzOf([
      { name: `../../${shared}`, bytes: Buffer.from('shared') },
      { name: cuda, kind: '2' },
      { name: `a/${cuda}`, bytes: large },
    ]);
    await unpackFiles(savedArchive(outside).path, requiredFiles, folder, never);
    expect(readdirSync(folder).toSorted()).toEqual([...requiredFiles].toSorted());
    expect(readFileSync(path.join(folder, cuda)).equals(large)).toBe(true);
  });

  it('that lacks one, is cut off or is none at all is refused', async () => {
    const unpack = (bytes: Buffer) =>
      unpackFiles(savedArchive(bytes).path, requiredFiles, temporaryFolder(), never);
    await expect(unpack(tgzOf([{ name: cuda }]))).rejects.toThrow(/lacks .*shared/);
    await expect(unpack(archive.subarray(0, 500))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    await expect(unpack(Buffer.from('no archive'))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
  });
});

describe("a device's files", () => {
  it('are in place when whole, one set at a time, and stay for the next start', async () => {
    const root = path.join(temporaryFolder(), 'devices');
    const known = [filesOf('cuda-12'), filesOf('cuda-13')] as const;
    const files = await openAddedDeviceFiles(root, known);
    expect([files.installedId, files.folder]).toEqual([undefined, undefined]);
    await files.install(known[0], savedArchive(archive), never);
    const first = files.folder ?? '';
    expect(readdirSync(first).toSorted()).toEqual([...requiredFiles].toSorted());
    await files.install(known[1], savedArchive(archive), never);
    expect([files.installedId, existsSync(first)]).toEqual(['cuda-13', false]);
    const again = await openAddedDeviceFiles(root, known);
    expect([again.installedId, again.folder]).toEqual(['cuda-13', files.folder]);
    await expect(again.remove('cuda-12')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await again.remove('cuda-13');
    expect([again.installedId, readdirSync(root)]).toEqual([undefined, []]);
  });

  it('are refused when they are not what was published, and leave nothing', async () => {
    const root = path.join(temporaryFolder(), 'devices');
    const known = filesOf('cuda-12');
    const files = await openAddedDeviceFiles(root, [known]);
    const other = savedArchive(Buffer.concat([archive, Buffer.from('!')]));
    await expect(files.install(known, other, never)).rejects.toThrow(
      /Expected cuda-12.tgz with SHA-256/,
    );
    expect([files.installedId, readdirSync(root)]).toEqual([undefined, []]);
  });

  it('of another onnxruntime, or half unpacked, are removed at the next start', async () => {
    const root = temporaryFolder();
    for (const name of ['cuda-12-0.9.0', 'unpacking-1', `cuda-12-${onnxruntimeVersion}`])
      mkdirSync(path.join(root, name));
    const files = await openAddedDeviceFiles(root, [filesOf('cuda-12')]);
    expect([files.installedId, readdirSync(root)]).toEqual([undefined, []]);
  });

  it('come from their publisher when they are asked for', async () => {
    const server = createServer((_request, response) => response.end(archive));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const root = temporaryFolder();
    const known = filesOf('cuda-12', archive, [url]);
    const files = await openAddedDeviceFiles(root, [known]);
    const downloads = createDownloads({
      things: [known],
      install: (one, [fetched], signal) => files.install(one, fetched!, signal),
      folder: path.join(root, 'downloads'),
      mirror: () => '',
      proxy: () => '',
      pauseMs: 1,
    });
    onTestFinished(() => downloads.close());
    downloads.start('cuda-12');
    await expect
      .poll(() => hasEnded(downloads.get('cuda-12') as never), { timeout: 30_000 })
      .toBe(true);
    expect(downloads.get('cuda-12')).toMatchObject({ state: 'finished', addedId: 'cuda-12' });
    expect(files.installedId).toBe('cuda-12');
  });

  it('are listed with host, hash and licence, and refused by the API when they are others', async () => {
    const service = await openService();
    const { body } = await service.call('GET', '/api/devices/obtainable');
    expect(body).toEqual({ deviceFiles: deviceFilesFor() });
    for (const { id } of (body as DeviceFilesList).deviceFiles)
      expect(await service.call('PUT', `/api/devices/${id}/files`, archive)).toMatchObject({
        status: 400,
        text: expect.stringContaining('SHA-256') as string,
      });
    expect((await service.call('PUT', '/api/devices/none/files', archive)).status).toBe(404);
    expect((await service.call('DELETE', '/api/devices/cuda-12/files')).status).toBe(404);
    expect((await service.call('POST', '/api/devices/none/download')).status).toBe(404);
  });
});

it('the files that are known belong to the onnxruntime that Enlarger has', () => {
  const entry = path.join(
    import.meta.dirname,
    '../../../node_modules/onnxruntime-node/package.json',
  );
  const { version } = JSON.parse(readFileSync(entry, 'utf8')) as { version: string };
  expect(version).toBe(onnxruntimeVersion);
  expect(deviceFilesFor('win32', 'x64')).toEqual([]);
  for (const { files } of deviceFilesFor('linux', 'x64'))
    for (const { urls, sha256 } of files) {
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      for (const url of urls)
        expect(url).toMatch(/^https:\/\/github\.com\/microsoft\/onnxruntime\//);
    }
});
