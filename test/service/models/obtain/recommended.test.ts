/** The set of models for a machine: chosen by what it has, fetched when asked for, and made a default when it is fast. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { getModel } from '../../../../packages/command-line/src/models/download.ts';
import { createClient } from '../../../../packages/api-client/src/client.ts';
import {
  machineKinds,
  type Download,
  type ObtainableModel,
} from '../../../../packages/contract/src/models/obtainable.ts';
import {
  defaultWithinSeconds,
  downloadBytes,
} from '../../../../packages/contract/src/models/downloads.ts';
import type {
  Settings,
  SettingsPatch,
} from '../../../../packages/contract/src/settings/settings.ts';
import { createDefaultWhenFast } from '../../../../electron/service/models/obtain/default-when-fast.ts';
import { readObtainable } from '../../../../electron/service/models/obtain/obtainable.ts';
import {
  machineOf,
  recommendedFor,
} from '../../../../electron/service/models/obtain/recommended.ts';
import { heard } from '../../../support/heard.ts';
import { modelsDir } from '../../../support/networks.ts';
import { openPublisher } from '../../../support/publisher.ts';
import { openService, writeModels } from '../../../support/service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const shipped = readObtainable(modelsDir);

describe('the machine', () => {
  const linux = { platform: 'linux', arch: 'x64', megabytes: 16_000 } as const;
  const using = (provider: 'cpu' | 'webgpu' | 'cuda') => [
    { provider, name: provider, state: 'in-use' as const },
  ];

  it('is of the kind of what networks run on, with the memory that counts there', () => {
    expect(machineOf(using('cpu'), 12_000, linux)).toEqual({ kind: 'cpu', megabytes: 16_000 });
    expect(machineOf([], undefined, linux)).toMatchObject({ kind: 'cpu' });
    expect(machineOf(using('webgpu'), undefined, linux)).toEqual({
      kind: 'integrated',
      megabytes: 16_000,
    });
    expect(machineOf(using('webgpu'), 2000, linux)).toMatchObject({ kind: 'integrated' });
    expect(machineOf(using('cuda'), 12_000, linux)).toEqual({ kind: 'card', megabytes: 12_000 });
    const mac = { platform: 'darwin', arch: 'arm64', megabytes: 8000 } as const;
    expect(machineOf(using('webgpu'), undefined, mac)).toEqual({ kind: 'apple', megabytes: 8000 });
  });

  it('gets models that its memory holds', () => {
    const idsOf = (kind: 'cpu' | 'card', megabytes: number) =>
      recommendedFor(shipped, { kind, megabytes }).map(({ id }) => id);
    expect(idsOf('cpu', 1000)).toEqual([]);
    expect(idsOf('cpu', 4000)).not.toContain('birefnet-lite');
    expect(idsOf('cpu', 16_000)).toContain('birefnet-lite');
    expect(idsOf('card', 8000)).not.toContain('birefnet-hr-matting');
    expect(idsOf('card', 25_000)).toContain('birefnet-hr-matting');
  });
});

it('each kind of machine has a set for both tasks, whose memory is known and smaller than what it asks for', () => {
  for (const kind of machineKinds) {
    const set = recommendedFor(shipped, { kind, megabytes: 64_000 });
    expect(new Set(set.map(({ task }) => task)), kind).toEqual(new Set(['upscale', 'remove-bg']));
    for (const { id, recommendedFor: least, memoryMegabytes } of set)
      expect(memoryMegabytes, id).toBeLessThan(least?.[kind] ?? 0);
  }
  for (const model of shipped) expect(downloadBytes(model), model.id).toBeGreaterThan(1e6);
});

describe('a fetched model', () => {
  const model = { id: 'net', task: 'remove-bg', mayBeDefault: true } as ObtainableModel;

  /** A service's settings, and a model whose download finishes at once. */
  function considering(seconds: number, chosen: string, thing: ObtainableModel = model) {
    let emit: (download: Download) => void = () => undefined;
    const patches: SettingsPatch[] = [];
    const measured: string[] = [];
    const whenFast = createDefaultWhenFast({
      downloads: {
        subscribeAll(listener) {
          emit = listener;
          return () => undefined;
        },
      },
      settings: {
        get: () => ({ defaultUpscaler: 'natural', defaultRemover: chosen }) as Settings,
        patch(patch) {
          patches.push(patch);
          return Promise.resolve({} as Settings);
        },
      },
      measureSeconds(modelId) {
        measured.push(modelId);
        return Promise.resolve(seconds);
      },
      log: () => undefined,
    });
    onTestFinished(() => whenFast.close());
    const finish = (state: Download['state'] = 'finished') =>
      emit({
        ...{ modelId: 'net', receivedBytes: 1, state },
        ...(state === 'finished' && { addedId: 'net-2' }),
      });
    return { whenFast, patches, measured, finish, thing };
  }

  it('becomes the default of its task when it is as fast as the limit', async () => {
    const { whenFast, patches, measured, finish } = considering(
      defaultWithinSeconds['remove-bg'],
      'cutout',
    );
    whenFast.expect(model);
    finish('fetching');
    expect(measured).toEqual([]);
    finish();
    await expect.poll(() => patches).toEqual([{ defaultRemover: 'net-2' }]);
    finish();
    expect(measured).toEqual(['net-2']);
  });

  it.each([
    ['is slower than the limit', defaultWithinSeconds['remove-bg'] + 0.1, 'cutout'],
    ['would replace what a person chose', 1, 'my-net'],
  ])('stays beside the default when it %s', async (_why, seconds, chosen) => {
    const { whenFast, patches, measured, finish } = considering(seconds, chosen);
    whenFast.expect(model);
    finish();
    await expect.poll(() => measured).toEqual(['net-2']);
    expect(patches).toEqual([]);
  });

  it('is not even measured when it is for some photos only, failed, or was fetched by itself', () => {
    const { whenFast, measured, finish } = considering(1, 'cutout');
    finish();
    whenFast.expect({ id: 'net', task: 'remove-bg' } as ObtainableModel);
    finish();
    whenFast.expect(model);
    finish('failed');
    expect(measured).toEqual([]);
  });
});

