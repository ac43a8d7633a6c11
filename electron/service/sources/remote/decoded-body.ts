/** Decodes the content encoding of servers that compress despite `identity`. */
import { pipeline, type Readable, type Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import { EnlargerError } from '../../../../packages/contract/src/errors.ts';

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

const maxEncodings = 2;

/**
 * Errors of all stages surface on the returned stream.
 * @throws EnlargerError SOURCE_UNREACHABLE for an unknown encoding
 */
export function decodedBody(body: Readable, encoding: string | string[] | undefined): Readable {
  const names = [encoding ?? []].flat().join(',').toLowerCase().split(',');
  const used = names
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (used.length > maxEncodings) throw unknownEncoding(used.join(', '));
  // Encodings are listed in the order applied.
  return used.toReversed().reduce<Readable>((stream, name) => {
    const decoder = decoders[name]?.();
    if (decoder === undefined) throw unknownEncoding(name);
    return pipeline(stream, decoder, () => undefined);
  }, body);
}

function unknownEncoding(name: string): EnlargerError {
  return new EnlargerError(
    'SOURCE_UNREACHABLE',
    `The server sent the picture in the content encoding ${JSON.stringify(name)}, which was not asked for.`,
  );
}
