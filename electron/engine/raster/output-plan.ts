/** What the result will be: format, bits, size; and what cannot be, before the network starts. Pure. */
import { EnlargerError } from '../../contract/errors.ts';
import type { OutputFormat } from '../../contract/common.ts';
import type { SourceInspection, UpscaleJob } from '../protocol.ts';

export interface OutputPlan {
  format: OutputFormat;
  /** Bits of the raster that is encoded; AVIF makes 10 of 16. */
  bits: 8 | 16;
  width: number;
  height: number;
  notes: string[];
}

/** Most pixels a side that the encoders write. */
const longestSide: Partial<Record<OutputFormat, number>> = {
  jpeg: 65_500,
  webp: 16_383,
  avif: 16_384,
};
const deepFormats = new Set<OutputFormat>(['png', 'tiff', 'avif']);

type Wish = Pick<UpscaleJob, 'format' | 'formatChosen' | 'bitDepth' | 'limits'>;

/** Throws IMAGE_TOO_LARGE when the limits or a chosen format cannot hold the result. */
export function planOutput(source: SourceInspection, scale: number, wish: Wish): OutputPlan {
  const width = source.width * scale;
  const height = source.height * scale;
  if (width * height > wish.limits.resultPixels) {
    throw new EnlargerError(
      'IMAGE_TOO_LARGE',
      `The result would have ${width} x ${height} pixels; at most ${wish.limits.resultPixels / 1e6} megapixels are allowed.`,
    );
  }
  const notes: string[] = [];
  const format = formatThatHolds(formatWished(source, wish), { width, height }, wish, notes);
  const wanted = wish.bitDepth === 'same' ? (source.bitDepth > 8 ? 16 : 8) : wish.bitDepth;
  const bits = deepFormats.has(format) ? wanted : 8;
  if (format === 'avif' && bits === 16)
    notes.push('AVIF holds 10 bits for each colour; 16 were there.');
  if (bits < wanted) notes.push(`${nameOf(format)} holds 8 bits for each colour; 16 were there.`);
  return { format, bits, width, height, notes };
}

const nameOf = (format: OutputFormat) => (format === 'webp' ? 'WebP' : format.toUpperCase());

/** 'same' is the source's own format; what we only read becomes PNG, and RAW TIFF. */
function formatWished(source: SourceInspection, wish: Wish): OutputFormat {
  if (wish.format !== 'same') return wish.format;
  const own = (['jpeg', 'png', 'webp', 'tiff', 'avif'] as const).find((f) => f === source.format);
  return own ?? (source.format === 'raw' ? 'tiff' : 'png');
}

function formatThatHolds(
  format: OutputFormat,
  size: { width: number; height: number },
  wish: Wish,
  notes: string[],
): OutputFormat {
  const longest = longestSide[format];
  if (!longest || Math.max(size.width, size.height) <= longest) return format;
  const why = `${nameOf(format)} holds at most ${longest} pixels a side, and the result has ${size.width} x ${size.height}`;
  if (wish.formatChosen) {
    throw new EnlargerError('IMAGE_TOO_LARGE', `${why}. Choose the format tiff.`);
  }
  notes.push(`${why}, so it was written as TIFF.`);
  return 'tiff';
}
