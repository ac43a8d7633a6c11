/**
 * Provides the models that release packages hold beside those of a checkout: what is recommended for processors, up to
 * a size. Each file is fetched from its publisher, checked by its hash, and tried as one that a person adds, so that an
 * installed Enlarger needs neither network nor trial.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ObtainableModel } from '../packages/contract/src/models/obtainable.ts';
import { downloadBytes } from '../packages/contract/src/models/downloads.ts';
import { importNetwork } from '../electron/engine/host/import-host.ts';
import { openAddedModels } from '../electron/service/models/added-models.ts';
import { openCatalogue } from '../electron/service/models/catalogue.ts';
import { createModelImporter } from '../electron/service/models/import-model.ts';
import { fetchFile } from '../electron/service/models/obtain/fetch-file.ts';
import { installModel, readObtainable } from '../electron/service/models/obtain/obtainable.ts';
import { recommendedFor } from '../electron/service/models/obtain/recommended.ts';

/** Limit of all files together; a package without them is made, too. */
const maxPackedBytes = 120e6;

interface Place {
  /** Folder of catalogue.json and obtainable.json. */
  modelsDir: string;
  /** Folder for the models, which is emptied first. */
  folder: string;
  /** The engine's main file, which tries the networks. */
  enginePath: string;
}

/** Those that fit, in the order of the list. */
export function packedModels(
  models: readonly ObtainableModel[],
  maxBytes = maxPackedBytes,
): ObtainableModel[] {
  let left = maxBytes;
  return recommendedFor(models, { kind: 'cpu', megabytes: Infinity }).filter((model) => {
    const bytes = downloadBytes(model) ?? Infinity;
    const isHashed = model.files.every(({ sha256 }) => sha256 !== undefined);
    if (!isHashed || bytes > left) return false;
    left -= bytes;
    return true;
  });
}

/** @throws EnlargerError a sentence, if a file cannot be fetched, is not what was published, or cannot be used */
export async function provideRecommended({ modelsDir, folder, enginePath }: Place): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const log = (_level: string, message: string) => console.error(message);
  const shippedIds = openCatalogue(modelsDir).models.map(({ id }) => id);
  const store = await openAddedModels(folder, () => shippedIds, log);
  const importer = createModelImporter(store, (...call) =>
    importNetwork({ nodePath: process.execPath, enginePath }, ...call),
  );
  const { signal } = new AbortController();
  const scratch = await store.stagingFolder();
  const models = packedModels(readObtainable(modelsDir));
  for (const model of models) {
    console.error(`Fetching ${model.name} (${model.licence}).`);
    const files = [];
    for (const file of model.files) {
      const toPath = path.join(scratch, file.name);
      const sha256 = await fetchFile({ file, toPath, signal, onProgress: () => undefined });
      files.push({ name: file.name, path: toPath, sha256 });
    }
    await installModel(importer, model, files, signal);
  }
  await rm(path.dirname(scratch), { recursive: true, force: true });
  await writeFile(path.join(folder, 'LICENCES.txt'), models.map(noticeOf).join('\n'));
}

const noticeOf = ({ name, author, licence, homepage, files }: ObtainableModel): string =>
  [`${name}, ${author}, ${licence}`, homepage, ...files.map(({ urls }) => urls[0]), ''].join('\n');
