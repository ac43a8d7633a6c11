/** Reads what a source's file tells of its compression, before any pixel is looked at. */
import type { ReadableFormat } from '../../contract/formats.ts';
import { readAvifQuality, readHeicQuality } from './headers/heif-quality.ts';
import { readTiffSteps } from './headers/tiff-steps.ts';
import { readWebpQuality } from './headers/webp-quality.ts';
import { readJpegSteps } from '../raster/jpeg-quality.ts';
import type { FileCompression } from './measure-picture.ts';

type Readers<T> = Partial<Record<ReadableFormat, (path: string) => T | undefined>>;

const stepsOf: Readers<number[]> = { jpeg: readJpegSteps, tiff: readTiffSteps };
const equivalentOf: Readers<number> = {
  avif: readAvifQuality,
  heic: readHeicQuality,
  webp: readWebpQuality,
};

/**
 * Reads the compression of a file. A JPEG XL is 'unsaid': no plain header tells the quantiser of a lossy one,
 * whose pixels tell its noise alone. A JPEG that was packed into a JPEG XL without loss has its tables packed
 * among its pixels, which tell the quality, too.
 */
export function readFileCompression(path: string, format: ReadableFormat): FileCompression {
  const steps = stepsOf[format]?.(path);
  if (steps) return { kind: 'jpeg', steps };
  const quality = equivalentOf[format]?.(path);
  return quality === undefined ? { kind: 'unsaid' } : { kind: 'equivalent', quality };
}
