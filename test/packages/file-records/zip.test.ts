import { describe, expect, it } from 'vitest';
import {
  dataOffset,
  readZip64End,
  readZipEnd,
  readZipEntries,
  startsAsZip,
  zip64EndBytes,
  zipEnd,
  zipLocalHeader,
  type ZipDirectory,
} from '../../../packages/file-records/src/zip.ts';
import { zipOf } from '../../support/zip.ts';

const texts = { 'a.txt': 'first', 'folder/b.txt': 'second' };

function directoryOf(file: Buffer): ZipDirectory | undefined {
  const end = readZipEnd(file);
  if (end === undefined || !('end64At' in end)) return end;
  return readZip64End(file.subarray(end.end64At, end.end64At + zip64EndBytes));
}

/** Texts by name, by way of the directory and each entry's local header. */
function readAll(file: Buffer): Record<string, string> {
  const directory = directoryOf(file);
  if (directory === undefined) throw new Error('no directory');
  const { at, sizeBytes } = directory;
  const entries = readZipEntries(file.subarray(at, at + sizeBytes));
  return Object.fromEntries(
    (entries ?? []).map(({ name, headerAt, storedBytes }) => {
      const start = headerAt + (dataOffset(file.subarray(headerAt)) ?? Number.NaN);
      return [name, file.toString('utf8', start, start + storedBytes)];
    }),
  );
}

describe('the records of a ZIP file', () => {
  it('are read as another writer has them, also with a comment behind the end', () => {
    const file = zipOf(texts);
    expect(startsAsZip(file)).toBe(true);
    expect(readAll(file)).toEqual(texts);
    const comment = Buffer.from('a comment');
    const withComment = Buffer.concat([file, comment]);
    withComment.writeUInt16LE(comment.length, file.length - 2);
    expect(readAll(withComment)).toEqual(texts);
  });

  it('are read as they are written', () => {
    const data = Buffer.from('text');
    const entry = { name: 'a.txt', crc32: 0, sizeBytes: data.length, headerAt: 0 };
    const head = zipLocalHeader(entry);
    const at = head.length + data.length;
    expect(readAll(Buffer.concat([head, data, zipEnd([entry], at)]))).toEqual({ 'a.txt': 'text' });
  });

  it('are read from their fields of 64 bits', () => {
    const file = zipOf(texts);
    const { at, sizeBytes, count } = directoryOf(file)!;
    // Each entry of the directory gets all three values in extra field 1, and none in 32 bits.
    const entries = readZipEntries(file.subarray(at, at + sizeBytes))!.map((entry) => {
      const name = Buffer.from(entry.name);
      const head = Buffer.alloc(46);
      head.writeUInt32LE(0x02014b50);
      head.fill(0xff, 20, 28);
      head.fill(0xff, 42, 46);
      head.writeUInt16LE(name.length, 28);
      head.writeUInt16LE(28, 30);
      const extra = Buffer.alloc(28);
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(24, 2);
      for (const [i, value] of [entry.sizeBytes, entry.storedBytes, entry.headerAt].entries())
        extra.writeBigUInt64LE(BigInt(value), 4 + 8 * i);
      return Buffer.concat([head, name, extra]);
    });
    const directory = Buffer.concat(entries);
    const end64 = Buffer.alloc(56);
    end64.writeUInt32LE(0x06064b50);
    for (const [from, value] of [
      [32, count],
      [40, directory.length],
      [48, at],
    ] as const)
      end64.writeBigUInt64LE(BigInt(value), from);
    const locator = Buffer.alloc(20);
    locator.writeUInt32LE(0x07064b50);
    locator.writeBigUInt64LE(BigInt(at + directory.length), 8);
    const end = Buffer.alloc(22, 0xff);
    end.writeUInt32LE(0x06054b50);
    end.writeUInt16LE(0, 20);
    const large = Buffer.concat([file.subarray(0, at), directory, end64, locator, end]);
    expect(readAll(large)).toEqual(texts);
  });

  it('are refused where they are cut short or another entry begins', () => {
    const file = zipOf(texts);
    const { at, sizeBytes } = directoryOf(file)!;
    expect(readZipEnd(file.subarray(0, -1))).toBeUndefined();
    for (let length = 1; length < sizeBytes; length += 1) {
      const entries = readZipEntries(file.subarray(at, at + length));
      expect(entries === undefined || entries.length === 1).toBe(true);
    }
    expect(readZipEntries(file.subarray(0, 60))).toBeUndefined();
    expect(dataOffset(file.subarray(at))).toBeUndefined();
  });
});
