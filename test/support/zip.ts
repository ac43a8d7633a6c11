import { crc32 } from 'node:zlib';
import { readZipEnd, readZipEntries } from '../../packages/file-records/src/zip.ts';

/** A zip archive of executable files, stored without compression (APPNOTE.TXT 4.3). */
export function zipOf(files: Record<string, string>): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const [label, data] = [Buffer.from(name), Buffer.from(text)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(label.length, 22);
    locals.push(Buffer.from('PK\x03\x04', 'latin1'), common, label, data);
    const tail = Buffer.alloc(14);
    // Unix's mode 0100755 in the upper half of the external attributes.
    tail.writeUInt32LE(0o100755 * 0x10000, 6);
    tail.writeUInt32LE(offset, 10);
    // Made by Unix, version 2.0.
    centrals.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, tail, label);
    offset += 30 + label.length + data.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  const count = Object.keys(files).length;
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** Names of the entries of an archive below 4 GB. */
export function namesInZip(file: Buffer): string[] {
  const end = readZipEnd(file);
  if (end === undefined || 'end64At' in end) throw new Error('no directory');
  const directory = file.subarray(end.at, end.at + end.sizeBytes);
  return (readZipEntries(directory) ?? []).map(({ name }) => name);
}
