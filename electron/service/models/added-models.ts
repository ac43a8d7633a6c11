/**
 * Imported and downloaded models: a JSON file per model in the data folder, and the networks' files under
 * their SHA-256, stored once however many models use them.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants, lstat, mkdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Value } from 'typebox/value';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type { Log } from '../../../packages/contract/src/log.ts';
import {
  ModelDescriptor,
  type ModelCorrection,
  type NetworkVariant,
} from '../../../packages/contract/src/models/model.ts';
import type { ImportedNetwork } from '../../engine/host/import-host.ts';
import { corrected } from './correct-model.ts';
import { variantsOf } from './model-view.ts';
import { openPlainFile } from '../../../packages/files/src/plain-file.ts';
import { syncFile, syncFolder } from '../../../packages/files/src/sync.ts';
import type { AddedModels } from './catalogue.ts';

/** Facts about a model that its network's file does not contain. */
export interface ModelFacts {
  name?: string | undefined;
  description?: string | undefined;
  licence?: string | undefined;
  author?: string | undefined;
  trainedOn?: string | undefined;
}

export interface AddedModelStore extends AddedModels {
  /** An empty folder on the same disk; the caller deletes it. */
  stagingFolder(): Promise<string>;
  /**
   * Stores a network's file and its model. Returns the existing model if the file is stored already.
   *
   * @param network as the process that read a stranger's file describes it: only a plain file in a staging folder is
   * taken, under the hash of its bytes
   * @throws EnlargerError MODEL_REFUSED
   */
  add(network: ImportedNetwork, about: ModelFacts): Promise<ModelDescriptor>;
  /** Changes a model's parameters or texts. @throws EnlargerError NOT_FOUND, INVALID_REQUEST */
  correct(modelId: string, correction: ModelCorrection): Promise<ModelDescriptor>;
  /** Deletes a model and the files that no other model uses. @throws EnlargerError NOT_FOUND */
  remove(modelId: string): Promise<void>;
}

/** Opens the store and deletes unfinished imports. */
export async function openAddedModels(
  folder: string,
  shippedIds: () => readonly string[],
  log: Log,
): Promise<AddedModelStore> {
  const files = join(folder, 'files');
  const staging = join(folder, 'staging');
  await rm(staging, { recursive: true, force: true });
  for (const one of [folder, files, staging]) await mkdir(one, { recursive: true, mode: 0o700 });
  const models = new Map(readModels(folder, log).map((model) => [model.id, model]));
  await removeUnused(files, models.values());
  const pathOf = (modelId: string) => join(folder, `${modelId}.json`);
  const save = async (model: ModelDescriptor) => {
    const path = pathOf(model.id);
    writeFileSync(`${path}.part`, `${JSON.stringify(model, undefined, 1)}\n`, { mode: 0o600 });
    await syncFile(`${path}.part`);
    await rename(`${path}.part`, path);
    await syncFolder(folder);
    models.set(model.id, model);
    return model;
  };
  /** Describes a file that the process of an import names: it has to be in a folder of the staging. */
  const inspectOwn = async (path: string): Promise<StoredFile> => {
    if (dirname(dirname(path)) !== staging || join(dirname(path), basename(path)) !== path)
      throw notItsOwn();
    const plain = await openPlainFile(path, constants.O_RDWR).catch((cause: unknown) => {
      throw notItsOwn(cause);
    });
    const described = await describeFile(plain).finally(() => plain.close());
    return { ...described, file: join('files', `${described.sha256}.onnx`) };
  };
  const takeFile = async (path: string, file: string) => {
    await rename(path, join(folder, file));
    if ((await lstat(join(folder, file))).isFile()) return;
    await rm(join(folder, file));
    throw notItsOwn();
  };
  const known = (modelId: string) => {
    const model = models.get(modelId);
    if (model) return model;
    throw new EnlargerError(
      'NOT_FOUND',
      `There is no added model ${modelId}. ${shippedIds().includes(modelId) ? 'It came with Enlarger and stays.' : 'GET /api/models lists them.'}`,
    );
  };
  return {
    folder,
    list: () => [...models.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    async stagingFolder() {
      const made = join(staging, randomUUID());
      await mkdir(made, { mode: 0o700 });
      return made;
    },
    async add(network, about) {
      const paths = [network.file, ...('decoderFile' in network ? [network.decoderFile] : [])];
      const [stored, ...others] = await Promise.all(paths.map(({ path }) => inspectOwn(path)));
      if (!stored) throw new Error('A network has a file');
      const all = [stored, ...others];
      const same = [...models.values()].find((model) =>
        all.every(({ file }) => usesFile(model, file)),
      );
      if (same) return same;
      const id = freeId(slugOf(about.name ?? network.name), [...shippedIds(), ...models.keys()]);
      const model = describe(id, network, all, about);
      if (!Value.Check(ModelDescriptor, model)) throw notItsOwn();
      for (const [i, { file }] of all.entries()) await takeFile(paths[i]?.path ?? '', file);
      return save(model);
    },
    correct: (modelId, correction) => save(corrected(known(modelId), correction)),
    async remove(modelId) {
      known(modelId);
      await rm(pathOf(modelId));
      models.delete(modelId);
      await removeUnused(files, models.values());
    },
  };
}

interface StoredFile {
  /** In the store's folder. */
  file: string;
  sha256: string;
  sizeBytes: number;
}

const notItsOwn = (cause?: unknown) =>
  new EnlargerError(
    'MODEL_REFUSED',
    'The process that read the network named something else than a network of its own. The file is hostile.',
    { cause },
  );

/** Hash and size of a file that is on disk then. */
async function describeFile(file: FileHandle): Promise<Omit<StoredFile, 'file'>> {
  await file.sync();
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const chunk of file.createReadStream({
    start: 0,
    autoClose: false,
  }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    sizeBytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}

/**
 * Models that came with a release package, in the form of the store but read only; none where the folder is missing.
 */
export function readPackedModels(folder: string, log: Log): AddedModels {
  const models = existsSync(folder) ? readModels(folder, log) : [];
  return { folder, list: () => models };
}

function readModels(folder: string, log: Log): ModelDescriptor[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const model = readModel(join(folder, name));
      if (!model) log('warn', 'A model that was added cannot be read and is left out.', { name });
      return model && model.id === name.slice(0, -'.json'.length) ? [model] : [];
    });
}

