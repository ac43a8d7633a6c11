/** What a source's file tells of its compression, before any pixel is looked at. */
import type { ReadableFormat } from '../../contract/formats.ts';
import { readAvifQuality } from './headers/avif-quality.ts';
import { readJpegSteps } from './jpeg-quality.ts';
import type { FileCompression } from './measure-picture.ts';
import { readWebpQuality } from './headers/webp-quality.ts';

const readers: Partial<Record<ReadableFormat, (path: string) => number | undefined>> = {
  avif: readAvifQuality,
  webp: readWebpQuality,
};

/** HEIC and lossy JPEG XL have no blocks of 8 pixels, no tables and no plain quantiser: of them pixels tell noise alone. */
export function readFileCompression(path: string, format: ReadableFormat): FileCompression {
  if (format === 'jpeg') {
    const steps = readJpegSteps(path);
    return steps ? { kind: 'jpeg', steps } : { kind: 'unsaid' };
  }
  const quality = readers[format]?.(path);
  return quality === undefined ? { kind: 'unsaid' } : { kind: 'likened', quality };
}
