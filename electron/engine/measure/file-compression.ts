/** What a source's file tells of its compression, before any pixel is looked at. */
import type { ReadableFormat } from '../../contract/formats.ts';
import { readJpegSteps } from './jpeg-quality.ts';
import type { FileCompression } from './measure-picture.ts';
import { readWebpQuality } from './webp-quality.ts';

/** AVIF, HEIC and lossy JPEG XL have no blocks of 8 pixels and no tables: of them pixels tell noise alone. */
export function readFileCompression(path: string, format: ReadableFormat): FileCompression {
  if (format === 'jpeg') {
    const steps = readJpegSteps(path);
    return steps ? { kind: 'jpeg', steps } : { kind: 'unsaid' };
  }
  const quality = format === 'webp' ? readWebpQuality(path) : undefined;
  return quality === undefined ? { kind: 'unsaid' } : { kind: 'likened', quality };
}
