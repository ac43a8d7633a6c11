/** Decides how a result is saved once more, in another format. */
import type { BitDepth } from '../../../packages/contract/src/common.ts';
import {
  formats,
  hasQuality,
  isDeep,
  isLossy,
  isOutputFormat,
  outputFormats,
  type OutputFormat,
} from '../../../packages/contract/src/formats.ts';
import type { ConvertBody } from '../../../packages/contract/src/picture.ts';
import type { TaskRecord } from '../../../packages/contract/src/task.ts';
import type { MetadataChoice } from '../../../packages/contract/src/request.ts';

type ConvertedRecord = Pick<TaskRecord, 'output' | 'input' | 'options'>;

export interface ConvertChoices {
  format: OutputFormat;
  quality: number;
  bitDepth: BitDepth | 'same';
  metadata: MetadataChoice;
  /** The colour has the form #rrggbb. */
  background: string;
  /** The result becomes a download where this is empty. */
  saveTo: string;
}

export const hasTransparency = ({ record }: { record?: Pick<TaskRecord, 'output'> | undefined }) =>
  [2, 4].includes(record?.output?.channels ?? 0);

/** Quality until a person chooses one. */
export const firstQuality = 92;

/**
 * Formats for a copy of these results, with those last that hold nothing more of them: a JPEG as TIFF is larger and no
 * better.
 */
export function formatsFor(records: readonly ConvertedRecord[]): readonly OutputFormat[] {
  const isVain = (format: OutputFormat) =>
    records.some((record) =>
      holdsMore({ format, quality: firstQuality, bitDepth: 'same' }, record),
    );
  return [
    ...outputFormats.filter((format) => !isVain(format)),
    ...outputFormats.filter((format) => isVain(format)),
  ];
}

/** Proposes the results' own format; where they differ, one of theirs that is of use to all. */
export const proposedFormat = (records: readonly ConvertedRecord[]): OutputFormat =>
  formatsFor(records).find((format) => records.some(({ output }) => output?.format === format)) ??
  'jpeg';

/** Makes the body that the API takes, only with fields that mean something for the format. */
export function convertBody(choices: ConvertChoices, hasAlpha: boolean): ConvertBody {
  const { format, quality, bitDepth, metadata, background, saveTo } = choices;
  return {
    format,
    metadata,
    ...(hasQuality(format) && { quality }),
    ...(isDeep(format) && { bitDepth }),
    ...(hasAlpha && !formats[format].alpha && { background }),
    ...(saveTo !== '' && { saveTo }),
  };
}

/**
 * Whether the format could hold more than the result does, because the result was written with loss or
 * in fewer bits, and a copy of it gets no better. A result that only may have been written with loss counts
 * as without.
 */
export function holdsMore(
  { format, quality, bitDepth }: Pick<ConvertChoices, 'format' | 'quality' | 'bitDepth'>,
  { output, input, options }: ConvertedRecord,
): boolean {
  if (output === undefined || !isOutputFormat(output.format)) return false;
  const followsSource = options.quality === undefined && input?.format === output.format;
  const isUnsure = followsSource && output.format !== 'jpeg';
  const hasLoss = !isUnsure && isLossy(output.format, options.quality);
  const isDeeper = isDeep(format) && bitDepth === 16 && output.bitDepth < 16;
  return isDeeper || (hasLoss && !isLossy(format, quality));
}
