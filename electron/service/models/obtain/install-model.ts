/** What came of a model becomes one that is installed, or two where it has a twin. */
import type { ObtainableModel } from '../../../contract/obtainable.ts';
import type { ModelBringer } from '../bring-model.ts';
import type { FetchedFile } from './downloads.ts';

/** Answers the first one's id. Throws as bringFiles. */
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
