/** What a result is saved as, once more. */
import type { BitDepth } from '../../electron/contract/common.ts';
import { formats, hasQuality, isDeep, type OutputFormat } from '../../electron/contract/formats.ts';
import type { ConvertBody } from '../../electron/contract/picture.ts';
import type { MetadataChoice } from '../../electron/contract/submit.ts';

export interface ConvertChoices {
  format: OutputFormat;
  quality: number;
  bitDepth: BitDepth | 'same';
  metadata: MetadataChoice;
  /** #rrggbb */
  background: string;
  /** Empty: a download. */
  saveTo: string;
}

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
