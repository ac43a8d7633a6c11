/**
 * Locates the entries of a PyTorch zip file. PyTorch stores entries uncompressed; compressed ones are refused,
 * so no decompression bomb is possible.
 */
import {
  dataOffset,
  maxZipCommentBytes,
  readZip64End,
  readZipEnd,
  readZipEntries,
  startsAsZip,
  zip64EndBytes,
  zipEndBytes,
  zipLocalBytes,
  type ZipDirectory,
} from '../../../file-records/src/index.ts';
import { type ByteSource, refused } from '../../../onnx/src/index.ts';

/** Byte range of an entry in the file, or of a storage in the legacy container. */
export interface CheckpointEntry {
  at: number;
  length: number;
}

const maxEntries = 100_000;
const maxDirectoryBytes = 32 * 1024 * 1024;

export const isZip = (source: ByteSource) =>
  source.size > zipEndBytes && startsAsZip(source.read(0, 4));

/** Reads the central directory. @returns entries by name. @throws EnlargerError MODEL_REFUSED */
export function readZip(source: ByteSource): Map<string, CheckpointEntry> {
  const { at, sizeBytes } = findDirectory(source);
  const entries = readZipEntries(source.read(at, sizeBytes));
  if (!entries) throw damaged(at);
  return new Map(
    entries.map(({ name, method, storedBytes, sizeBytes: length, headerAt }) => {
      if (method !== 0 || storedBytes !== length)
        throw refused(
          `The file's entry ${name.slice(0, 60)} is compressed; PyTorch stores entries as they are. Save it again with torch.save.`,
        );
      return [name, { at: startOf(source, headerAt), length }];
    }),
  );
}

function findDirectory(source: ByteSource): ZipDirectory {
  const length = Math.min(source.size, zipEndBytes + maxZipCommentBytes);
  const end = readZipEnd(source.read(source.size - length, length));
  const directory =
    end && 'end64At' in end ? readZip64End(source.read(end.end64At, zip64EndBytes)) : end;
  if (!directory || directory.count > maxEntries || directory.sizeBytes > maxDirectoryBytes)
    throw refused(
      'The file starts as PyTorch writes it but has no end: it is cut short. Get it again.',
    );
  return directory;
}

function startOf(source: ByteSource, headerAt: number): number {
  const offset = dataOffset(source.read(headerAt, zipLocalBytes));
  if (offset === undefined) throw damaged(headerAt);
  return headerAt + offset;
}

const damaged = (at: number) =>
  refused(`The file is damaged: its list of entries is wrong at ${at}.`);
