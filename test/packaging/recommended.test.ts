/** The models of release packages: fetched by hash from a publisher on loopback, tried, and there at the first start. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createClient } from '../../packages/api-client/src/client.ts';
import { downloadBytes } from '../../packages/contract/src/models/downloads.ts';
import {
  machineKinds,
  type ObtainableModel,
} from '../../packages/contract/src/models/obtainable.ts';
import { readObtainable } from '../../electron/service/models/obtain/obtainable.ts';
import { packedModels, provideRecommended } from '../../packaging/recommended.ts';
import { nearestNetwork } from '../support/networks-made.ts';
import { modelsDir as shippedModels } from '../support/networks.ts';
import { root } from '../support/program.ts';
import { openPublisher } from '../support/publisher.ts';
import { openService, writeModels } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const enginePath = path.join(root, 'electron/engine/main.ts');

/** A list with one model for processors, one that is too large, and one for graphics cards. */
async function openWithSet(sha256?: string) {
  const made = nearestNetwork(temporaryFolder(), 2);
  const bytes = readFileSync(made.variants[0]?.path ?? '');
  const { url, paths } = await openPublisher(bytes);
  const hash = sha256 ?? createHash('sha256').update(bytes).digest('hex');
  const entry = (id: string, sizeBytes: number, kind: 'cpu' | 'card'): ObtainableModel => ({
    ...{ id, name: `Net ${id}`, bestFor: 'tests', description: 'Twice as large.', task: 'upscale' },
    ...{ licence: 'CC-BY-4.0', author: 'Ada', trainingData: 'none', homepage: `${url}/about` },
    speedClass: 'fast',
    recommendedFor: { [kind]: 8000 },
    files: [{ name: `${id}.onnx`, sizeBytes, sha256: hash, urls: [`${url}/${id}`] }],
  });
  const models = [
    entry('large', 120e6, 'cpu'),
    entry('one', bytes.length, 'cpu'),
    entry('two', bytes.length, 'card'),
  ];
  const dataDir = temporaryFolder();
  const modelsDir = await writeModels(dataDir);
  writeFileSync(
    path.join(modelsDir, 'obtainable.json'),
    JSON.stringify({ models: models.slice(1) }),
  );
  return { paths, models, modelsDir, dataDir, folder: path.join(modelsDir, 'recommended') };
}

describe('the models of a package', () => {
  it('become the default only where they run on every kind of machine', () => {
    const maybe = readObtainable(shippedModels).filter(({ mayBeDefault }) => mayBeDefault);
    expect(maybe.map(({ id }) => id)).toContain('birefnet-lite');
    for (const { recommendedFor = {} } of maybe)
      expect(Object.keys(recommendedFor).toSorted()).toEqual([...machineKinds].toSorted());
  });

  it('are those for processors that fit, each with its hash', async () => {
    const { models } = await openWithSet();
    expect(packedModels(models).map(({ id }) => id)).toEqual(['large']);
    expect(packedModels(models.slice(1)).map(({ id }) => id)).toEqual(['one']);
    const [, one] = models;
    const [file] = one?.files ?? [];
    if (!one || !file) throw new Error('It has a file');
    const { name, sizeBytes, urls } = file;
    const unhashed = { name, urls, ...(sizeBytes !== undefined && { sizeBytes }) };
    expect(packedModels([{ ...one, files: [unhashed] }])).toEqual([]);
    const shipped = packedModels(readObtainable(shippedModels));
    expect(shipped.map(({ task }) => task)).toContain('remove-bg');
    const bytes = shipped.reduce((sum, model) => sum + (downloadBytes(model) ?? NaN), 0);
    expect(bytes).toBeLessThanOrEqual(120e6);
    expect(bytes).toBeGreaterThan(30e6);
  });

  it('are fetched and tried once, and installed at the first start of a service', async () => {
    const { paths, modelsDir, dataDir, folder } = await openWithSet();
    await provideRecommended({ modelsDir, folder, enginePath });
    expect(paths).toEqual(['/one']);
    expect(readFileSync(path.join(folder, 'LICENCES.txt'), 'utf8')).toContain(
      'Net one, Ada, CC-BY-4.0',
    );
    const service = await openService({ dataDir, modelsDir });
    const client = createClient({ url: service.url, key: service.key });
    const { models } = await client.models();
    expect(models.find(({ id }) => id === 'net-one')).toMatchObject({
      isPacked: true,
      scales: [2, 4, 8, 16],
      licence: 'CC-BY-4.0',
      description: 'Best for tests. Twice as large.',
    });
    expect(await client.recommended()).toMatchObject({ installedIds: ['one'], missingBytes: 0 });
    await expect(client.removeModel('net-one', true)).rejects.toThrow('came with Enlarger');
    expect(paths).toEqual(['/one']);
  });

  it('end the release where a publisher sends other bytes', async () => {
    const { modelsDir, folder } = await openWithSet('0'.repeat(64));
    await expect(provideRecommended({ modelsDir, folder, enginePath })).rejects.toThrow(
      'other bytes came than were published',
    );
    expect(existsSync(path.join(folder, 'LICENCES.txt'))).toBe(false);
  });

  it('lie where the application looks for them', () => {
    const { extraResources } = parse(
      readFileSync(path.join(root, 'electron-builder.yml'), 'utf8'),
    ) as { extraResources: { from: string; to: string }[] };
    expect(extraResources).toContainEqual({ from: 'dist/recommended', to: 'models/recommended' });
  });
});
