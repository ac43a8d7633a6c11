/** Words what was found in a photo, what was done about it and how the result compares; levels are on demand. */
import type {
  ChangedPixels,
  Grade,
  MeasuredDamage,
  TaskRecord,
} from '../../packages/contract/src/task.ts';
import { wordNote, type ReadNote } from '../../packages/contract/src/notes/word-note.ts';
import { levelsText, shareText } from './figures.ts';
import { language, locale, numberText, text } from './text.ts';

/** A line in words; `levels` has the figures, in levels of 255 or pixels, for those who want them. */
export interface MeasuredLine {
  words: string;
  levels?: string;
}

/** Deviations up to these, in levels of 255, are low and moderate. */
const [maxLow, maxModerate] = [2, 6];

function amountText(levels: number): string {
  if (levels <= maxLow) return text.amountLow;
  return levels <= maxModerate ? text.amountModerate : text.amountHigh;
}

const measuredLine = (words: string, levels: number): MeasuredLine => ({
  words,
  levels: text.levelsOf(levelsText(levels)),
});

export function foundLines({ jpegQuality, noise }: MeasuredDamage): MeasuredLine[] {
  return [
    { words: jpegQuality === undefined ? text.foundNoTrace : text.foundQuality(jpegQuality) },
    noise === 0
      ? { words: text.foundNoNoise }
      : measuredLine(text.foundNoise(amountText(noise)), noise),
  ];
}

/** Words what was cleaned up. There are no lines where the model has no strength, or nothing was asked for. */
export function cleanedLines({ restored }: MeasuredDamage): MeasuredLine[] {
  if (restored === undefined) return [];
  const { jpegQuality, noise, blurPx } = restored;
  const lines = [
    ...(jpegQuality === undefined ? [] : [{ words: text.cleanedQuality(jpegQuality) }]),
    ...(noise === 0 ? [] : [measuredLine(text.cleanedNoise(amountText(noise)), noise)]),
    ...(blurPx === undefined
      ? []
      : [{ words: text.cleanedBlur, levels: `${numberText(blurPx)} px` }]),
  ];
  return lines.length === 0 ? [{ words: text.cleanedNothing }] : lines;
}

export const grainLine = ({ grain }: MeasuredDamage): MeasuredLine | undefined =>
  grain && measuredLine(amountText(grain.deviation), grain.deviation);

/** Mean differences up to these, in levels of 255, are very close, close, and different in fine detail. */
const [maxVeryClose, maxClose, maxFine] = [1, 2.5, 5];

export function changedLine({ mean, largest, share }: ChangedPixels): MeasuredLine {
  const words =
    mean <= maxVeryClose
      ? text.changeLevel0
      : mean <= maxClose
        ? text.changeLevel1
        : mean <= maxFine
          ? text.changeLevel2
          : text.changeLevel3;
  return {
    words,
    levels: text.changesWords(levelsText(mean), levelsText(largest), shareText(share)),
  };
}

/** A note on a result in the reader's language; undefined where only the service's own sentence is there. */
export const noteText = ({ read }: { read?: ReadNote | undefined }): string | undefined =>
  language.notes && read && wordNote(read, language.notes, locale);

/** What a grade says of a cut-out; undefined where it is good. */
export const gradeText = (grade: Grade | undefined): string | undefined =>
  grade === 'look' ? text.gradeCheck : grade === 'poor' ? text.gradePoor : undefined;

/** The next step for a cut-out that is unsure or was rejected; undefined where it needs none. */
export const edgeAdvice = ({
  operation,
  grade,
  mark,
}: Pick<TaskRecord, 'operation' | 'grade' | 'mark'>): string | undefined => {
  const isBad = mark === 'rejected' || (mark === undefined && gradeText(grade) !== undefined);
  return operation === 'remove-bg' && isBad ? text.gradeNext : undefined;
};
