/** Builds the import that blends two imported models into a third. */
import { join } from 'node:path';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';
import type {
  BlendModelBody,
  ModelDescriptor,
} from '../../../packages/contract/src/models/model.ts';
import type { ImportRequest } from '../../engine/host/import-host.ts';
import type { ModelFacts, AddedModelStore } from './added-models.ts';

interface BlendOrder {
  files: ImportRequest['files'];
  blend: { share: number; name: string };
  about: ModelFacts;
}

/** @throws EnlargerError NOT_FOUND for a model that was not imported, INVALID_REQUEST for twice the same */
export function blendOrder(
  store: Pick<AddedModelStore, 'list' | 'folder'>,
  modelId: string,
  { with: otherId, share, name }: BlendModelBody,
): BlendOrder {
  if (modelId === otherId)
    throw new EnlargerError(
      'INVALID_REQUEST',
      `Expected with to be another model than ${modelId} but received it itself.`,
    );
  const [one, other] = [modelId, otherId].map((id) => added(store, id));
  if (!one || !other) throw new Error('Two models were looked for');
  const percent = Math.round(100 * share);
  const called = name ?? `${one.name} with ${percent} % ${other.name}`;
  return {
    files: [one, other].map((model) => ({ name: `${model.id}.onnx`, path: fileOf(store, model) })),
    blend: { share, name: called },
    about: {
      name: called,
      description: `Between ${one.name} and ${other.name}: ${percent} % of the second.`,
      licence: one.licence === other.licence ? one.licence : `${one.licence}; ${other.licence}`,
      author: one.author === other.author ? one.author : `${one.author}; ${other.author}`,
    },
  };
}

function added({ list }: Pick<AddedModelStore, 'list'>, id: string): ModelDescriptor {
  const found = list().find((model) => model.id === id);
  if (found) return found;
  throw new EnlargerError(
    'NOT_FOUND',
    `There is no added model ${id}; models that came with Enlarger are not blended.`,
  );
}

function fileOf(
  { folder }: Pick<AddedModelStore, 'folder'>,
  { networks }: ModelDescriptor,
): string {
  const [network] = networks;
  const [variant] = network?.variants ?? [];
  if (variant) return join(folder, variant.file);
  throw new Error('A model without a file');
}
