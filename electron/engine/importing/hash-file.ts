/** A file's hashes, read once and never as a whole. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

export interface FileHashes {
  sha256: string;
  /** rembg lists its files by it. */
  md5: string;
  sizeBytes: number;
}

export async function hashFile(path: string): Promise<FileHashes> {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')];
  let sizeBytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes = chunk as Buffer;
    sha256.update(bytes);
    md5.update(bytes);
    sizeBytes += bytes.length;
  }
  return { sha256: sha256.digest('hex'), md5: md5.digest('hex'), sizeBytes };
}
