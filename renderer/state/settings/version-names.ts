/** Names versions of a photo by what was done, and by the settings in which they differ. */
import { distinctName } from '../photo/distinct-name.ts';
import { badgeText, modelsOf, sizeBadge } from '../photo/phase.ts';
import type { Photo } from '../photo/photo.svelte.ts';
import { operationOf } from '../photo/touchable.ts';
import { text } from '../../text/text.ts';
import { settingsParts } from './preset-text.ts';

/** Names a version of a photo by what was done and by which model, so that it is told apart from its other versions. */
export const versionText = (
  version: Photo,
  versions: readonly Photo[],
  nameOfModel: (id: string) => string,
): string =>
  distinctName(
    version,
    // What a cut-out has and an enlargement has not stands in the name.
    versions.filter((other) => operationOf(other) === operationOf(version)),
    (each) => {
      const { record, strokes } = each;
      return [
        badgeText(each),
        ...(record === undefined ? [] : modelsOf(record).map(nameOfModel)),
        ...(strokes.length > 0 ? [text.strokeCount(strokes.length)] : []),
      ].join(', ');
    },
    partsOf,
  );

function partsOf({ choices, record }: Photo): string[] {
  if (record?.operation === 'convert') return [];
  // Where a result lies changes nothing in the picture.
  const parts = settingsParts({ ...choices, saveTo: '', upscaler: '', remover: '' });
  return parts.filter((part) => part !== `${text.enlarge} ${sizeBadge(choices)}`);
}
