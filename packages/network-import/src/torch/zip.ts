/**
 * Reads where the entries of a zip file lie. PyTorch stores entries without compression, and others are
 * refused, so nothing can swell. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
import type { ByteSource } from '../../../../electron/engine/onnx/byte-source.ts';
import { refused } from '../../../../electron/engine/onnx/refused.ts';

/** The bytes of an entry in the file, or of a storage in the older container. */
export interface ZipEntry {
  at: number;
  length: number;
}

const endRecord = 0x06054b50;
const centralRecord = 0x02014b50;
const localRecord = 0x04034b50;
const endLength = 22;
const longestComment = 65_535;
const mostEntries = 100_000;

export const isZip = (source: ByteSource) =>
  source.size > endLength && source.read(0, 4).readUInt32LE() === localRecord;

/** Reads the central directory into entries by name. It throws MODEL_REFUSED. */
export function readZip(source: ByteSource): Map<string, ZipEntry> {
  const { entries, at } = findEnd(source);
  const found = new Map<string, ZipEntry>();
  let next = at;
  for (let i = 0; i < entries; i += 1) {
    const head = source.read(next, 46);
    if (head.readUInt32LE(0) !== centralRecord) throw damaged(next);
    const [method, stored, length] = [10, 20, 24].map((where) =>
      where === 10 ? head.readUInt16LE(where) : head.readUInt32LE(where),
    );
    const nameLength = head.readUInt16LE(28);
    const name = source.read(next + 46, nameLength).toString('utf8');
    if (method !== 0 || stored !== length)
      throw refused(
        `The file's entry ${name.slice(0, 60)} is compressed; PyTorch stores entries as they are. Save it again with torch.save.`,
      );
    found.set(name, { at: startOf(source, head.readUInt32LE(42)), length: length ?? 0 });
    next += 46 + nameLength + head.readUInt16LE(30) + head.readUInt16LE(32);
  }
  return found;
}

function findEnd(source: ByteSource): { entries: number; at: number } {
  const length = Math.min(source.size, endLength + longestComment);
  const tail = source.read(source.size - length, length);
  for (let i = length - endLength; i >= 0; i -= 1) {
    if (tail.readUInt32LE(i) !== endRecord) continue;
    const [entries, at] = [tail.readUInt16LE(i + 10), tail.readUInt32LE(i + 16)];
    if (entries > mostEntries || entries === 0xffff || at === 0xffffffff) break;
    return { entries, at };
  }
  throw refused(
    'The file starts as PyTorch writes it but has no end: it is cut short. Get it again.',
  );
}

/** Finds the entry's bytes behind its local header, whose name and extra field have lengths of their own. */
function startOf(source: ByteSource, at: number): number {
  const head = source.read(at, 30);
  if (head.readUInt32LE(0) !== localRecord) throw damaged(at);
  return at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
}

const damaged = (at: number) =>
  refused(`The file is damaged: its list of entries is wrong at ${at}.`);
