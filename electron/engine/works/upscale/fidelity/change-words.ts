/** What is said of a change, in the record's notes and in the metadata: of what picture it is true. Pure. */
import type { Finishing } from '../../../protocol.ts';
import type { ChangedPixels } from '../../../../contract/task.ts';
import { faithfulLevels, mostRounds } from './keep-faithful.ts';

/** What is done to a result after it was held against its source, in order. */
type Following = 'reducing' | 'sharpening' | 'grain' | 'compression';

export interface ToldChange {
  changed: ChangedPixels;
  after: readonly Following[];
}

export const whatFollows = (
  { sharpen = 0, isCompressed }: Pick<Finishing, 'sharpen'> & { isCompressed: boolean },
  { isSmaller, hasGrain }: { isSmaller: boolean; hasGrain: boolean },
): Following[] => [
  ...(isSmaller ? (['reducing'] as const) : []),
  ...(sharpen > 0 ? (['sharpening'] as const) : []),
  ...(hasGrain ? (['grain'] as const) : []),
  ...(isCompressed ? (['compression'] as const) : []),
];

const listOf = (names: readonly string[]) => {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
};

/** Such as "reduced to its source it differs by 0.40 levels of 255 in the mean ... (before grain)". */
export function changeInWords({ changed, after }: ToldChange): string {
  const { mean, largest, share } = changed;
  const before = after.length === 0 ? '' : ` (before ${listOf(after)})`;
  return `reduced to its source it differs by ${mean.toFixed(2)} levels of 255 in the mean and ${largest.toFixed(0)} at most, ${(share * 100).toFixed(1)} % of it by over 2${before}`;
}

/** Sentences for the record. */
export const changeNotes = (keep: Finishing['keep'], told: ToldChange): string[] =>
  keep === 'faithful' ? faithfulNotes(told) : plainNotes(told);

/** That a file of a lossy format loses something nobody must be told. */
function plainNotes({ after }: ToldChange): string[] {
  const wished = after.filter((one) => one !== 'compression');
  if (wished.length === 0) return [];
  return [
    `How much the network changed the photo is told of the picture before ${listOf(wished)}.`,
  ];
}

function faithfulNotes({ changed: { largest, share }, after }: ToldChange): string[] {
  const missed = `It could not be brought to within ${faithfulLevels} level of the photo everywhere: after ${mostRounds} corrections it differs by ${Number(largest.toFixed(1))} at most, ${(share * 100).toFixed(1)} % of it by over 2.`;
  const followed = `It was held to the photo before ${listOf(after)}, so the file may differ from it by more than ${faithfulLevels} level.`;
  return [...(largest > faithfulLevels ? [missed] : []), ...(after.length > 0 ? [followed] : [])];
}
