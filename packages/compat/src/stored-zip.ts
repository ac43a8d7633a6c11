/**
 * Writes a ZIP file of a few files without compressing them, because pictures are compressed already (APPNOTE
 * 6.3.3 by PKWARE). Each file is read twice, the first time for its checksum, so that checksum and size stand
 * before its bytes and every reader accepts the ZIP.
 */
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

interface ZipMember {
  /** The name is plain ASCII. */
  name: string;
  path: string;
}

interface Entry {
  name: Buffer;
  checksum: number;
  size: number;
  /** The entry's local header begins at this offset of the ZIP, in bytes. */
  at: number;
}

/** Headers have version 2.0, no flags, the method "stored", and the format's first date, 1 January 1980. */
const version = 20;
const firstDay = 0x21;
const localHeader = 0x04034b50;
const centralHeader = 0x02014b50;
const endOfDirectory = 0x06054b50;

/** Writes the members into a new file. Together they must be smaller than 4 GB. */
export async function writeStoredZip(toPath: string, members: readonly ZipMember[]): Promise<void> {
  const file = await open(toPath, 'wx');
  try {
    const entries: Entry[] = [];
    let at = 0;
    for (const member of members) {
      const entry = { ...(await measured(member)), at };
      entries.push(entry);
      at += await append(file, Buffer.concat([headerOf(entry, 'local'), entry.name]));
      for await (const chunk of createReadStream(member.path))
        at += await append(file, chunk as Buffer);
    }
    const directory = Buffer.concat(
      entries.flatMap((entry) => [headerOf(entry, 'central'), entry.name]),
    );
    await append(file, Buffer.concat([directory, endOf(entries.length, directory.length, at)]));
  } finally {
    await file.close();
  }
}

async function append(file: FileHandle, bytes: Buffer): Promise<number> {
  await file.writeFile(bytes);
  return bytes.length;
}

async function measured({ name, path }: ZipMember): Promise<Omit<Entry, 'at'>> {
  let checksum = 0;
  let size = 0;
  for await (const chunk of createReadStream(path)) {
    checksum = crc32(chunk as Buffer, checksum);
    size += (chunk as Buffer).length;
  }
  return { name: Buffer.from(name, 'ascii'), checksum, size };
}

function headerOf({ name, checksum, size, at }: Entry, kind: 'local' | 'central'): Buffer {
  const isCentral = kind === 'central';
  const header = Buffer.alloc(isCentral ? 46 : 30);
  header.writeUInt32LE(isCentral ? centralHeader : localHeader);
  // Both headers are alike from "version needed to extract" on; the central one has "version made by" before
  // it.
  const common = isCentral ? 6 : 4;
  if (isCentral) header.writeUInt16LE(version, 4);
  header.writeUInt16LE(version, common);
  header.writeUInt16LE(firstDay, common + 8);
  header.writeUInt32LE(checksum, common + 10);
  header.writeUInt32LE(size, common + 14);
  header.writeUInt32LE(size, common + 18);
  header.writeUInt16LE(name.length, common + 22);
  if (isCentral) header.writeUInt32LE(at, 42);
  return header;
}

function endOf(count: number, length: number, at: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(endOfDirectory);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(at, 16);
  return end;
}
