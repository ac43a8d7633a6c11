/** Reads the compression of a source from its file, before its pixels. */
import type { ReadableFormat } from '../../../contract/src/formats.ts';
import { readAvifQuality, readHeicQuality } from './headers/heif-quality.ts';
import { readTiffSteps } from './headers/tiff-steps.ts';
import { readWebpQuality } from './headers/webp-quality.ts';
import { readJpegSteps } from '../../../file-records/src/index.ts';

/** Compression according to a file's header. */
export type FileCompression =
  /** Luminance steps of a JPEG, row-major. */
  | { kind: 'jpeg'; steps: readonly number[] }
  /** Another lossy format, with the JPEG quality of equal fidelity. */
  | { kind: 'equivalent'; quality: number }
  /** The file has no information; only pixels have. */
  | { kind: 'unsaid' };

type Readers<T> = Partial<Record<ReadableFormat, (path: string) => T | undefined>>;

const stepsOf: Readers<number[]> = { jpeg: readJpegSteps, tiff: readTiffSteps };
const equivalentOf: Readers<number> = {
  avif: readAvifQuality,
  heic: readHeicQuality,
  webp: readWebpQuality,
};

/**
 * Reads the compression of a file. JPEG XL is 'unsaid': its quantiser is in no plain header, so that its
 * pixels show only noise. A JPEG losslessly packed into a JPEG XL hides its tables; its pixels show the
 * quality as well.
 */
export function readFileCompression(path: string, format: ReadableFormat): FileCompression {
  const steps = stepsOf[format]?.(path);
  if (steps) return { kind: 'jpeg', steps };
  const quality = equivalentOf[format]?.(path);
  return quality === undefined ? { kind: 'unsaid' } : { kind: 'equivalent', quality };
}
