/**
 * Describes a change for the record's notes and the metadata, including the state of the picture to which it
 * applies.
 */
import type { FinishingOptions } from '../../../protocol/messages.ts';
import type { ChangedPixels } from '../../../../../packages/contract/src/task.ts';
import { note, part } from '../../../../../packages/contract/src/notes/notes.ts';
import { faithfulLevels, maxRounds } from './back-projection.ts';

const laterSteps = {
  sharpening: 'SHARPENING',
  grain: 'GRAIN',
  compression: 'COMPRESSION',
} as const;
/** Steps applied to a result after its comparison with the source. */
type LaterStep = keyof typeof laterSteps;

export interface ReportedChange {
  changed: ChangedPixels;
  /** The steps after the comparison, in order. */
  after: readonly LaterStep[];
}

export const stepsAfterComparison = (
  { sharpen = 0, isCompressed }: Pick<FinishingOptions, 'sharpen'> & { isCompressed: boolean },
  hasGrain: boolean,
): LaterStep[] => [
  ...(sharpen > 0 ? (['sharpening'] as const) : []),
  ...(hasGrain ? (['grain'] as const) : []),
  ...(isCompressed ? (['compression'] as const) : []),
];

const listOf = (steps: readonly LaterStep[]) => {
  const names = steps.map((step) => part(laterSteps[step]));
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
};

/** E.g. "reduced to its source it differs by 0.40 levels of 255 in the mean ... (before grain)". */
export function describeChange({ changed, after }: ReportedChange): string {
  const { mean, largest, share } = changed;
  const before = after.length === 0 ? '' : ` (before ${listOf(after)})`;
  return `reduced to its source it differs by ${mean.toFixed(2)} levels of 255 in the mean and ${largest.toFixed(0)} at most, ${(share * 100).toFixed(1)} % of it by over 2${before}`;
}

/** Sentences on a change for the record's notes. */
export const changeNotes = (keep: FinishingOptions['keep'], change: ReportedChange): string[] =>
  keep === 'faithful' ? faithfulNotes(change) : plainNotes(change);

/** Names the steps after the comparison except compression: lossy files are known to lose detail. */
function plainNotes({ after }: ReportedChange): string[] {
  const named = after.filter((one) => one !== 'compression');
  return named.length === 0 ? [] : [note('COMPARED_BEFORE', { steps: listOf(named) })];
}

function faithfulNotes({ changed: { largest, share }, after }: ReportedChange): string[] {
  const missed = note('NOT_FAITHFUL', {
    ...{ levels: faithfulLevels, rounds: maxRounds },
    ...{ largest: Number(largest.toFixed(1)), percent: (share * 100).toFixed(1) },
  });
  const later =
    after.length === 0
      ? []
      : [note('HELD_BEFORE', { steps: listOf(after), levels: faithfulLevels })];
  return [...(largest > faithfulLevels ? [missed] : []), ...later];
}
