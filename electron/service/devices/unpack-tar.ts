/**
 * Extracts single files from a .tgz stream. A library for this would add six packages. Format:
 * https://www.gnu.org/software/tar/manual/html_node/Standard.html
 */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { EnlargerError } from '../../../packages/contract/src/errors.ts';

const block = 512;
const plainFile = new Set(['0', '\0']);
/** Larger entries count as damage. */
const maxEntryBytes = 2 ** 31;

/**
 * Writes regular files whose base name is in `names`, under that base name only, so that no path of the
 * archive chooses a location.
 * @throws EnlargerError INVALID_REQUEST if a name is missing or the archive damaged, CANCELLED
 */
export async function unpackFiles(
  archive: string,
  names: readonly string[],
  toFolder: string,
  signal: AbortSignal,
): Promise<void> {
  const missing = new Set(names);
  const unpacked = createGunzip();
  const packed = createReadStream(archive).on('error', (error) => unpacked.destroy(error));
  const bytes = createByteReader(packed.pipe(unpacked));
  try {
    for (;;) {
      const head = await bytes.read(block);
      if (head === undefined || head.every((byte) => byte === 0)) break;
      const { name, size, isFile } = readHead(head);
      const wanted = isFile && missing.delete(name) ? name : undefined;
      const file =
        wanted === undefined ? undefined : await open(join(toFolder, wanted), 'wx', 0o600);
      try {
        await bytes.pass(size, (piece) => file?.writeFile(piece), signal);
        await file?.sync();
      } finally {
        await file?.close();
      }
      await bytes.pass((block - (size % block)) % block, () => undefined, signal);
      if (missing.size === 0) return;
    }
  } catch (error) {
    if (signal.aborted) throw new EnlargerError('CANCELLED', 'It was cancelled.');
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw damaged();
    throw error;
  } finally {
    packed.destroy();
    bytes.close();
  }
  throw new EnlargerError('INVALID_REQUEST', `The archive lacks ${[...missing].join(' and ')}.`);
}

const damaged = () =>
  new EnlargerError('INVALID_REQUEST', 'The archive is damaged; get it anew and add it again.');

function readHead(head: Buffer): { name: string; size: number; isFile: boolean } {
  const textAt = (at: number, length: number) =>
    head.toString('latin1', at, at + length).split('\0')[0] ?? '';
  const size = Number.parseInt(textAt(124, 12).trim() || '0', 8);
  if (!(size >= 0 && size <= maxEntryBytes)) throw damaged();
  const kind = head.toString('latin1', 156, 157);
  return { name: textAt(0, 100).split('/').at(-1) ?? '', size, isFile: plainFile.has(kind) };
}

/** Reads a stream in pieces of chosen sizes. */
function createByteReader(stream: NodeJS.ReadableStream & { destroy(): void }) {
  const chunks = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const more = async () => {
    const next = await chunks.next();
    if (next.done === true) return false;
    rest = next.value as Buffer;
    return true;
  };
  const pass = async (
    count: number,
    use: (piece: Buffer) => Promise<void> | undefined,
    signal: AbortSignal,
  ) => {
    for (let remaining = count; remaining > 0;) {
      signal.throwIfAborted();
      if (rest.length === 0 && !(await more())) throw damaged();
      const piece = rest.subarray(0, remaining);
      await use(piece);
      rest = rest.subarray(piece.length);
      remaining -= piece.length;
    }
  };
  return {
    pass,
    /** Exactly `count` bytes; undefined at the end of the stream. */
    async read(count: number): Promise<Buffer | undefined> {
      if (rest.length === 0 && !(await more())) return undefined;
      const pieces: Buffer[] = [];
      await pass(count, (piece) => void pieces.push(piece), new AbortController().signal);
      return Buffer.concat(pieces);
    },
    close: () => stream.destroy(),
  };
}
