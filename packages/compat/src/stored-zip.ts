/**
 * Writes a ZIP file of a few files without compressing them, because pictures are compressed already. Each file is
 * read twice, the first time for its checksum, so that checksum and size stand before its bytes and every reader
 * accepts the ZIP.
 */
import { open, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { openPlainFile } from '../../files/src/plain-file.ts';
import { zipEnd, zipLocalHeader, type StoredEntry } from '../../file-records/src/index.ts';

interface ZipMember {
  /** Plain ASCII. */
  name: string;
  path: string;
}

/** Writes the members into a new file. Together they must be smaller than 4 GB. */
export async function writeStoredZip(toPath: string, members: readonly ZipMember[]): Promise<void> {
  const file = await open(toPath, 'wx');
  try {
    const entries: StoredEntry[] = [];
    let at = 0;
    for (const member of members) {
      const entry = { ...(await measured(member)), headerAt: at };
      entries.push(entry);
      at += await append(file, zipLocalHeader(entry));
      const from = await openPlainFile(member.path);
      for await (const chunk of from.createReadStream()) at += await append(file, chunk as Buffer);
    }
    await append(file, zipEnd(entries, at));
  } finally {
    await file.close();
  }
}

async function append(file: FileHandle, bytes: Buffer): Promise<number> {
  await file.writeFile(bytes);
  return bytes.length;
}

async function measured({ name, path }: ZipMember): Promise<Omit<StoredEntry, 'headerAt'>> {
  let checksum = 0;
  let sizeBytes = 0;
  const file = await openPlainFile(path);
  for await (const chunk of file.createReadStream()) {
    checksum = crc32(chunk as Buffer, checksum);
    sizeBytes += (chunk as Buffer).length;
  }
  return { name, crc32: checksum, sizeBytes };
}
