/** Packed tape archives (.tgz), as releases come. */
import { gzipSync } from 'node:zlib';

interface ArchiveEntry {
  name: string;
  bytes?: Buffer;
  /** '0' is a plain file, '5' a folder, '2' a link. */
  kind?: string;
}

export const tgzOf = (entries: readonly ArchiveEntry[]): Buffer =>
  gzipSync(Buffer.concat([...entries.flatMap(blocksOf), Buffer.alloc(1024)]));

function blocksOf({ name, bytes = Buffer.alloc(0), kind = '0' }: ArchiveEntry): Buffer[] {
  const head = Buffer.alloc(512);
  head.write(name, 0, 'latin1');
  head.write('0000644\0', 100, 'latin1');
  head.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  head.write(kind, 156, 'latin1');
  head.write('ustar\u000000', 257, 'latin1');
  return [head, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)];
}
