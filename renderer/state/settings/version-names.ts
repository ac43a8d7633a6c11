/** Names versions of a photo by what was done, and where that is the same by the settings in which they differ. */
import { distinctName } from '../photo/distinct-name.ts';
import { badgeText, modelsOf } from '../photo/phase.ts';
import type { Photo } from '../photo/photo.svelte.ts';
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
    versions,
    (each) => {
      const { record, strokes } = each;
      return [
        badgeText(each),
        ...(record === undefined ? [] : modelsOf(record).map(nameOfModel)),
        ...(strokes.length > 0 ? [text.strokeCount(strokes.length)] : []),
      ].join(', ');
    },
    // Where a result lies changes nothing in the picture.
    ({ choices }) => settingsParts({ ...choices, saveTo: '' }),
  );
