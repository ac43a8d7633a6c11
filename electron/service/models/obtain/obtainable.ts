/** Reads the models that can be downloaded from models/obtainable.json, and adds downloaded ones. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import { ObtainableCatalogue, type ObtainableModel } from '../../../contract/models/obtainable.ts';
import type { ModelBringer } from '../bring-model.ts';
import type { FetchedFile } from './downloads.ts';

/** Answers an empty list where the file is missing. It throws an Error with a sentence for an invalid file. */
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

/** Adds one model, or two where it has a twin; the id is the first one's. It throws what `bringFiles` throws. */
export async function installModel(
  bringer: Pick<ModelBringer, 'bringFiles'>,
  { name, description, licence, author, trainingData, twinName }: ObtainableModel,
  files: FetchedFile[],
  signal: AbortSignal,
): Promise<{ id: string }> {
  const about = { name, description, licence, author, trainedOn: trainingData };
  if (twinName === undefined) return bringer.bringFiles(files, about, signal);
  const [own, twin] = [files.slice(0, 1), files.slice(1)];
  const added = await bringer.bringFiles(own, about, signal);
  await bringer.bringFiles(twin, { ...about, name: twinName }, signal);
  return added;
}
