/** What a picture becomes, from what its head says. Pure; sizes are guesses. */
import type { Settings } from '../../contract/admin.ts';
import { outputFormats } from '../../contract/common.ts';
import type { Estimate, TaskOptions } from '../../contract/task.ts';
import type { SourceInspection } from '../../engine/protocol.ts';

/** Bytes for each pixel of a photo at the usual quality; 8 bit. */
const bytesPerPixel: Record<string, number> = {
  jpeg: 0.5,
  png: 1.8,
  webp: 0.3,
  tiff: 2.2,
  avif: 0.25,
};

/** The longest side that a format can hold, in pixels. */
const longestSide: Record<string, number> = { jpeg: 65_500, webp: 16_383, avif: 65_536 };

export function planOutput(
  source: SourceInspection,
  options: TaskOptions & { scale: number },
  limits: Pick<Settings, 'maxResultPixels' | 'maxSourcePixels'>,
): Estimate {
  const width = source.width * options.scale;
  const height = source.height * options.scale;
  const wanted = formatOf(source, options);
  const fits = Math.max(width, height) <= (longestSide[wanted] ?? Infinity);
  const format = fits || options.formatChosen ? wanted : 'tiff';
  const bits = options.bitDepth === 'same' ? source.bitDepth : options.bitDepth;
  const pixels = width * height;
  const problem = problemOf(
    source,
    { width, height, fits: fits || !options.formatChosen, wanted },
    limits,
  );
  return {
    width,
    height,
    format,
    fileSizeBytes: Math.round(pixels * (bytesPerPixel[format] ?? 2) * (bits / 8)),
    scratchBytes: scratchOf(source, pixels),
    ...(problem && { problem }),
  };
}

/** 'same' where it can be written; RAW becomes TIFF, the other forms PNG. */
function formatOf(source: SourceInspection, options: TaskOptions): string {
  if (options.format !== 'same') return options.format;
  if (outputFormats.some((format) => format === source.format)) return source.format;
  return source.format === 'raw' ? 'tiff' : 'png';
}

/** The source's raster, the result's, and what lies between them at most. */
function scratchOf(source: SourceInspection, pixels: number): number {
  const bytes = source.channels * Math.ceil(source.bitDepth / 8);
  return Math.round((source.width * source.height + pixels * 1.25) * bytes);
}

interface PlannedSize {
  width: number;
  height: number;
  fits: boolean;
  wanted: string;
}

function problemOf(
  source: SourceInspection,
  { width, height, fits, wanted }: PlannedSize,
  limits: Pick<Settings, 'maxResultPixels' | 'maxSourcePixels'>,
) {
  const size = `${width} x ${height}`;
  if (source.width * source.height > limits.maxSourcePixels)
    return tooLarge(`The picture has more than ${limits.maxSourcePixels} pixels, the limit.`);
  if (width * height > limits.maxResultPixels)
    return tooLarge(
      `The result would be ${size}, more than ${limits.maxResultPixels} pixels, the limit.`,
    );
  if (!fits) return tooLarge(`${wanted} cannot hold ${size} pixels; choose tiff.`);
  return undefined;
}

function tooLarge(message: string) {
  return { code: 'IMAGE_TOO_LARGE', message };
}
