import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../packages/api-client/src/client.ts';
import type { ModelDescriptor, ModelView } from '../../../packages/contract/src/models/model.ts';
import type { ImportedNetwork } from '../../../electron/engine/host/import-host.ts';
import { openAddedModels, freeId, slugOf } from '../../../electron/service/models/added-models.ts';
import { corrected } from '../../../electron/service/models/correct-model.ts';
import { onnxModel } from '../../support/networks-onnx.ts';
import { nearestNetwork } from '../../support/networks-made.ts';
import { plainContract } from '../../support/networks.ts';
import { ended, openRealService } from '../../support/real-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const quiet = () => undefined;
const open = (folder: string) => openAddedModels(folder, () => ['faithful'], quiet);

async function network(folder: string, content: string): Promise<ImportedNetwork> {
  const file = path.join(folder, 'network.onnx');
  await writeFile(file, content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return {
    name: 'My Network! 4x',
    file: { path: file, sha256, sizeBytes: content.length },
    origin: { format: 'onnx', files: ['my.onnx'], sha256: [sha256], notes: [] },
    task: 'upscale',
    contract: { ...plainContract, scale: 4, marginPx: 8, minSizePx: 32 },
  };
}

describe('added models', () => {
  it('are there again after a start, each file once', async () => {
    const folder = temporaryFolder();
    const store = await open(folder);
    const first = await store.add(await network(await store.stagingFolder(), 'a'), {});
    const again = await store.add(await network(await store.stagingFolder(), 'a'), {});
    const other = await store.add(await network(await store.stagingFolder(), 'b'), {});
    expect([first.id, again.id, other.id]).toEqual([
      'my-network-4x',
      'my-network-4x',
      'my-network-4x-2',
    ]);
    expect(await readdir(path.join(folder, 'files'))).toHaveLength(2);
    expect((await open(folder)).list()).toEqual([first, other]);
  });

  it('leave nothing when they are removed', async () => {
    const folder = temporaryFolder();
    const store = await open(folder);
    const { id } = await store.add(await network(await store.stagingFolder(), 'a'), {});
    await store.remove(id);
    expect(store.list()).toEqual([]);
    expect(await readdir(path.join(folder, 'files'))).toEqual([]);
    await expect(store.remove(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(store.remove('faithful')).rejects.toThrow(/came with Enlarger/);
  });

  it('whose file leads elsewhere or is damaged are left out', async () => {
    const folder = temporaryFolder();
    const store = await open(folder);
    const model = await store.add(await network(await store.stagingFolder(), 'a'), {});
    const file = path.join(folder, `${model.id}.json`);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/files\/[0-9a-f]+/, '../../secret'));
    expect((await open(folder)).list()).toEqual([]);
    await writeFile(file, '{');
    expect((await open(folder)).list()).toEqual([]);
  });
});

describe('what the process that reads a network names', () => {
  const hostile = async () => {
    const home = temporaryFolder();
    const folder = path.join(home, 'models');
    const store = await open(folder);
    const staging = await store.stagingFolder();
    const own = await network(staging, 'a');
    const secret = path.join(home, 'secret.txt');
    await writeFile(secret, 'the secret');
    const stored = async () => ({
      files: await readdir(path.join(folder, 'files')),
      models: store.list(),
      secret: await readFile(secret, 'utf8'),
    });
    const named = (file: string): ImportedNetwork => ({
      ...own,
      file: { ...own.file, path: file },
    });
    return { home, folder, store, staging, own, secret, stored, named };
  };
  const nothing = { files: [], models: [], secret: 'the secret' };

  it('is taken from its own folder alone', async () => {
    const { folder, store, staging, secret, stored, named } = await hostile();
    await mkdir(path.join(staging, 'below'));
    await writeFile(path.join(staging, 'below', 'network.onnx'), 'b');
    const elsewhere = [
      secret,
      path.relative(process.cwd(), secret),
      `${staging}/../../../secret.txt`,
      `${staging}/./network.onnx`,
      path.join(staging, 'below', 'network.onnx'),
      path.join(folder, 'staging', 'network.onnx'),
      '',
      '/',
    ];
    for (const file of elsewhere)
      await expect(store.add(named(file), {})).rejects.toMatchObject({ code: 'MODEL_REFUSED' });
    expect(await stored()).toEqual(nothing);
  });

  it('is no link and no pipe', async () => {
    const { store, staging, secret, stored, named } = await hostile();
    const link = path.join(staging, 'link.onnx');
    await symlink(secret, link);
    await expect(store.add(named(link), {})).rejects.toMatchObject({ code: 'MODEL_REFUSED' });
    if (process.platform !== 'win32') {
      const pipe = path.join(staging, 'pipe.onnx');
      execFileSync('mkfifo', [pipe]);
      await expect(store.add(named(pipe), {})).rejects.toMatchObject({ code: 'MODEL_REFUSED' });
    }
    expect(await stored()).toEqual(nothing);
  });

  it('is stored under the hash and size of its bytes, whatever it says of them', async () => {
    const { home, folder, store, own } = await hostile();
    const lies = { ...own.file, sha256: '../../../planted', sizeBytes: 1 };
    const model = await store.add({ ...own, file: lies }, {});
    expect(model.networks[0]?.variants).toEqual([
      {
        precision: 'fp32',
        file: path.join('files', `${own.file.sha256}.onnx`),
        sha256: own.file.sha256,
        sizeBytes: 1,
      },
    ]);
    expect(await readdir(path.join(folder, 'files'))).toEqual([`${own.file.sha256}.onnx`]);
    expect((await readdir(home)).toSorted()).toEqual(['models', 'secret.txt']);
  });

  it('is refused where it is no contract', async () => {
    const { store, own, stored } = await hostile();
    const none = { ...own, contract: { scale: 'four' } } as unknown as ImportedNetwork;
    await expect(store.add(none, {})).rejects.toMatchObject({ code: 'MODEL_REFUSED' });
    expect(await stored()).toEqual(nothing);
  });
});

it('ids are made of names', () => {
  expect(slugOf('4x_Nomos Ünï.pth')).toBe('4x-nomos-u-ni-pth');
  expect(slugOf('模型')).toBe('model');
  expect(freeId('a', ['a', 'a-2'])).toBe('a-3');
});

describe('a correction', () => {
  const model = { id: 'm', task: 'upscale', networks: [{ scale: 2 }] } as ModelDescriptor;
  it('changes the contract and the words', () => {
    const changed = corrected(model, { channels: 'BGR', name: 'New' });
    expect(changed).toMatchObject({ name: 'New', networks: [{ scale: 2, channels: 'BGR' }] });
  });
  it('refuses what the other kind of work has, and ranges that fall', () => {
    expect(() => corrected(model, { mean: [0, 0, 0] })).toThrow(/received mean/);
    expect(() => corrected(model, { range: [1, 0] })).toThrow(/rise from black to white/);
  });
});

const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGM4ISciskWDgUvkzocPHwAehgW1yunORwAAAABJRU5ErkJggg==';

describe('POST /api/models', () => {
  it('streams what an import does, and how it ended', async () => {
    const service = await openRealService();
    const made = nearestNetwork(temporaryFolder(), 4);
    const bytes = await readFile(made.variants[0]?.path ?? '');
    const client = createClient({ url: service.url, key: service.key });
    const { signal } = new AbortController();
    const steps: string[] = [];
    const files = (content: Uint8Array<ArrayBuffer>) => [
      { name: 'My 4x.onnx', blob: new Blob([content]) },
    ];
    const add = (content: Uint8Array<ArrayBuffer>) =>
      client.addModel(files(content), { licence: 'CC0' }, signal, ({ step }) => steps.push(step));
    const model = await add(new Uint8Array(bytes));
    expect(model).toMatchObject({ id: 'my-4x', licence: 'CC0' });
    expect(model.scales).toContain(4);
    expect(new Set(steps)).toEqual(new Set(['reading', 'trying']));
    await expect(add(new Uint8Array(100))).rejects.toMatchObject({
      code: 'MODEL_REFUSED',
      statusCode: 422,
      message: expect.stringMatching(/[.]$/) as string,
    });
  });

  it('adds a network that then enlarges, and DELETE takes it away', async () => {
    const service = await openRealService();
    const made = nearestNetwork(temporaryFolder(), 4);
    const bytes = await readFile(made.variants[0]?.path ?? '');
    const form = new FormData();
    form.set('licence', 'CC0');
    form.set('file', new Blob([bytes]), 'My 4x.onnx');
    const added = await fetch(`${service.url}/api/models`, {
      method: 'POST',
      headers: { authorization: `KEY ${service.key}` },
      body: form,
    });
    expect(added.status).toBe(200);
    const model = (await added.json()) as ModelView;
    expect(model).toMatchObject({ id: 'my-4x', scales: [4, 16], licence: 'CC0' });
    expect(model.contract).toMatchObject({ scale: 4, marginPx: 0 });

    const whole = await ended(service, await service.submit(png, { model: 'my-4x', scale: 4 }));
    expect(whole.error).toBeUndefined();
    expect(whole).toMatchObject({ status: 'FINISHED', output: { width: 8, height: 8 } });
    const reduced = await ended(service, await service.submit(png, { model: 'my-4x', scale: 2 }));
    expect(reduced).toMatchObject({ status: 'FINISHED', output: { width: 4, height: 4 } });

    expect((await service.call('DELETE', '/api/models/my-4x')).status).toBe(204);
    expect((await service.call('DELETE', '/api/models/my-4x')).status).toBe(404);
  }, 300_000);

  it('adds a network that keeps the size, for photos that are submitted without a scale', async () => {
    const service = await openRealService();
    const relu = [{ kind: 'Relu', inputs: ['input'], output: 'output' }];
    const planes = { input: [1, 3, 'h', 'w'], output: [1, 3, 'H', 'W'] };
    const added = await fetch(`${service.url}/api/models?name=Same.onnx`, {
      method: 'POST',
      headers: {
        authorization: `KEY ${service.key}`,
        'content-type': 'application/octet-stream',
      },
      body: Buffer.from(onnxModel({ nodes: relu, constants: [], ...planes })),
    });
    expect(await added.json()).toMatchObject({ id: 'same', scales: [1] });
    const done = await ended(service, await service.submit(png, { model: 'same' }));
    expect(done.error).toBeUndefined();
    expect(done).toMatchObject({ status: 'FINISHED', output: { width: 2, height: 2 } });
    const asked = await service.call('POST', '/api/image-upscaler', {
      imageUrl: png,
      model: 'same',
      scale: 4,
    });
    expect(asked.text).toContain('it can 1');
  }, 300_000);

  it('blends twins into a third that lies between them', async () => {
    const service = await openRealService();
    const add = async (name: string, light: number) => {
      const values = Array.from({ length: 9 * 31 * 31 }, () => 0);
      // Each colour from itself, in the middle of the kernel.
      for (const colour of [0, 1, 2]) values[colour * 4 * 31 * 31 + 15 * 31 + 15] = light;
      const pads = [15, 15, 15, 15];
      const conv = { kind: 'Conv', inputs: ['input', 'w'], output: 'output', lists: { pads } };
      const bytes = onnxModel({
        nodes: [conv],
        constants: [{ name: 'w', shape: [3, 3, 31, 31], values }],
        input: [1, 3, 'h', 'w'],
        output: [1, 3, 'H', 'W'],
      });
      const type = 'application/octet-stream';
      await fetch(`${service.url}/api/models?name=${name}.onnx`, {
        method: 'POST',
        headers: { authorization: `KEY ${service.key}`, 'content-type': type },
        body: Buffer.from(bytes),
      });
    };
    await add('light', 1);
    await add('dark', 0.5);
    const made = await service.call('POST', '/api/models/light/blend', {
      with: 'dark',
      share: 0.5,
    });
    expect(made.body).toMatchObject({ name: 'light with 50 % dark', scales: [1], origin: {} });
    const none = await service.call('POST', '/api/models/light/blend', { with: 'no', share: 0 });
    expect([none.status, none.text]).toEqual([404, expect.stringContaining('no added model no')]);
    const same = await service.call('POST', '/api/models/dark/blend', { with: 'dark', share: 0 });
    expect(same.status).toBe(400);
  }, 300_000);

  it('refuses with the reason', async () => {
    const service = await openRealService();
    const refused = await fetch(`${service.url}/api/models?name=net.onnx`, {
      method: 'POST',
      headers: {
        authorization: `KEY ${service.key}`,
        'content-type': 'application/octet-stream',
      },
      body: 'no network',
    });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ code: 'MODEL_REFUSED' });
  }, 240_000);
});
