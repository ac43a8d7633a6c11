/** Names versions of a photo by what was done, and by the settings in which they differ. */
import { distinctName } from '../photo/distinct-name.ts';
import { badgeText, modelsOf, sizeBadge } from '../photo/phase.ts';
import type { Photo } from '../photo/photo.svelte.ts';
import { operationOf } from '../photo/touchable.ts';
import { text } from '../../text/text.ts';
import { dialParts } from './dial-parts.ts';
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
        ...dialsOf(each),
      ].join(', ');
    },
    partsOf,
  );

/** Dials that are not as usual stand in the name, for versions that have them in common, too. */
const dialsOf = ({ choices, record }: Photo): string[] =>
  record?.operation === 'convert' ? [] : dialParts(choices);

function partsOf(version: Photo): string[] {
  const { choices, record } = version;
  if (record?.operation === 'convert') return [];
  // Where a result lies changes nothing in the picture.
  const parts = settingsParts({ ...choices, saveTo: '', upscaler: '', remover: '' });
  const named = [`${text.enlarge} ${sizeBadge(choices)}`, ...dialsOf(version)];
  return parts.filter((part) => !named.includes(part));
}
