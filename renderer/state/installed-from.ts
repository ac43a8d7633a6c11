/** Which of what can be fetched is here already. Pure. */
import type { ModelView } from '../../electron/contract/model.ts';
import type { ObtainableModel } from '../../electron/contract/obtainable.ts';

/** Whether a model came from its first file: by its bytes, or by its name where no hash is published. */
export function isInstalledFrom(
  { files: [own] }: Pick<ObtainableModel, 'files'>,
  models: readonly Pick<ModelView, 'origin'>[],
): boolean {
  if (own === undefined) return false;
  const { sha256, name } = own;
  return models.some(({ origin }) =>
    sha256 === undefined ? origin?.files.includes(name) : origin?.sha256.includes(sha256),
  );
}
