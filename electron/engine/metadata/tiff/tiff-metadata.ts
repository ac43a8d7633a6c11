/**
 * EXIF, IPTC and Photoshop's resources in a TIFF that libvips wrote without them: behind its pixels
 * come the photo's directories and the file's own one anew, so a file of any size is not rewritten.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { DirectoryWriter, putNumber, type VerbatimEntry } from './directory-writer.ts';
import { tags, type ExifEntry, type ExifModel } from '../exif/exif-model.ts';
import { writeAll } from '../containers/insert-bytes.ts';
import { iptcOf, writeResources, type ImageResource } from '../containers/photoshop.ts';
import { openLayout, readDirectory, type TiffLayout } from './tiff-directory.ts';

const iptcTag = 0x83bb;
const photoshopTag = 0x8649;
/** libvips writes these itself, for the picture as it now is. */
const ofTheFile = new Set<number>([tags.imageWidth, tags.imageHeight, tags.orientation]);

interface TiffMetadata {
  exif?: ExifModel | undefined;
  photoshop: ImageResource[];
}

/** Answers whether the MakerNote had to stay out, because its offsets cannot reach where it would lie. */
export function writeTiffMetadata(
  path: string,
  metadata: TiffMetadata,
): { leftMakerNote: boolean } {
  const fd = openSync(path, 'r+');
  try {
    const layout = openLayout({ size: fstatSync(fd).size, read: readFrom(fd) });
    if (!layout) throw new Error('The result is no TIFF');
    return appendDirectories(fd, layout, metadata);
  } finally {
    closeSync(fd);
  }
}

const readFrom = (fd: number) => (offset: number, length: number) => {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(fd, buffer, 0, length, offset));
};

function appendDirectories(fd: number, layout: TiffLayout, { exif, photoshop }: TiffMetadata) {
  const { big, littleEndian } = layout;
  let end = layout.bytes.size;
  const place = (size: number) => {
    const at = end + (end % 2);
    end = at + size;
    return at;
  };
  const writer = new DirectoryWriter({ big, littleEndian, place });
  const photo = exif ? writer.writeModel(exif) : [];
  const added = [...photo.filter(({ tag }) => !ofTheFile.has(tag)), ...photoshopEntries(photoshop)];
  const own = ownEntries(layout, new Set(added.map(({ tag }) => tag)));
  const first = writer.write([...own.entries, ...added], own.next);
  // What is behind the pixels is written before the header points to it.
  for (const { at, bytes } of writer.chunks) writeAll(fd, bytes, at);
  const pointer = Buffer.alloc(big ? 8 : 4);
  putNumber(pointer, 0, big ? 8 : 4, first, littleEndian);
  writeAll(fd, pointer, big ? 8 : 4);
  return { leftMakerNote: writer.leftMakerNote };
}

/** The file's own entries, as they stand, without those that are written anew. */
function ownEntries(layout: TiffLayout, replaced: Set<number>) {
  const { bytes, big, firstDirectory } = layout;
  const { entries, next } = readDirectory(layout, firstDirectory);
  const entryBytes = big ? 20 : 12;
  const body = bytes.read(firstDirectory + (big ? 8 : 2), entries.length * entryBytes);
  const verbatim: VerbatimEntry[] = entries.map(({ tag }, i) => ({
    tag,
    verbatim: Buffer.from(body.subarray(i * entryBytes, (i + 1) * entryBytes)),
  }));
  return { entries: verbatim.filter(({ tag }) => !replaced.has(tag)), next };
}

function photoshopEntries(resources: ImageResource[]): ExifEntry[] {
  const iptc = iptcOf(resources);
  const others = resources.filter(({ data }) => data !== iptc);
  const entry = (tag: number, type: number, value: Buffer): ExifEntry => ({
    tag,
    type,
    count: value.length,
    bytes: value,
  });
  return [
    ...(others.length > 0 ? [entry(photoshopTag, 1, writeResources(others))] : []),
    ...(iptc ? [entry(iptcTag, 7, iptc)] : []),
  ];
}
