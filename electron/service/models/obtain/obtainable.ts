/** Downloadable models of models/obtainable.json, and their installation. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import type { OnImportProgress } from '../../../../packages/contract/src/models/import-progress.ts';
import {
  ObtainableCatalogue,
  type ObtainableModel,
} from '../../../../packages/contract/src/models/obtainable.ts';
import { summaryOf } from '../../../../packages/contract/src/models/downloads.ts';
import type { ModelImporter } from '../import-model.ts';
import type { FetchedFile } from './downloads.ts';

/** Returns an empty list if the file is missing. @throws Error a sentence, if it is invalid */
export function readObtainable(modelsDir: string): readonly ObtainableModel[] {
  const path = join(modelsDir, 'obtainable.json');
  if (!existsSync(path)) return [];
  let found: unknown;
  try {
    found = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new Error(`The list of models ${path} cannot be read: ${String(cause)}`, { cause });
  }
  if (Value.Check(ObtainableCatalogue, found)) return found.models;
  const [first] = Value.Errors(ObtainableCatalogue, found);
  throw new Error(
    `The list of models ${path} is not valid: ${first?.instancePath ?? ''} ${first?.message ?? ''}.`,
  );
}

/** Imports one model, or two with its twin; returns the first one's id. Throws like `importFiles`. */
export async function installModel(
  importer: Pick<ModelImporter, 'importFiles'>,
  { name, licence, author, trainingData, twinName, ...said }: ObtainableModel,
  files: FetchedFile[],
  signal: AbortSignal,
  onProgress?: OnImportProgress,
): Promise<{ id: string }> {
  const about = { name, description: summaryOf(said), licence, author, trainedOn: trainingData };
  if (twinName === undefined) return importer.importFiles(files, about, signal, onProgress);
  const [own, twin] = [files.slice(0, 1), files.slice(1)];
  const added = await importer.importFiles(own, about, signal, onProgress);
  await importer.importFiles(twin, { ...about, name: twinName }, signal, onProgress);
  return added;
}