function readModel(path: string): ModelDescriptor | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return Value.Check(ModelDescriptor, found) && isInFolder(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Whatever paths its JSON names, a model is accepted only if its files are in this folder. */
const isInFolder = (model: ModelDescriptor) =>
  filesOf(model).every((file) => /^files[/\\][0-9a-f]{64}\.onnx$/.test(file));

const filesOf = (model: ModelDescriptor): string[] => variantsOf(model).map(({ file }) => file);

const usesFile = (model: ModelDescriptor, file: string) => filesOf(model).includes(file);

/** Deletes files without a model, after a kill or a removal. */
async function removeUnused(folder: string, models: Iterable<ModelDescriptor>): Promise<void> {
  const used = new Set([...models].flatMap(filesOf).map((file) => file.split(/[/\\]/).at(-1)));
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (!used.has(name)) await rm(join(folder, name), { force: true });
}

function describe(
  id: string,
  network: ImportedNetwork,
  stored: readonly StoredFile[],
  about: ModelFacts,
): ModelDescriptor {
  const [variants, decoderVariants] = [stored.slice(0, 1), stored.slice(1)].map((files) =>
    files.map((file) => ({ precision: 'fp32' as const, ...file })),
  ) as [NetworkVariant[], NetworkVariant[]];
  const common = {
    id,
    name: about.name ?? network.name,
    description: about.description ?? `Added from ${network.origin.files.join(', ')}.`,
    licence: about.licence ?? network.licence ?? 'not stated',
    author: about.author ?? network.author ?? 'not stated',
    ...(about.trainedOn !== undefined && { trainedOn: about.trainedOn }),
    origin: network.origin,
  };
  if (network.task === 'select') {
    const { decoder, ...contract } = network.contract;
    const pair = { ...contract, decoder: { ...decoder, variants: decoderVariants }, variants };
    return { ...common, task: 'select', networks: [pair] };
  }
  return network.task === 'upscale'
    ? { ...common, task: 'upscale', networks: [{ ...network.contract, variants }] }
    : { ...common, task: 'remove-bg', networks: [{ ...network.contract, variants }] };
}

const maxIdLength = 60;

/** Lower-case letters, digits and hyphens; "model" if nothing else remains. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, maxIdLength)
    .replace(/-+$/, '');
  return slug === '' ? 'model' : slug;
}

/** The id itself, or with the first free number from 2. */
export function freeId(id: string, taken: readonly string[]): string {
  if (!taken.includes(id)) return id;
  let number = 2;
  while (taken.includes(`${id}-${number}`)) number += 1;
  return `${id}-${number}`;
}
