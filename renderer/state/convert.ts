/** What a result is saved as, once more. */
import type { BitDepth, OutputFormat } from '../../electron/contract/common.ts';
import type { ConvertBody } from '../../electron/contract/picture.ts';
import type { MetadataChoice } from '../../electron/contract/submit.ts';

export const formatNames: Record<OutputFormat, string> = {
  jpeg: 'JPEG',
  png: 'PNG',
  webp: 'WebP',
  tiff: 'TIFF',
  avif: 'AVIF',
  jxl: 'JPEG XL',
};

export function hasQuality(format: OutputFormat): boolean {
  return format === 'jpeg' || format === 'webp' || format === 'avif' || format === 'jxl';
}

export function holds16Bit(format: OutputFormat): boolean {
  return format === 'png' || format === 'tiff' || format === 'jxl';
}

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
    ...(holds16Bit(format) && { bitDepth }),
    ...(hasAlpha && format === 'jpeg' && { background }),
    ...(saveTo !== '' && { saveTo }),
  };
}
