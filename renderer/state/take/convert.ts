/** What a result is saved as, once more. */
import type { BitDepth } from '../../../electron/contract/common.ts';
import {
  formats,
  hasQuality,
  isDeep,
  isLossy,
  isOutputFormat,
  type OutputFormat,
} from '../../../electron/contract/formats.ts';
import type { ConvertBody } from '../../../electron/contract/picture.ts';
import type { TaskRecord } from '../../../electron/contract/task.ts';
import type { MetadataChoice } from '../../../electron/contract/submit.ts';

interface ConvertChoices {
  format: OutputFormat;
  quality: number;
  bitDepth: BitDepth | 'same';
  metadata: MetadataChoice;
  /** #rrggbb */
  background: string;
  /** Empty: a download. */
  saveTo: string;
}

export const hasTransparency = ({ record }: { record?: Pick<TaskRecord, 'output'> | undefined }) =>
  [2, 4].includes(record?.output?.channels ?? 0);

/** As the API takes it: only what means something for the format. */
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
 * Whether the format could hold more than the result does: that was written with loss, or in fewer bits, and a
 * copy of it gets no better. What only may have been written with loss is not said to be.
 */
export function holdsMore(
  { format, quality, bitDepth }: Pick<ConvertChoices, 'format' | 'quality' | 'bitDepth'>,
  { output, input, options }: Pick<TaskRecord, 'output' | 'input' | 'options'>,
): boolean {
  if (output === undefined || !isOutputFormat(output.format)) return false;
  const followsSource = options.quality === undefined && input?.format === output.format;
  const isUnsure = followsSource && output.format !== 'jpeg';
  const hasLoss = !isUnsure && isLossy(output.format, options.quality);
  const isDeeper = isDeep(format) && bitDepth === 16 && output.bitDepth < 16;
  return isDeeper || (hasLoss && !isLossy(format, quality));
}