describe('the recommended set of a service', () => {
  const bytes = Buffer.from('no network at all');
  const sha256 = createHash('sha256').update(bytes).digest('hex');

  /** A service whose list has two models for processors, and one for a card, at a publisher on loopback. */
  async function openWithSet() {
    const { url, paths } = await openPublisher(bytes);
    const entry = (id: string, recommended: ObtainableModel['recommendedFor']) => ({
      ...{ id, name: `Net ${id}`, bestFor: 'tests', description: 'For tests.', task: 'upscale' },
      ...{ licence: 'MIT', author: 'Nobody', trainingData: 'none', homepage: `${url}/` },
      speedClass: 'fast',
      recommendedFor: recommended,
      mayBeDefault: true,
      files: [{ name: `${id}.onnx`, sizeBytes: bytes.length, sha256, urls: [`${url}/${id}`] }],
    });
    const dataDir = temporaryFolder();
    const folder = await writeModels(dataDir);
    const models = [
      entry('one', { cpu: 1 }),
      entry('two', { cpu: 1 }),
      entry('three', { card: 1 }),
    ];
    await writeFile(path.join(folder, 'obtainable.json'), JSON.stringify({ models }));
    const service = await openService({ dataDir, modelsDir: folder });
    const client = createClient({ url: service.url, key: service.key });
    return { client, paths };
  }

  it('is listed with its size, and nothing of it is fetched by that', async () => {
    const { client, paths } = await openWithSet();
    expect(await client.recommended()).toMatchObject({
      machine: 'cpu',
      models: [{ id: 'one' }, { id: 'two' }],
      installedIds: [],
      missingBytes: 2 * bytes.length,
      defaultWithinSeconds,
    });
    expect(paths).toEqual([]);
  });

  it('is not fetched where somebody says no, once its size was said', async () => {
    const { client, paths } = await openWithSet();
    const { warnings } = heard();
    const said: string[] = [];
    const mayFetch = () => Promise.resolve(said.push(...warnings) < 0);
    const { signal } = new AbortController();
    expect(await getModel(client, 'recommended', signal, mayFetch)).toBe(1);
    expect(said.join()).toContain('To fetch: 0 MB.');
    expect(warnings.at(-1)).toBe('Nothing was fetched.');
    expect([paths, await client.modelDownloads.list()]).toEqual([[], []]);
  });

  it('is fetched by one command, which first says what, how large and what becomes of it', async () => {
    const { client, paths } = await openWithSet();
    const { warnings } = heard();
    // Their bytes are no network, so that both are refused.
    expect(await getModel(client, 'recommended', new AbortController().signal)).toBe(1);
    expect(paths.toSorted()).toEqual(['/one', '/two']);
    const [title, one, two, toFetch, rule] = warnings;
    expect(title).toBe('Recommended for a machine whose networks run on its processor:');
    expect(one).toContain('Net one: tests (MIT)');
    expect(two).toContain('Net two: tests (MIT)');
    expect(toFetch).toMatch(/^To fetch: 0 MB\.$/);
    expect(rule).toContain('becomes the default of its task if a photo of 12 megapixels takes');
    expect(warnings.filter((line) => line.includes(sha256))).toHaveLength(2);
    expect(warnings.filter((line) => line.includes('damaged or hostile'))).toHaveLength(2);
    expect((await client.modelDownloads.list()).map(({ modelId }) => modelId)).toEqual([
      'one',
      'two',
    ]);
  });
});
