/**
 * The records of a ZIP file, whose entries are stored without compression here (PKWARE APPNOTE 6.3.9, 4.3). Callers
 * read and write the bytes: one tile of many, a network's weights, two files of a response.
 */

/** Length of the end record without its comment, in bytes. */
export const zipEndBytes = 22;
export const maxZipCommentBytes = 65_535;
export const zip64LocatorBytes = 20;
export const zip64EndBytes = 56;
/** Length of a local header before its name and extra field. */
export const zipLocalBytes = 30;

const centralBytes = 46;
const signatures = {
  local: 0x04034b50,
  central: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
};
/** Stands for a value that is in the extra field, or in the end record of zip64. */
const in64 = 0xffffffff;
const extraOf64 = 1;

export interface ZipEntry {
  name: string;
  /** 0 for an entry that is stored as it is. */
  method: number;
  crc32: number;
  /** Bytes in the file. */
  storedBytes: number;
  sizeBytes: number;
  /** Offset of the local header, which precedes the bytes. */
  headerAt: number;
}

/** Where the central directory lies. */
export interface ZipDirectory {
  at: number;
  sizeBytes: number;
  count: number;
}

export const startsAsZip = (head: Buffer): boolean =>
  head.length >= 4 && head.readUInt32LE(0) === signatures.local;

/**
 * Finds the end record in the last bytes of a file. Of a zip64 file only the offset of its own end record is known,
 * which readZip64End() reads. Returns undefined if there is no end record.
 */
export function readZipEnd(tail: Buffer): ZipDirectory | { end64At: number } | undefined {
  for (let at = tail.length - zipEndBytes; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== signatures.end) continue;
    const locator = at - zip64LocatorBytes;
    if (locator >= 0 && tail.readUInt32LE(locator) === signatures.locator64)
      return { end64At: Number(tail.readBigUInt64LE(locator + 8)) };
    return {
      count: tail.readUInt16LE(at + 10),
      sizeBytes: tail.readUInt32LE(at + 12),
      at: tail.readUInt32LE(at + 16),
    };
  }
  return undefined;
}

/** @param record `zip64EndBytes` bytes; undefined is returned for other ones */
export function readZip64End(record: Buffer): ZipDirectory | undefined {
  if (record.length < zip64EndBytes || record.readUInt32LE(0) !== signatures.end64)
    return undefined;
  const [count, sizeBytes, at] = [32, 40, 48].map((from) => Number(record.readBigUInt64LE(from)));
  return { count: count ?? 0, sizeBytes: sizeBytes ?? 0, at: at ?? 0 };
}

/** Reads the central directory; undefined if it is damaged. */
export function readZipEntries(directory: Buffer): ZipEntry[] | undefined {
  const entries: ZipEntry[] = [];
  for (let at = 0; at < directory.length;) {
    if (at + centralBytes > directory.length) return undefined;
    if (directory.readUInt32LE(at) !== signatures.central) return undefined;
    const nameEnd = at + centralBytes + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    const end = extraEnd + directory.readUInt16LE(at + 32);
    if (end > directory.length) return undefined;
    const entry = {
      name: directory.toString('utf8', at + centralBytes, nameEnd),
      method: directory.readUInt16LE(at + 10),
      crc32: directory.readUInt32LE(at + 16),
      storedBytes: directory.readUInt32LE(at + 20),
      sizeBytes: directory.readUInt32LE(at + 24),
      headerAt: directory.readUInt32LE(at + 42),
    };
    const complete = with64(entry, directory.subarray(nameEnd, extraEnd));
    if (!complete) return undefined;
    entries.push(complete);
    at = end;
  }
  return entries;
}

/** Values above 32 bits are in extra field 1, in this order and only as needed. */
const fieldsOf64 = ['sizeBytes', 'storedBytes', 'headerAt'] as const;

function with64(entry: ZipEntry, extra: Buffer): ZipEntry | undefined {
  const needed = fieldsOf64.filter((field) => entry[field] === in64);
  if (needed.length === 0) return entry;
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== extraOf64) continue;
    if (at + 4 + 8 * needed.length > extra.length) return undefined;
    const values = needed.map((field, i) => [field, Number(extra.readBigUInt64LE(at + 4 + 8 * i))]);
    return { ...entry, ...(Object.fromEntries(values) as Partial<ZipEntry>) };
  }
  return undefined;
}

/**
 * Offset of an entry's bytes behind its local header, whose name and extra field have lengths of their own; undefined
 * if no header is there.
 * @param head the header's first `zipLocalBytes` bytes
 */
export const dataOffset = (head: Buffer): number | undefined =>
  head.length >= zipLocalBytes && startsAsZip(head)
    ? zipLocalBytes + head.readUInt16LE(26) + head.readUInt16LE(28)
    : undefined;

/** Version 2.0, no flags, the method "stored", and the format's first date, 1 January 1980. */
const version = 20;
const firstDay = 0x21;

export interface StoredEntry {
  /** Plain ASCII. */
  name: string;
  crc32: number;
  sizeBytes: number;
  headerAt: number;
}

/** The local header of an entry, which its bytes follow. */
export const zipLocalHeader = (entry: StoredEntry): Buffer => headerOf(entry, 'local');

/** The central directory and the end record, which follow the last entry's bytes. */
export function zipEnd(entries: readonly StoredEntry[], at: number): Buffer {
  const directory = Buffer.concat(entries.map((entry) => headerOf(entry, 'central')));
  const end = Buffer.alloc(zipEndBytes);
  end.writeUInt32LE(signatures.end);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([directory, end]);
}

function headerOf(entry: StoredEntry, kind: 'local' | 'central'): Buffer {
  const name = Buffer.from(entry.name, 'ascii');
  const isCentral = kind === 'central';
  const header = Buffer.alloc(isCentral ? centralBytes : zipLocalBytes);
  header.writeUInt32LE(signatures[kind]);
  // Alike from "version needed to extract" on, which "version made by" precedes in the central one.
  const common = isCentral ? 6 : 4;
  if (isCentral) header.writeUInt16LE(version, 4);
  header.writeUInt16LE(version, common);
  header.writeUInt16LE(firstDay, common + 8);
  header.writeUInt32LE(entry.crc32, common + 10);
  header.writeUInt32LE(entry.sizeBytes, common + 14);
  header.writeUInt32LE(entry.sizeBytes, common + 18);
  header.writeUInt16LE(name.length, common + 22);
  if (isCentral) header.writeUInt32LE(entry.headerAt, 42);
  return Buffer.concat([header, name]);
}
