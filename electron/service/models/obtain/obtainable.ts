/** The models that can be had, read once from models/obtainable.json. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import { ObtainableCatalogue, type ObtainableModel } from '../../../contract/obtainable.ts';

/** None where the file is not there. Throws a sentence when it is not valid. */
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
